# SPDX-License-Identifier: Apache-2.0
"""Buddy Buddy's story: what the app asks for, in its order and its words, of a running Madang."""

import secrets
import threading

import pytest
import requests

import people
from pictures import SECRET, picture, size
from waiting import eventually

PERSON = {"user_id", "email", "nickname", "profileImage"}
SELF = PERSON | {"phone", "provider", "sesacCoin", "createdAt"}
WORKSPACE = {"workspace_id", "name", "description", "coverImage", "owner_id", "createdAt"}
CHANNEL = {"channel_id", "name", "description", "coverImage", "owner_id", "createdAt"}
CHAT = {"channel_id", "channelName", "chat_id", "content", "createdAt", "files", "user"}
DM = {"dm_id", "room_id", "content", "createdAt", "files", "user"}


class App:
    """One phone: the tokens of its keychain, and the rule by which the app refreshes them."""

    def __init__(self):
        self.session = requests.Session()
        self.access = ""
        self.refreshing = ""
        self.refreshes = 0

    def raw(self, method, path, **options):
        headers = {"SesacKey": "a key", "Authorization": self.access}
        headers.update(options.pop("headers", {}))
        return self.session.request(
            method, people.BASE_URL + "/v1" + path, headers=headers, timeout=30, **options
        )

    def call(self, method, path, **options):
        """Every 400 makes the app refresh and ask again, as often as it takes."""
        for _ in range(3):
            answer = self.raw(method, path, **options)
            if answer.status_code != 400:
                return answer
            assert self.refresh().status_code == 200
        raise AssertionError(f"{method} {path} is never done: {answer.text}")

    def get(self, path, **parameters):
        return self.good("GET", path, params=parameters)

    def good(self, method, path, **options):
        answer = self.call(method, path, **options)
        assert answer.status_code == 200, (method, path, answer.status_code, answer.text)
        return answer.json()

    def refresh(self):
        answer = self.raw("GET", "/auth/refresh", headers={"RefreshToken": self.refreshing})
        if answer.status_code == 200:
            assert set(answer.json()) == {"accessToken"}
            self.access = answer.json()["accessToken"]
            self.refreshes += 1
        return answer

    def keep(self, signed_in):
        assert set(signed_in) == SELF | {"token"}
        self.me = signed_in["user_id"]
        self.access = signed_in["token"]["accessToken"]
        self.refreshing = signed_in["token"]["refreshToken"]

    def say(self, path, content):
        """A multipart form, as the app sends it even without pictures."""
        return self.good("POST", path, files={"content": (None, content)})


def joined(nickname):
    app = App()
    app.email = f"{secrets.token_hex(6)}@example.com"
    app.password = "Sesac!" + secrets.token_hex(6)
    answer = app.raw(
        "POST",
        "/users/join",
        json={"email": app.email, "password": app.password, "nickname": nickname, "phone": "010-1234-5678"},
    )
    assert answer.status_code == 200, answer.text
    app.keep(answer.json())
    return app


def code(answer):
    return answer.status_code, answer.json()["errorCode"]


@pytest.fixture(scope="module")
def mina():
    return joined("미나")


@pytest.fixture(scope="module")
def jun():
    return joined("Jun")


@pytest.fixture(scope="module")
def workspace(mina, jun):
    """Mina's, and Jun came in by a code: the one step for which the app has no screen."""
    made = mina.good("POST", "/workspaces", files={"name": (None, "언어 교환"), "description": (None, "ko ↔ en")})
    assert set(made) == WORKSPACE and made["owner_id"] == mina.me
    invite = mina.session.post(
        f"{people.BASE_URL}/api/v1/playgrounds/{made['workspace_id']}/invites",
        headers={"Authorization": "Bearer " + mina.access},
        json={"max_uses": 1},
        timeout=30,
    )
    assert invite.status_code in (200, 201), invite.text
    accepted = jun.session.post(
        f"{people.BASE_URL}/api/v1/invites/{invite.json()['code']}/accept",
        headers={"Authorization": "Bearer " + jun.access},
        timeout=30,
    )
    assert accepted.status_code in (200, 201), accepted.text
    return made["workspace_id"]


