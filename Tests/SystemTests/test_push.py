# SPDX-License-Identifier: Apache-2.0
"""Push from end to end: devices of Apple, Firebase and browsers, against providers that take nothing wrong."""

import json
import secrets

import pytest

import people
import push_services
from chatting import Yard, ok
from waiting import eventually

pytestmark = pytest.mark.skipif(not push_services.PLACE, reason="needs a Madang that may push to this machine (MADANG_TEST_PUSH)")


class Phone:
    """A device of somebody, as its provider sees it."""

    def __init__(self, services, owner, platform="firebase", **more):
        self.services, self.owner, self.platform = services, owner, platform
        if platform == "apple":
            self.known, form = secrets.token_hex(32), {"topic": push_services.TOPIC, "environment": "sandbox"}
            form["token"] = self.known
        elif platform == "firebase":
            self.known = f"fcm-{secrets.token_urlsafe(30)}"
            form = {"token": self.known}
        else:
            subscription = services.subscribe()
            self.known, form = subscription.path, subscription.form()
        self.shown = ok(owner.http.post("/api/v1/devices", data={"platform": platform, **form, **more}))
        assert self.shown["reached"] and self.shown["current"]

    @property
    def messages(self):
        return [content for _, content in self.services.of(self.known)]

    @property
    def alerts(self):
        """Title and body of each that was shown."""
        alerts = []
        for content in self.messages:
            text = {"apple": content.get("aps", {}).get("alert"), "firebase": content.get("notification"), "web": content}[self.platform]
            if text:
                alerts.append((text.get("title", ""), text.get("body", "")))
        return alerts

    @property
    def log(self):
        return ok(self.owner.http.get(f"/api/v1/devices/{self.shown['id']}/deliveries"))

    def is_told(self, body, seconds=20):
        eventually(lambda: any(body in text for _, text in self.alerts), f"{self.platform} is told {body!r}", seconds)


def by_own_app(person):
    """The same person, signed in by an app of the operator's own; apps that were let in look after their own devices only."""
    again = people.Person(person.name, person.password)
    again.token = ok(people.Api().post("/api/v1/sessions", json={"email": person.email, "password": person.password}))["access_token"]
    return again


@pytest.mark.parametrize("platform", ["apple", "firebase", "web"])
def test_who_is_named_hears_of_it(pushing, newcomer, another, platform):
    phone = Phone(pushing, newcomer, platform, language="ko", time_zone="Asia/Seoul")
    word = f"tea {secrets.token_hex(4)}"
    another.client.status_post(f"@{newcomer.name} {word}")
    phone.is_told(word)
    (title, _), = phone.alerts
    assert title.endswith("님이 회원님을 언급했습니다")
    # The provider has it before it is noted.
    eventually(lambda: [delivery["state"] for delivery in phone.log] == ["sent"], "it is noted")
    (delivery,) = phone.log
    assert delivery["kind"] == "mention" and delivery["attempts"] == 1
    assert phone.known not in json.dumps(ok(newcomer.http.get("/api/v1/devices")))


def test_a_device_ends_with_its_session(pushing, newcomer, another):
    phone = Phone(pushing, newcomer)
    other, watch = by_own_app(newcomer), by_own_app(newcomer)
    tablet = Phone(pushing, other)
    assert len(ok(watch.http.get("/api/v1/devices"))) == 2 and len(ok(newcomer.http.get("/api/v1/devices"))) == 1
    first, last = (f"tea {secrets.token_hex(4)}" for _ in range(2))
    another.client.status_post(f"@{newcomer.name} {first}")
    phone.is_told(first)
    tablet.is_told(first)
    (session,) = [session for session in ok(other.http.get("/api/v1/sessions")) if session.get("current")]
    ok(other.http.delete(f"/api/v1/sessions/{session['id']}"))
    # In the same second.
    eventually(lambda: len(ok(watch.http.get("/api/v1/devices"))) == 1, "the device is gone with its session", seconds=1)
    another.client.status_post(f"@{newcomer.name} {last}")
    phone.is_told(last)
    assert [body for _, body in tablet.alerts if last in body] == []


