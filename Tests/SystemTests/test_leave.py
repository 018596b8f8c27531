# SPDX-License-Identifier: Apache-2.0
"""Somebody deletes their account, comes back, leaves again, and is gone everywhere."""

import pytest

import issuers
import people
import test_operating
from people import Api
from test_sign_in_with_others import arrive, finish, name, needs_issuers
from waiting import eventually


@pytest.fixture
def stand():
    with issuers.Issuers() as running:
        yield running


@needs_issuers
def test_what_apple_gave_is_given_back_before_the_account_goes(stand):
    who = name()
    joined = finish(arrive(stand.token("apple", who), "apple"), who, "apple")
    assert joined.status_code == 200, joined.text
    own = Api(joined.json()["access_token"])
    # Nothing was kept when they came; the code that the app brings now is enough.
    proof = {"issuer": "apple", "id_token": stand.token("apple", who), "authorization_code": stand.code("apple", who)}
    assert own.delete("/api/v1/account", json={"proof": proof}).status_code == 200
    assert stand.revoked == []
    done = test_operating.dev("admin", "delete", who)
    assert done.returncode == 0, done.stdout + done.stderr
    eventually(lambda: len(stand.revoked) == 1, "the token being given back", 60)
    eventually(lambda: Api().get(f"/api/v1/accounts/lookup?acct={who}").status_code == 404, "the account being gone", 60)


def signed_in(person):
    """As the own app signs in, which alone may delete an account."""
    answer = Api().post("/api/v1/sessions", json={"username": person.name, "password": person.password})
    return answer, Api(answer.json().get("access_token"))


def test_who_leaves_may_come_back_and_is_gone_in_the_end():
    leaver, friend = people.member("leaver"), people.member("friend")
    post = leaver.http.post("/api/v1/statuses", data={"status": "something of mine"}).json()
    answer = friend.http.post("/api/v1/statuses", data={"status": "an answer", "in_reply_to_id": post["id"]}).json()
    friend.http.post(f"/api/v1/accounts/{leaver.id}/follow")
    playground = friend.http.post("/api/v1/playgrounds", json={"name": f"of {friend.name}", "open": True}).json()
    leaver.http.post(f"/api/v1/playgrounds/{playground['id']}/join")
    room = playground["default_channel_id"]
    said = leaver.http.post(f"/api/v1/channels/{room}/messages", json={"text": "said by who leaves"}).json()

    # An app that was let in may not, and the password is asked for once more.
    assert leaver.http.delete("/api/v1/account", json={"password": leaver.password}).status_code == 403
    _, own = signed_in(leaver)
    assert own.delete("/api/v1/account").status_code == 403
    assert own.delete("/api/v1/account", json={"password": "wrong"}).status_code == 401
    left = own.delete("/api/v1/account", json={"password": leaver.password})
    assert left.status_code == 200, left.text
    eventually(lambda: leaver.http.get("/api/v1/accounts/verify_credentials").status_code == 401, "every app being signed out")

    # Signing in keeps the account, and says so; everything is there.
    back, own = signed_in(leaver)
    assert back.json()["deletion_stopped"] is True, back.text
    assert own.get(f"/api/v1/statuses/{post['id']}").status_code == 200

    # The operator does not wait.
    done = test_operating.dev("admin", "delete", leaver.name)
    assert done.returncode == 0, done.stdout + done.stderr
    eventually(lambda: Api().get(f"/api/v1/statuses/{post['id']}").status_code == 404, "the post being gone", 60)
    eventually(lambda: Api().get(f"/api/v1/accounts/{leaver.id}").status_code == 404, "the account being gone", 60)
    assert signed_in(leaver)[0].status_code == 401

    # What others wrote stays, with a tombstone where somebody was.
    assert friend.http.get(f"/api/v1/statuses/{answer['id']}").json()["in_reply_to_id"] == post["id"]

    def tombstone():
        found = friend.http.get(f"/api/v1/channels/{room}/messages").json()
        shown = next((one for one in found if one["id"] == said["id"]), None)
        return shown if shown and not shown["text"] and shown["account"]["id"] == "0" else None

    eventually(tombstone, "the message being a tombstone of nobody", 60)
    assert eventually(lambda: friend.http.get("/api/v1/accounts/verify_credentials").json()["following_count"] == 0, "the follow being gone", 60)

    # Nobody else is given the name.
    again = Api(people.app_token()).post(
        "/api/v1/accounts",
        data={"username": leaver.name, "email": f"again_{leaver.email}", "password": leaver.password, "agreement": "true", "locale": "en"},
    )
    assert again.status_code == 422, again.text
