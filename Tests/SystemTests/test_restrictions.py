# SPDX-License-Identifier: Apache-2.0
"""What keeps people from something is obeyed by every service within a second, and over when it is lifted."""

import secrets

import people
import websocket
from chatting import Yard, ok
from test_operating import dev
from test_projects import begin
from waiting import eventually


def decided(*words):
    """An operator's decision; from here on a second counts."""
    done = dev("admin", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().splitlines()[-1]


def within_a_second(condition, what):
    eventually(condition, what, seconds=1)


def code(answer):
    return answer.status_code, answer.json().get("code")


class Town:
    """Somebody in every place where another sees them."""

    def __init__(self):
        self.word = f"zeppelin{secrets.token_hex(4)}"
        self.seen, self.reader = people.member("seen"), people.member("reader")
        seen, reader = self.seen, self.reader
        ok(seen.http.patch("/api/v1/accounts/update_credentials", data={"discoverable": "true", "indexable": "true"}))
        for one, other in ((seen, reader), (reader, seen)):
            ok(one.http.post(f"/api/v1/accounts/{other.id}/follow"))
        self.of_reader = ok(reader.http.post("/api/v1/statuses", json={"status": f"of the reader #{self.word}"}))
        self.post = ok(seen.http.post("/api/v1/statuses", json={"status": f"a {self.word} rises #{self.word}"}))
        answer = {"status": f"so it does, @{reader.name}", "in_reply_to_id": self.of_reader["id"]}
        self.answer = ok(seen.http.post("/api/v1/statuses", json=answer))
        for action in ("favourite", "reblog"):
            ok(seen.http.post(f"/api/v1/statuses/{self.of_reader['id']}/{action}"))
        self.project = begin(seen, title=f"A {self.word} for two")
        self.playground = Yard.playground(reader, seen)
        self.channel = Yard.channel(self.playground, reader, seen)
        self.direct = Yard.direct(reader, seen)
        Yard.say(seen, self.channel, f"in the room: {self.word}")
        self.places = {
            "home": "/api/v1/timelines/home", "everybody's": "/api/v1/timelines/public", "tag": f"/api/v1/timelines/tag/{self.word}",
            "thread": f"/api/v1/statuses/{self.of_reader['id']}/context", "their posts": f"/api/v1/accounts/{seen.id}/statuses",
            "favourites": f"/api/v1/statuses/{self.of_reader['id']}/favourited_by", "notifications": "/api/v1/notifications",
            "boosts": f"/api/v1/statuses/{self.of_reader['id']}/reblogged_by", "followers": f"/api/v1/accounts/{reader.id}/followers",
            "following": f"/api/v1/accounts/{reader.id}/following", "members": f"/api/v1/playgrounds/{self.playground['id']}/members",
            "mentions": f"/api/v1/accounts/search?q={seen.name}", "projects": f"/api/v1/search/projects?q={self.word}",
            "their projects": f"/api/v1/accounts/{seen.id}/projects", "everybody's projects": "/api/v1/projects",
            "in the playground": f"/api/v1/playgrounds/{self.playground['id']}/search?q={seen.name}",
            "messages": f"/api/v1/playgrounds/{self.playground['id']}/search?q={self.word}",
            "people": f"/api/v2/search?type=accounts&q={seen.name}", "words": f"/api/v2/search?type=statuses&q={self.word}",
        }  # fmt: skip

    def shows(self, place):
        return f'"{self.seen.id}"' in self.reader.http.get(self.places[place]).text

    def said(self):
        return self.reader.http.get(f"/api/v1/channels/{self.channel['id']}/messages").text


def test_a_suspended_person_is_gone_everywhere_and_comes_back():
    town = Town()
    seen, reader = town.seen, town.reader
    for place in town.places:
        eventually(lambda place=place: town.shows(place), f"they are seen in {place}")
    yard = Yard()
    address = people.BASE_URL.replace("http", "ws", 1) + "/api/v1/streaming?stream=user"
    stream = websocket.create_connection(address, header=[f"Authorization: Bearer {seen.token}"], timeout=30)
    try:
        theirs, readers = yard.device(seen), yard.device(reader)
        assert decided("suspend", seen.name) == f"{seen.name}: in force is suspended"
        for place in town.places:
            within_a_second(lambda place=place: not town.shows(place), f"they are gone from {place}")
        within_a_second(lambda: f"in the room: {town.word}" not in town.said(), "what they said is withheld")
        within_a_second(lambda: seen.http.get("/api/v1/accounts/verify_credentials").status_code == 401, "signed out")
        readers.next("member", lambda told: told["account"]["id"] == seen.id and told["action"] == "left", seconds=1)
        theirs.has_ended()
        stream.settimeout(5)
        while stream.connected and stream.recv_data()[0] != websocket.ABNF.OPCODE_CLOSE:
            pass
    finally:
        stream.close()
        yard.close()
    for thing in (town.post, town.answer):
        for api in (reader.http, people.Api()):
            assert api.get(f"/api/v1/statuses/{thing['id']}").status_code == 404
    account = ok(reader.http.get(f"/api/v1/accounts/{seen.id}"))
    assert account["suspended"] and account["note"] == "" and account["fields"] == []
    assert people.Api().get(f"/@{seen.name}").status_code == 404
    refused = reader.http.post(f"/api/v1/channels/{town.direct['id']}/messages", json={"text": "are you there?"})
    assert code(refused) == (403, "blocked")
    back = people.Api().post("/api/v1/sessions", data={"username": seen.name, "password": seen.password})
    assert code(back) == (403, "account-suspended")

    assert decided("lift", seen.name) == f"{seen.name}: in force is nothing"
    for place in town.places:
        within_a_second(lambda place=place: town.shows(place), f"they are back in {place}")
    within_a_second(lambda: f"in the room: {town.word}" in town.said(), "what they said is there")
    signed_in = lambda: people.Api().post(  # noqa: E731
        "/api/v1/sessions", data={"username": seen.name, "password": seen.password}
    )
    within_a_second(lambda: signed_in().status_code == 200, "they may sign in")


def test_who_is_frozen_changes_nothing_anywhere():
    town = Town()
    frozen = town.seen.http
    assert decided("freeze", town.seen.name, "--days", "2") == f"{town.seen.name}: in force is frozen"
    within_a_second(lambda: frozen.post("/api/v1/statuses", json={"status": "x"}).status_code == 403, "no post")
    writes = [
        ("POST", "/api/v1/statuses"), ("DELETE", f"/api/v1/statuses/{town.post['id']}"),
        ("POST", f"/api/v1/statuses/{town.of_reader['id']}/bookmark"), ("POST", f"/api/v1/accounts/{town.reader.id}/unfollow"),
        ("PATCH", "/api/v1/accounts/update_credentials"), ("POST", "/api/v1/projects"), ("POST", "/api/v1/shelf/records"),
        ("POST", f"/api/v1/channels/{town.channel['id']}/messages"), ("POST", "/api/v1/playgrounds"), ("POST", "/api/v2/media"),
        ("POST", "/api/v1/notifications/clear"), ("POST", "/api/v1/markers"), ("POST", "/api/v1/gifs/collections"),
    ]  # fmt: skip
    for method, path in writes:
        assert code(frozen.request(method, path, data={"status": "x"})) == (403, "account-frozen"), f"{method} {path}"
    yard = Yard()
    try:
        device = yard.device(town.seen)
        assert device.send(town.channel, "x")["error"]["code"] == "account-frozen"
    finally:
        yard.close()
    for path in ("/api/v1/timelines/home", "/api/v1/notifications", f"/api/v1/channels/{town.channel['id']}/messages"):
        assert frozen.get(path).status_code == 200
    # Their account they look after all the same.
    assert frozen.delete("/api/v1/sessions").status_code != 403 or code(frozen.delete("/api/v1/sessions"))[1] != "account-frozen"
    decided("lift", town.seen.name)
    within_a_second(lambda: frozen.post("/api/v1/statuses", json={"status": "again"}).status_code == 200, "they may post")


def test_of_a_limited_person_only_followers_hear():
    town = Town()
    stranger = people.member("stranger")
    decided("limit", town.seen.name)
    everybody = lambda person: f'"{town.post["id"]}"' in person.http.get(town.places["tag"]).text  # noqa: E731
    within_a_second(lambda: not everybody(stranger), "strangers hear nothing")
    assert everybody(town.reader)
    assert ok(stranger.http.get(f"/api/v1/accounts/{town.seen.id}"))["limited"] is True
    assert ok(stranger.http.get(f"/api/v1/statuses/{town.post['id']}"))["account"]["limited"] is True
    decided("lift", town.seen.name)
    within_a_second(lambda: everybody(stranger), "everybody hears again")


def test_what_an_operator_says_wrongly_is_refused():
    assert dev("admin", "suspend", "nobody_at_all").returncode != 0
    for words in (("suspend",), ("freeze", "x", "--days", "0"), ("limit", "x", "--weeks", "1"), ("lift", "x", "--days", "1")):
        assert dev("admin", *words).returncode != 0