def test_a_message_is_pushed_and_reading_clears_the_number(pushing, newcomer, another):
    phone = Phone(pushing, newcomer, "apple")
    Yard.playground(another, newcomer)
    channel = Yard.direct(another, newcomer)
    said = Yard.say(another, channel, f"coffee {secrets.token_hex(4)}")
    phone.is_told(said["text"])
    assert phone.messages[-1]["aps"]["badge"] == 1
    assert phone.messages[-1]["channel_id"] == channel["id"] and phone.messages[-1]["kind"] == "direct_message"
    ok(newcomer.http.post(f"/api/v1/channels/{channel['id']}/read", json={"seq": said["seq"]}))
    eventually(lambda: phone.messages[-1]["aps"].get("badge") == 0, "the number is told")
    assert len(phone.alerts) == 1


def test_mastodons_subscription(pushing, newcomer, another):
    subscription = pushing.subscribe(is_standard=False)
    path = "/api/v1/push/subscription"
    assert newcomer.http.get(path).status_code == 404
    made = ok(newcomer.http.post(path, data={**subscription.form(), "data[alerts][favourite]": "true", "data[policy]": "all"}))
    assert made["server_key"] and made["endpoint"] == subscription.endpoint and made["alerts"]["favourite"] and not made["alerts"]["mention"]
    post = newcomer.client.status_post("hello")
    another.client.status_post(f"@{newcomer.name} not wanted")
    another.client.status_favourite(post.id)
    taken = eventually(lambda: pushing.of(subscription.path), "the subscription is told", 20)
    ((_, told),) = taken
    assert told["notification_type"] == "favourite" and isinstance(told["notification_id"], int) and told["access_token"] == ""
    assert told["preferred_locale"] == "en" and told["title"] and told["icon"].startswith("http")
    changed = ok(newcomer.http.put(path, data={"data[alerts][mention]": "true"}))
    assert changed["alerts"]["mention"]
    ok(newcomer.http.delete(path))
    assert newcomer.http.get(path).status_code == 404


def test_what_is_not_wanted_does_not_come(pushing, newcomer, another):
    phone = Phone(pushing, newcomer)
    wishes = {"kinds": {"favourite": False}, "preview": "sender"}
    assert newcomer.http.put("/api/v1/push/preferences", json=wishes).status_code == 403
    said = ok(by_own_app(newcomer).http.put("/api/v1/push/preferences", json=wishes))
    assert said["kinds"]["favourite"] is False and said["preview"] == "sender"
    post = newcomer.client.status_post("hello")
    another.client.status_favourite(post.id)
    word = f"tea {secrets.token_hex(4)}"
    another.client.status_post(f"@{newcomer.name} {word}")
    eventually(lambda: phone.alerts, "the phone is told of the mention", 20)
    assert [delivery["kind"] for delivery in phone.log] == ["mention"]
    assert all(word not in body for _, body in phone.alerts)


def test_who_asks_for_everything_in_a_channel_hears_of_it(pushing, newcomer, another):
    phone, kinds = Phone(pushing, newcomer), {"types[]": ["channel_message", "chat_mention"]}
    playground = Yard.playground(another, newcomer)
    channel = Yard.channel(playground, another, newcomer)
    first, second, named = (f"tea {secrets.token_hex(4)}" for _ in range(3))
    Yard.say(another, channel, first)
    ok(newcomer.http.put(f"/api/v1/channels/{channel['id']}/notifications", json={"notify": "all"}))
    Yard.say(another, channel, second)
    phone.is_told(second)
    assert [body for _, body in phone.alerts if first in body] == []
    told = phone.messages[-1]["data"]
    assert told["kind"] == "channel_message" and told["id"] == channel["id"] and told["url"].endswith(f"/channels/{channel['id']}")
    (entry,) = ok(newcomer.http.get("/api/v1/notifications", params=kinds))
    assert entry["type"] == "channel_message" and entry["message"]["text"] == second
    Yard.say(another, channel, f"@{newcomer.name} {named}")
    phone.is_told(named)
    assert [content["data"]["kind"] for content in phone.messages if named in content.get("notification", {}).get("body", "")] == ["chat_mention"]
    ok(newcomer.http.put(f"/api/v1/channels/{channel['id']}/notifications", json={"mute_for": 600}))
    Yard.say(another, channel, f"muted {first}")
    mentioned = f"tea {secrets.token_hex(4)}"
    another.client.status_post(f"@{newcomer.name} {mentioned}")
    phone.is_told(mentioned)
    assert [body for _, body in phone.alerts if first in body] == []