def test_joining_and_signing_in(mina):
    again = App()
    wrong = again.raw("POST", "/users/login", json={"email": mina.email, "password": "not it at all"})
    assert code(wrong) == (401, "E03")
    taken = again.raw("POST", "/users/validation/email", json={"email": mina.email})
    assert code(taken) == (409, "E12")
    free = again.raw("POST", "/users/validation/email", json={"email": "x" + mina.email})
    assert free.status_code == 200
    answer = again.raw("POST", "/users/login", json={"email": mina.email, "password": mina.password})
    assert answer.status_code == 200
    again.keep(answer.json())
    assert again.me == mina.me and answer.json()["email"] == mina.email
    eventually(lambda: again.get("/users/me")["nickname"] == "미나", "the nickname")
    assert set(again.get("/users/me")) == SELF
    assert again.raw("POST", "/users/deviceToken", json={"deviceToken": "d"}).json() == {"registered": True}
    assert code(again.raw("POST", "/users/login/apple", json={"idToken": "x"})) == (401, "E03")
    # Signing out ends the token and the refresh token of this phone, and of no other.
    assert again.raw("GET", "/users/logout").status_code == 200
    eventually(lambda: again.raw("GET", "/users/me").status_code == 400, "the end of the token")
    assert code(again.refresh()) == (400, "E06")
    assert mina.get("/users/me")["user_id"] == mina.me


def test_refreshing_keeps_the_refresh_token(mina):
    before = mina.refreshes
    mina.access = "x" * 43
    assert code(mina.raw("GET", "/workspaces/")) == (400, "E05")
    mina.get("/workspaces/")
    assert mina.refreshes == before + 1
    # The app refreshes once for every request that failed, all with the same token.
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(mina.refresh())) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 5
    for answer in answers:
        mina.access = answer.json()["accessToken"]
        assert mina.raw("GET", "/workspaces").status_code == 200


def test_workspaces_and_channels(mina, jun, workspace):
    assert workspace in [place["workspace_id"] for place in jun.get("/workspaces/")]
    shown = jun.get(f"/workspaces/{workspace}")
    assert set(shown) == WORKSPACE | {"channels", "workspaceMembers"}
    assert {member["user_id"] for member in shown["workspaceMembers"]} == {mina.me, jun.me} and shown["channels"]
    members = mina.get(f"/workspaces/{workspace}/members")
    assert {member["user_id"] for member in members} == {mina.me, jun.me}
    assert all(set(member) == PERSON and member["email"] == "" for member in members)
    made = mina.good("POST", f"/workspaces/{workspace}/channels", json={"name": "질문", "description": "무엇이든"})
    assert set(made) == CHANNEL
    channels = f"/workspaces/{workspace}/channels"
    assert made["channel_id"] not in [c["channel_id"] for c in jun.get(f"/workspaces/{workspace}/my-channels")]

    def found(keyword):
        found = jun.get(f"/workspaces/{workspace}/search", keyword=keyword)
        assert set(found) == WORKSPACE | {"channels", "workspaceMembers"}
        return found

    # By its whole name at once, by its beginning as soon as the index knows of it.
    assert [channel["name"] for channel in found("질문")["channels"]] == ["질문"]
    eventually(lambda: [channel["name"] for channel in found("질")["channels"]] == ["질문"], "the channel is found")
    eventually(lambda: [member["user_id"] for member in found("jun")["workspaceMembers"]] == [jun.me], "the member is found")
    # Opening it joins it.
    assert jun.get(f"{channels}/{made['channel_id']}/chats", cursor_date="") == []
    shown = jun.get(f"{channels}/{made['channel_id']}")
    assert set(shown) == CHANNEL | {"channelMembers"} and len(shown["channelMembers"]) == 2
    # Only the owner may do everything; the owner stays until somebody else is it.
    assert code(jun.raw("DELETE", f"{channels}/{made['channel_id']}")) == (403, "E14")
    assert code(mina.raw("GET", f"/workspaces/{workspace}/exit")) == (409, "E15")
    given = mina.good("PUT", f"{channels}/{made['channel_id']}/transfer/ownership", json={"owner_id": jun.me})
    assert given["owner_id"] == jun.me
    left = mina.get(f"{channels}/{made['channel_id']}/exit")
    assert made["channel_id"] not in [channel["channel_id"] for channel in left]
    assert jun.call("DELETE", f"{channels}/{made['channel_id']}").status_code == 200


