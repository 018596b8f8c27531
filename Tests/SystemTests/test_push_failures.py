# SPDX-License-Identifier: Apache-2.0
"""Providers that do not take a message: what passes is sent again under the same id, what does not ends with its reason."""

import secrets

import people
import push_services
import pytest
from chatting import ok
from waiting import eventually

pytestmark = pytest.mark.skipif(not push_services.PLACE, reason="needs a Madang that may push to this machine (MADANG_TEST_PUSH)")

PLATFORMS = ("apple", "firebase", "web", "draft")


class Phone:
    """A device of somebody new, who is named in a post by somebody else."""

    def __init__(self, services, platform):
        self.services, self.platform, self.owner = services, platform, people.member("phone")
        assert self.owner.id
        if platform == "apple":
            self.known = secrets.token_hex(32)
            form = {"platform": "apple", "token": self.known, "topic": push_services.TOPIC}
        elif platform == "firebase":
            self.known = f"fcm-{secrets.token_urlsafe(30)}"
            form = {"platform": "firebase", "token": self.known}
        else:
            subscription = services.subscribe(is_standard=platform == "web")
            self.known, form = subscription.path, {"platform": "web", **subscription.form()}
        self.id = ok(self.owner.http.post("/api/v1/devices", data=form))["id"]

    def name(self, author):
        """Has them named; what comes of it is there once it is over."""
        ok(author.http.post("/api/v1/statuses", data={"status": f"@{self.owner.name} push"}))

    def deliveries(self):
        return [each for each in ok(self.owner.http.get(f"/api/v1/devices/{self.id}/deliveries")) if each["kind"] == "mention"]

    def ended(self):
        return [each for each in self.deliveries() if each["state"] != "waiting"]

    def names(self):
        """Of the messages that the provider took of the mention: those of a number alone are left out."""
        ids = {each["push_id"] for each in self.deliveries()}
        return [name for name, _ in self.services.of(self.known) if name in ids]


@pytest.fixture
def failing(pushing, dice):
    """Providers that fail as it is told, until the test is over."""

    def fail(cuts=None, **shares):
        if cuts:
            pushing.cuts = cuts
        pushing.fail(dice.random(), **shares)

    yield fail
    pushing.cuts = ["reset", "refuse", "goaway", "close"]
    pushing.fail(0)


@pytest.mark.parametrize("share", ["later", "reset", "goaway", "close"])
def test_what_passes_is_sent_again_under_the_same_id(pushing, failing, ada, share):
    phones = [Phone(pushing, platform) for platform in PLATFORMS]
    # The first four attempts fail.
    failing(**({"later": 1} if share == "later" else {"cuts": [share], "cut": 1}))
    for phone in phones:
        phone.name(ada)
    for phone in phones:
        # Eight times as long as the pauses are together where nothing else is to do.
        eventually(phone.ended, f"an end on {phone.platform}", seconds=240)
        (delivery,) = phone.deliveries()
        assert delivery["state"] == "sent", delivery
        names = phone.names()
        # A line that closes takes along the answers to others on it, whose messages the provider has taken.
        assert set(names) == {delivery["push_id"]} and (share == "close" or len(names) == 1)


def test_what_was_lost_comes_again_under_the_same_id(pushing, failing, ada):
    """The provider took it and nobody heard that: a device can tell by the id."""
    phones = [Phone(pushing, platform) for platform in PLATFORMS]
    failing(lost=1)
    for phone in phones:
        phone.name(ada)
    for phone in phones:
        eventually(phone.ended, f"an end on {phone.platform}", seconds=240)
        (delivery,) = phone.deliveries()
        assert delivery["state"] == "sent", delivery
        names = phone.names()
        assert len(names) > 1 and set(names) == {delivery["push_id"]}


def test_what_is_refused_ends_with_its_reason(pushing, failing, ada):
    phones = [Phone(pushing, platform) for platform in PLATFORMS]
    failing(refused=1)
    for phone in phones:
        phone.name(ada)
    for phone in phones:
        eventually(phone.ended, f"an end on {phone.platform}", seconds=120)
        (delivery,) = phone.deliveries()
        assert (delivery["state"], pushing.told[phone.known][delivery["push_id"]]) == ("refused", ("refused", delivery["reason"]))
        assert phone.names() == []


def test_a_device_that_is_gone_is_forgotten(pushing, failing, ada):
    phones = [Phone(pushing, platform) for platform in PLATFORMS]
    failing(gone=1)
    for phone in phones:
        phone.name(ada)
    for phone in phones:
        eventually(lambda phone=phone: not ok(phone.owner.http.get("/api/v1/devices")), f"{phone.platform} without devices", seconds=120)
        assert pushing.of(phone.known) == []


def test_a_token_that_google_ends_is_renewed(pushing, ada):
    phone = Phone(pushing, "firebase")
    phone.name(ada)
    eventually(phone.names, "a first message", seconds=120)
    with pushing.lock:
        pushing.tokens.clear()
        before = len(pushing.grants)
    phone.name(ada)
    eventually(lambda: len(phone.names()) == 2, "a second message", seconds=120)
    assert len(pushing.grants) > before
    assert all(each["state"] == "sent" for each in eventually(lambda: len(phone.ended()) == 2 and phone.ended(), "both ends", seconds=60))
