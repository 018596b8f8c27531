# SPDX-License-Identifier: Apache-2.0
"""Pictures of profiles as clients set, see and take them away."""

import io
import secrets

import pytest
import requests

import people
from chatting import Yard
from pictures import SECRET, picture, size
from test_operating import dev
from waiting import eventually


def account(person):
    return person.http.get("/api/v1/accounts/verify_credentials").json()


def shown(person, member):
    """The picture once it is one of the person's own."""
    eventually(lambda: "/media/" in account(person)[member], "the picture being shown", seconds=60)
    return account(person)[member]


def test_a_client_sets_both(newcomer, another):
    sent = io.BytesIO(picture(1200, 700, (200, 40, 90))), io.BytesIO(picture(1800, 900, (20, 40, 190)))
    newcomer.client.account_update_credentials(
        display_name="Somebody", avatar=sent[0], avatar_mime_type="image/png", header=sent[1], header_mime_type="image/png"
    )
    avatar, header = shown(newcomer, "avatar"), shown(newcomer, "header")
    newcomer.http.patch("/api/v1/accounts/update_credentials", json={"avatar_description": "저예요", "header_description": "A wall"})
    assert account(newcomer)["display_name"] == "Somebody"
    for url, expected in ((avatar, (400, 400)), (header, (1500, 500))):
        served = requests.get(url, timeout=30)
        assert served.status_code == 200 and size(served.content) == expected
        assert SECRET not in served.content and "public" in served.headers["Cache-Control"]
    # Everybody sees it, wherever there is a person.
    seen = another.http.get(f"/api/v1/accounts/{newcomer.id}").json()
    assert (seen["avatar"], seen["avatar_static"], seen["header"], seen["header_static"]) == (avatar, avatar, header, header)
    assert (seen["avatar_description"], seen["header_description"]) == ("저예요", "A wall")
    status = newcomer.client.status_post("Look at me")
    assert status.account.avatar == avatar
    another.client.account_follow(newcomer.id)
    eventually(
        lambda: [n.account.avatar for n in newcomer.client.notifications() if n.type == "follow"] != [], "the notification"
    )
    newcomer.client.account_follow(another.id)
    eventually(
        lambda: avatar in [n.account.avatar for n in another.client.notifications() if n.type == "follow"], "the notification"
    )
    page = requests.get(f"{seen['url']}", headers={"Accept": "text/html"}, timeout=30)
    assert page.status_code == 200 and avatar in page.text


def test_another_one_replaces_it_and_none_takes_it_away(newcomer):
    first = newcomer.http.patch(
        "/api/v1/accounts/update_credentials", files={"avatar": ("a.png", picture(500, 500, (1, 2, 3)), "image/png")}
    )
    assert first.status_code == 200, first.text
    before = shown(newcomer, "avatar")
    newcomer.http.patch(
        "/api/v1/accounts/update_credentials", files={"avatar": ("b.png", picture(500, 500, (250, 2, 3)), "image/png")}
    )
    eventually(lambda: account(newcomer)["avatar"] != before, "the other picture", seconds=60)
    # A form in which nothing was chosen changes nothing.
    unchosen = newcomer.http.patch(
        "/api/v1/accounts/update_credentials", data={"note": "hello"}, files={"avatar": ("", b"", "application/octet-stream")}
    )
    assert unchosen.status_code == 200 and unchosen.json()["source"]["note"] == "hello", unchosen.text
    assert "/media/" in unchosen.json()["avatar"]
    gone = newcomer.http.delete("/api/v1/profile/avatar")
    assert gone.status_code == 200 and gone.json()["avatar"].endswith("/assets/avatar.png"), gone.text
    assert newcomer.http.delete("/api/v1/profile/header").status_code == 200


@pytest.mark.parametrize("content", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"MZ", picture(64, 64, (1, 2, 3))[:60]])
def test_what_is_no_picture_changes_nothing(newcomer, content):
    answer = newcomer.http.patch(
        "/api/v1/accounts/update_credentials", data={"display_name": "Not this"}, files={"header": ("a.jpg", content, "image/jpeg")}
    )
    assert answer.status_code == 422 and [field["name"] for field in answer.json()["fields"]] == ["header"], answer.text
    assert account(newcomer)["display_name"] != "Not this"


def test_an_upload_may_be_ones_picture(ada, newcomer):
    taken = newcomer.http.post(
        "/api/v1/media", data={"purpose": "avatar"}, files={"file": ("a.png", picture(300, 300, (9, 9, 9)), "image/png")}
    ).json()["id"]
    refused = ada.http.patch("/api/v1/accounts/update_credentials", json={"avatar": taken})
    assert "/media/" not in account(ada)["avatar"] and refused.status_code in (200, 422)
    eventually(lambda: newcomer.http.get(f"/api/v1/media/{taken}").status_code == 200, "the upload", seconds=60)
    assert ada.http.patch("/api/v1/accounts/update_credentials", json={"avatar": taken}).status_code == 422
    assert newcomer.http.patch("/api/v1/accounts/update_credentials", json={"avatar": taken}).status_code == 200
    shown(newcomer, "avatar")
    # What a profile shows is not deleted under it.
    used = f"SELECT 1 FROM uses WHERE upload_id = {taken}"
    eventually(lambda: dev("psql", "media", "-qAtc", used).stdout == "1\n", "media hearing of the profile")
    assert newcomer.http.delete(f"/api/v1/media/{taken}").status_code == 422


def test_somebody_signs_up_with_a_picture():
    app = requests.post(
        f"{people.BASE_URL}/api/v1/apps",
        json={"client_name": "an app", "redirect_uris": people.OUT_OF_BAND, "scopes": "read write"},
        timeout=30,
    ).json()
    token = requests.post(
        f"{people.BASE_URL}/oauth/token",
        json={"grant_type": "client_credentials", "client_id": app["client_id"], "client_secret": app["client_secret"], "scope": "read write"},
        timeout=30,
    ).json()["access_token"]
    somebody = people.Person("pic" + secrets.token_hex(4), secrets.token_hex(12))
    answer = requests.post(
        f"{people.BASE_URL}/api/v1/accounts",
        headers={"Authorization": f"Bearer {token}"},
        data={"username": somebody.name, "email": somebody.email, "password": somebody.password, "agreement": "true", "locale": "ko"},
        files={"avatar": ("me.png", picture(640, 480, (7, 80, 7)), "image/png")},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    somebody.token = answer.json()["access_token"]
    served = requests.get(shown(somebody, "avatar"), timeout=30)
    assert size(served.content) == (400, 400) and SECRET not in served.content
    # The picture is theirs, as any other upload.
    assert account(somebody)["header"].endswith("/assets/header.png")


def test_people_in_chat_have_their_pictures(newcomer, another):
    newcomer.http.patch(
        "/api/v1/accounts/update_credentials", files={"avatar": ("a.png", picture(300, 300, (90, 9, 9)), "image/png")}
    )
    avatar = shown(newcomer, "avatar")
    place = Yard.playground(newcomer, another)
    channel = Yard.channel(place, newcomer, another)
    eventually(lambda: Yard.say(newcomer, channel, "hello")["account"]["avatar"] == avatar, "chat hearing of the picture")
    assert Yard.history(another, channel)[0]["account"]["avatar"] == avatar
    members = another.http.get(f"/api/v1/channels/{channel['id']}/members").json()
    assert avatar in [member.get("account", member)["avatar"] for member in members]
    direct = Yard.direct(another, newcomer)
    assert avatar in [member["avatar"] for member in direct["members"]]