def test_chat(mina, jun, workspace):
    made = mina.good("POST", f"/workspaces/{workspace}/channels", json={"name": "chat", "description": None})
    path = f"/workspaces/{workspace}/channels/{made['channel_id']}"
    assert jun.get(f"{path}/chats", cursor_date="") == []
    first = mina.say(f"{path}/chats", "안녕하세요 👋")
    assert set(first) == CHAT and first["content"] == "안녕하세요 👋" and first["channelName"] == "chat"
    assert first["user"]["user_id"] == mina.me and first["user"]["email"] == ""
    assert jun.get(f"{path}/unreads") == {"channel_id": made["channel_id"], "name": "chat", "count": 1}
    sent = [mina.say(f"{path}/chats", f"message {number}") for number in range(3)]
    history = jun.get(f"{path}/chats", cursor_date="")
    assert [chat["chat_id"] for chat in history] == [chat["chat_id"] for chat in [first, *sent]]
    newer = jun.get(f"{path}/chats", cursor_date=sent[0]["createdAt"])
    assert [chat["chat_id"] for chat in newer][-2:] == [chat["chat_id"] for chat in sent[1:]]
    assert first["chat_id"] not in [chat["chat_id"] for chat in newer]
    assert jun.get(f"{path}/unreads", after=first["createdAt"])["count"] >= 3
    damaged = mina.raw("POST", f"{path}/chats", files={"files": ("file1.jpg", b"JPEG" * 50_000, "image/jpeg")})
    assert code(damaged) == (422, "E11")
    stranger = joined("stranger")
    assert stranger.raw("GET", f"{path}/chats").status_code in (403, 404)
    assert stranger.raw("POST", f"{path}/chats", files={"content": (None, "hi")}).status_code in (403, 404)


def test_pictures_in_messages(mina, jun, workspace):
    made = mina.good("POST", f"/workspaces/{workspace}/channels", json={"name": "pictures", "description": None})
    path = f"/workspaces/{workspace}/channels/{made['channel_id']}"
    assert jun.get(f"{path}/chats", cursor_date="") == []
    pictures = [picture(900, 600, (200, 10, 10)), picture(300, 300, (10, 200, 10))]
    sent = mina.good(
        "POST",
        f"{path}/chats",
        files=[("content", (None, "보세요")), *[("files", (f"file{n}.jpg", p, "image/jpeg")) for n, p in enumerate(pictures)]],
    )
    assert sent["content"] == "보세요" and len(sent["files"]) == 2
    assert jun.get(f"{path}/chats", cursor_date="")[-1]["files"] == sent["files"]
    for file, expected in zip(sent["files"], [(900, 600), (300, 300)]):
        eventually(lambda: jun.raw("GET", file).status_code == 200, "the picture being ready", seconds=60)
        shown = jun.raw("GET", file)
        assert size(shown.content) == expected and SECRET not in shown.content
        assert shown.headers["Content-Type"] == "image/jpeg" and "private" in shown.headers["Cache-Control"]
        again = jun.raw("GET", file, headers={"If-None-Match": shown.headers["ETag"]})
        assert again.status_code == 304 and not again.content
        # The app sends whatever token it has at hand.
        for token in (jun.refreshing, "Bearer " + jun.access):
            assert jun.raw("GET", file, headers={"Authorization": token}).content == shown.content
        stranger = joined("a stranger")
        for token in (stranger.access, stranger.refreshing):
            assert code(jun.raw("GET", file, headers={"Authorization": token})) == (404, "E13")
        assert code(jun.raw("GET", file, headers={"Authorization": "nothing"})) == (400, "E05")
        assert code(jun.raw("GET", file, headers={"Authorization": None})) == (400, "E05")
    six = [("files", (f"file{n}.jpg", pictures[1], "image/jpeg")) for n in range(6)]
    assert code(mina.raw("POST", f"{path}/chats", files=six)) == (422, "E11")


