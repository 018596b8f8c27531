# SPDX-License-Identifier: Apache-2.0
"""Every member of an answer, and what our tables call it, sent back changed with every write: what is nobody's to set is not set."""

import pytest

import people

# What tables and rules know and nobody may say.
INNER = {
    "account_id": "1", "author_id": "1", "owner_id": "1", "user_id": "1", "version": 99, "slot": 3, "deleted_at": "2020-01-01T00:00:00Z",
    "password_hash": "x", "hash": "x", "salt": "x", "email_verified": True, "confirmed": True, "admin": True, "is_admin": True, "moderator": True,
    "role": {"id": "1", "name": "Owner", "permissions": "65535"}, "roles": ["owner"], "suspended": True, "silenced": True, "verified": True,
    "principal": "forged", "scope_override": "admin", "first_party": True, "own": True, "rotates": False, "expires_at": "2999-01-01T00:00:00Z",
    "sequence": 1, "seq": 1, "subject_version": 9,
}  # fmt: skip


def changed(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 4711
    if isinstance(value, str):
        return str(int(value) + 4711) if value.isdigit() else value + "x"
    if isinstance(value, list):
        return [{"id": "4711", "name": "x"}]
    if isinstance(value, dict):
        return {name: changed(inner) for name, inner in value.items()}
    return "4711"


def everything(entity, may_be_set):
    """A body with every member changed but those that a person may set."""
    return {**INNER, **{name: changed(value) for name, value in entity.items() if name not in may_be_set}}


def same(before, after, apart_from):
    wrong = {name: (value, after.get(name)) for name, value in before.items() if name not in apart_from and after.get(name) != value}
    assert not wrong, wrong
    assert set(after) == set(before)


POST = {
    "status", "text", "content", "visibility", "sensitive", "spoiler_text", "language", "media_ids", "media_attributes", "poll", "in_reply_to_id",
    "scheduled_at", "quoted_status_id", "media_attachments", "edited_at",
}  # fmt: skip
PROFILE = {
    "avatar_description", "header_description", "display_name", "note", "locked", "bot", "discoverable", "indexable", "hide_collections", "fields", "fields_attributes", "source",
    "avatar", "header", "attribution_domains",
}  # fmt: skip


@pytest.fixture
def post(newcomer):
    return newcomer.http.post("/api/v1/statuses", json={"status": "As it is", "visibility": "public", "language": "en"}).json()


@pytest.mark.parametrize("form", ["json", "data"])
def test_a_new_post_is_what_it_would_have_been(newcomer, post, form):
    body = {**everything(post, POST), "status": "As it is", "visibility": "public", "language": "en"}
    if form == "data":
        body = {name: str(value) for name, value in body.items() if not isinstance(value, (list, dict))}
    answer = newcomer.http.post("/api/v1/statuses", **{form: body})
    assert answer.status_code == 200, answer.text
    made = answer.json()
    own = {"id", "uri", "url", "created_at", "account"}
    same(post, made, own)
    assert made["account"]["id"] == newcomer.id and int(made["id"]) > int(post["id"]) and made["id"] != body["id"]
    assert made["created_at"] >= post["created_at"] and made["created_at"] != body["created_at"]
    assert newcomer.http.get(f"/api/v1/statuses/{body['id']}").status_code == 404


def test_an_edit_changes_what_may_be_edited(newcomer, another, post):
    answer = newcomer.http.put(f"/api/v1/statuses/{post['id']}", json={**everything(post, POST), "status": "Another text"})
    assert answer.status_code == 200, answer.text
    now = newcomer.http.get(f"/api/v1/statuses/{post['id']}").json()
    same(post, now, POST)
    assert "Another text" in now["content"]
    # Nor by somebody who says that it is theirs.
    theirs = another.http.put(f"/api/v1/statuses/{post['id']}", json={"status": "Mine", "account_id": another.id, "author_id": another.id})
    assert theirs.status_code in (403, 404)


@pytest.mark.parametrize("verb", ["favourite", "bookmark", "reblog", "unfavourite", "mute", "pin"])
def test_a_mark_is_ones_own(newcomer, another, post, verb):
    body = {**INNER, **everything(post, set()), "account_id": newcomer.id, "account": {"id": newcomer.id}}
    body.pop("visibility")
    another.http.post(f"/api/v1/statuses/{post['id']}/{verb}", json=body)
    now = newcomer.http.get(f"/api/v1/statuses/{post['id']}").json()
    same(post, now, {"favourites_count", "reblogs_count"})
    assert now["favourites_count"] <= 1 and now["reblogs_count"] <= 1


def test_a_profile_is_changed_where_it_may_be(newcomer):
    before = newcomer.http.get("/api/v1/accounts/verify_credentials").json()
    answer = newcomer.http.patch(
        "/api/v1/accounts/update_credentials", json={**everything(before, PROFILE), "display_name": "Another name"}
    )
    assert answer.status_code == 200, answer.text
    now = newcomer.http.get("/api/v1/accounts/verify_credentials").json()
    same(before, now, PROFILE)
    # What cannot be is refused by name: never taken and dropped.
    for name, value in (("avatar", "x"), ("header", "x"), ("avatar_description", 151 * "x"), ("header_description", 151 * "x")):
        refused = newcomer.http.patch("/api/v1/accounts/update_credentials", json={name: value, "display_name": "Not this"})
        assert refused.status_code == 422 and [field["name"] for field in refused.json()["fields"]] == [name], refused.text
    assert now["display_name"] == "Another name" and now["username"] == newcomer.name


def test_a_relationship_is_ones_own(newcomer, another):
    before = newcomer.http.get("/api/v1/accounts/relationships", params={"id[]": another.id}).json()[0]
    body = {**everything(before, {"reblogs", "notify", "languages", "showing_reblogs", "notifying"}), "actor_id": another.id, "followed_by": True}
    answer = newcomer.http.post(f"/api/v1/accounts/{another.id}/follow", json=body)
    assert answer.status_code == 200, answer.text
    now = newcomer.http.get("/api/v1/accounts/relationships", params={"id[]": another.id}).json()[0]
    same(before, now, {"following", "showing_reblogs", "requested"})
    assert another.http.get("/api/v1/accounts/relationships", params={"id[]": newcomer.id}).json()[0]["following"] is False


def test_signing_up_makes_nobody_more_than_a_newcomer(another):
    person = people.stranger()
    whole = another.http.get("/api/v1/accounts/verify_credentials").json()
    body = {**everything(whole, {"locale", "username", "email"}), "id": another.id, "access_token": "x", "scope": "admin", "scopes": "admin"}
    body |= {"username": person.name, "email": person.email, "password": person.password, "agreement": True, "locale": "en"}
    answer = people.Api(people.app_token()).post("/api/v1/accounts", json=body)
    assert answer.status_code == 200, answer.text
    person.token = answer.json()["access_token"]
    assert set(answer.json()["scope"].split()) <= set(people.SCOPES)
    now = person.http.get("/api/v1/accounts/verify_credentials").json()
    assert now["id"] != another.id and now["username"] == person.name
    for name in ("followers_count", "following_count", "statuses_count", "bot", "locked"):
        assert not now[name], name
    assert set(now) == set(whole) and now.get("role") == whole.get("role")


def test_an_app_is_what_it_would_have_been():
    plain = {"client_name": "An app", "redirect_uris": people.OUT_OF_BAND, "scopes": "read"}
    before = people.Api().post("/api/v1/apps", json=plain).json()
    answer = people.Api().post("/api/v1/apps", json={**everything(before, {"website", "scopes", "redirect_uri", "redirect_uris"}), **plain})
    assert answer.status_code == 200, answer.text
    now = answer.json()
    same(before, now, {"id", "client_id", "client_secret"})
    assert not {now["client_id"], now["client_secret"]} & {before["client_id"] + "x", before["client_secret"] + "x", "x"}


def test_a_token_is_of_its_app_and_its_scopes():
    app = people.Api().post(
        "/api/v1/apps", json={"client_name": "An app", "redirect_uris": people.OUT_OF_BAND, "scopes": "read"}
    ).json()
    form = {"grant_type": "client_credentials", "client_id": app["client_id"], "client_secret": app["client_secret"]}
    answer = people.Api().post("/oauth/token", data={**form, **{name: str(value) for name, value in INNER.items()}, "scope": "read"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["scope"] == "read"
    # Of nobody's account.
    assert people.Api(answer.json()["access_token"]).get("/api/v1/accounts/verify_credentials").status_code in (401, 403, 422)
    assert people.Api().post("/oauth/token", data={**form, "scope": "read write"}).status_code == 400