def test_covers_and_profiles_have_pictures(mina, jun, workspace):
    cover = ("cover.jpg", picture(800, 400, (1, 2, 200)), "image/jpeg")
    before = mina.get(f"/workspaces/{workspace}")["coverImage"]
    changed = mina.good("PUT", f"/workspaces/{workspace}", files={"name": (None, "언어 교환"), "image": cover})
    assert changed["coverImage"] != before and jun.get(f"/workspaces/{workspace}")["coverImage"] == changed["coverImage"]
    shown = jun.raw("GET", changed["coverImage"])
    assert shown.status_code == 200 and size(shown.content) == (800, 400) and SECRET not in shown.content
    face = ("me.jpg", picture(500, 900, (1, 200, 2)), "image/jpeg")
    assert mina.good("PUT", "/users/me/image", files={"image": face})["user_id"] == mina.me
    eventually(lambda: "/media/" in mina.get("/users/me")["profileImage"], "the picture being shown", seconds=60)
    image = mina.get("/users/me")["profileImage"]
    assert jun.get(f"/users/{mina.me}")["profileImage"] == image
    assert size(jun.raw("GET", image).content) == (400, 400)
    made = mina.good("POST", f"/workspaces/{workspace}/channels", json={"name": "faces", "description": None})
    said = mina.say(f"/workspaces/{workspace}/channels/{made['channel_id']}/chats", "hello")
    eventually(
        lambda: mina.say(f"/workspaces/{workspace}/channels/{made['channel_id']}/chats", "hi")["user"]["profileImage"] == image,
        "chat hearing of the picture",
    )
    assert said["user"]["user_id"] == mina.me


def test_direct_messages(mina, jun, workspace):
    path = f"/workspaces/{workspace}/dms"
    room = mina.good("POST", path, json={"opponent_id": jun.me})
    assert set(room) == {"room_id", "createdAt", "user"} and room["user"]["user_id"] == jun.me
    assert mina.good("POST", path, json={"opponent_id": jun.me})["room_id"] == room["room_id"]
    chats = f"{path}/{room['room_id']}/chats"
    sent = mina.say(chats, "hello")
    assert set(sent) == DM and sent["room_id"] == room["room_id"]
    theirs = [other for other in jun.get(path) if other["room_id"] == room["room_id"]]
    assert len(theirs) == 1 and theirs[0]["user"]["user_id"] == mina.me
    assert jun.get(f"{path}/{room['room_id']}/unreads") == {"room_id": room["room_id"], "count": 1}
    answer = jun.say(chats, "hi!")
    assert [dm["dm_id"] for dm in mina.get(chats, cursor_date="")] == [sent["dm_id"], answer["dm_id"]]


def test_errors_never_make_the_app_ask_again(mina, workspace):
    """Only E05 and E06 have the status at which the app refreshes."""
    for method, path, options in [
        ("GET", "/workspaces/1", {}),
        ("GET", "/workspaces/x", {}),
        ("GET", f"/workspaces/{workspace}/channels/1/chats", {}),
        ("POST", f"/workspaces/{workspace}/channels", {"json": {}}),
        ("POST", f"/workspaces/{workspace}/channels", {"data": b"{"}),
        ("POST", f"/workspaces/{workspace}/dms", {"json": {"opponent_id": "x"}}),
        ("PATCH", "/workspaces", {}),
        ("GET", "/users/1", {}),
        ("GET", "/users/1/unknown", {}),
        ("GET", "/store/items", {}),
        ("GET", "", {}),
        ("POST", "/users/join", {"json": {"email": "x"}}),
        ("POST", f"/workspaces/{workspace}/members", {"json": {"email": "a@example.com"}}),
    ]:
        answer = mina.raw(method, path, **options)
        assert 401 <= answer.status_code < 500, (method, path, answer.text)
        assert answer.json()["errorCode"].startswith("E")
        # Korean, unless the phone wants another language.
        assert any("가" <= letter <= "힣" for letter in answer.json()["message"]), answer.text


def test_leaving_and_deleting(mina, jun, workspace):
    assert workspace not in [place["workspace_id"] for place in jun.get(f"/workspaces/{workspace}/exit")]
    assert jun.raw("GET", f"/workspaces/{workspace}/my-channels").status_code in (403, 404)
    assert mina.call("DELETE", f"/workspaces/{workspace}").status_code == 200
    assert workspace not in [place["workspace_id"] for place in mina.get("/workspaces")]
