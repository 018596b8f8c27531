# SPDX-License-Identifier: Apache-2.0
"""Signing up and in, as apps and people do it."""

import base64
import hashlib
import secrets
import urllib.parse

import mastodon
import pytest

import people
import recording
from pages import Browser
from waiting import eventually

CALLBACK = "http://127.0.0.1:9/callback"


def authorize_address(app, redirect_uri, **more):
    query = {
        "response_type": "code",
        "client_id": app["client_id"],
        "redirect_uri": redirect_uri,
        "scope": " ".join(people.SCOPES),
        **more,
    }
    return "/oauth/authorize?" + urllib.parse.urlencode(query)


def exchange(app, code, redirect_uri, **more):
    return people.Api().post(
        "/oauth/token",
        data={
            "grant_type": "authorization_code",
            "client_id": app["client_id"],
            "client_secret": app["client_secret"],
            "redirect_uri": redirect_uri,
            "code": code,
            **more,
        },
    )


def proof():
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return verifier, {"code_challenge": challenge, "code_challenge_method": "S256"}


def test_who_signed_up_through_the_api_can_post_at_once():
    person = people.member("ada")
    assert person.http.post("/api/v1/statuses", data={"status": "First"}).status_code == 200
    own = person.http.get("/api/v1/accounts/verify_credentials").json()
    assert own["username"] == own["acct"] == person.name


def test_mastodon_py_signs_up():
    person = people.stranger("py")
    client_id, client_secret = mastodon.Mastodon.create_app(
        "System tests", api_base_url=people.BASE_URL, session=recording.Session()
    )
    client = mastodon.Mastodon(
        client_id, client_secret, api_base_url=people.BASE_URL, session=recording.Session(), ratelimit_method="throw"
    )
    client.create_account(person.name, person.password, person.email, agreement=True)
    assert client.me().username == person.name


def test_sign_up_says_what_is_wrong():
    person = people.member("taken")
    form = {
        "username": person.name, "email": "other@example.com", "password": "a good password", "agreement": "true",
        "locale": "en",
    }
    answer = people.Api(people.app_token()).post("/api/v1/accounts", data=form)
    assert answer.status_code == 422
    assert answer.json()["details"]["username"][0]["error"] == "ERR_TAKEN"

    bad = {"username": "not a name", "email": "x", "password": "1", "agreement": "false"}
    answer = people.Api(people.app_token()).post("/api/v1/accounts", data={**form, **bad})
    assert answer.status_code == 422
    body = answer.json()
    assert body["error"] and body["status"] == 422
    assert set(bad) <= set(body["details"])
    assert {field["name"] for field in body["fields"]} >= set(bad)


@pytest.mark.parametrize("language", ["en", "ko", "ja"])
def test_sign_up_page_and_code_with_pkce(language):
    person = people.stranger("page")
    app = people.app(CALLBACK)
    browser = Browser(people.BASE_URL)
    browser.session.headers["Accept-Language"] = language
    browser.sign_up(person)
    assert browser.response.status_code < 400, browser.text[:300]

    verifier, challenge = proof()
    browser = Browser(people.BASE_URL)
    browser.session.headers["Accept-Language"] = language
    browser.authorize(authorize_address(app, CALLBACK, state="a state", **challenge), person)
    assert browser.elsewhere and browser.elsewhere.startswith(CALLBACK), browser.text[:300]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(browser.elsewhere).query)
    assert query["state"] == ["a state"]

    refused = exchange(app, browser.code, CALLBACK, code_verifier="x" * 43)
    assert refused.status_code == 400
    assert refused.json()["error"] == "invalid_grant"

    browser.authorize(authorize_address(app, CALLBACK, **challenge), person)
    answer = exchange(app, browser.code, CALLBACK, code_verifier=verifier)
    assert answer.status_code == 200, answer.text
    token = answer.json()
    assert token["token_type"] == "Bearer" and isinstance(token["created_at"], int)
    own = people.Api(token["access_token"]).get("/api/v1/accounts/verify_credentials")
    assert own.json()["username"] == person.name

    assert exchange(app, browser.code, CALLBACK, code_verifier=verifier).status_code == 400, "a code works once"


def test_mastodon_py_signs_in_out_of_band(ada):
    client_id, client_secret = mastodon.Mastodon.create_app(
        "System tests", api_base_url=people.BASE_URL, session=recording.Session()
    )
    client = mastodon.Mastodon(
        client_id, client_secret, api_base_url=people.BASE_URL, session=recording.Session(), ratelimit_method="throw"
    )
    address = client.auth_request_url(allow_http=True)
    browser = Browser(people.BASE_URL).authorize(address, ada)
    assert browser.code, browser.text[:300]
    client.log_in(code=browser.code, allow_http=True)
    assert client.me().username == ada.name
    assert client.account_verify_credentials().username == ada.name

    client.revoke_access_token(allow_http=True)
    assert people.Api(client.access_token or "x").get("/api/v1/accounts/verify_credentials").status_code == 401


def test_a_wrong_password_is_refused_with_the_page(ada):
    browser = Browser(people.BASE_URL)
    browser.open(authorize_address(people.app(), people.OUT_OF_BAND))
    wrong = people.Person(ada.name, "not the password")
    browser.sign_in(wrong)
    assert browser.response.status_code in (200, 401, 403, 422)
    assert not browser.code
    unknown = people.Person("nobody_" + secrets.token_hex(4), "not the password")
    text = browser.text
    browser.open(authorize_address(people.app(), people.OUT_OF_BAND))
    browser.sign_in(unknown)
    assert browser.text == text, "a page must not tell which accounts exist"


@pytest.mark.parametrize(
    "more",
    [
        {"redirect_uri": "https://elsewhere.example/"},
        {"redirect_uri": CALLBACK + "/more"},
        {"client_id": "unknown"},
        {"response_type": "token"},
        {"scope": "everything"},
        {"code_challenge": "x", "code_challenge_method": "S256"},
        {"code_challenge": "x" * 43, "code_challenge_method": "plain"},
    ],
)
def test_a_bad_authorization_request_reaches_no_code(ada, more):
    app = people.app(CALLBACK)
    browser = Browser(people.BASE_URL)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(authorize_address(app, CALLBACK)).query))
    query.update(more)
    browser.open("/oauth/authorize?" + urllib.parse.urlencode(query))
    if browser.elsewhere:
        assert browser.elsewhere.startswith(CALLBACK)
        assert "error=" in browser.elsewhere
    else:
        assert 400 <= browser.response.status_code < 500


def test_revoked_tokens_end_within_a_second():
    person = people.member("gone")
    assert person.http.get("/api/v1/accounts/verify_credentials").status_code == 200
    app = people.app()
    answer = people.Api().post(
        "/oauth/revoke",
        data={"client_id": app["client_id"], "client_secret": app["client_secret"], "token": person.token},
    )
    assert answer.status_code == 200
    eventually(
        lambda: person.http.get("/api/v1/accounts/verify_credentials").status_code == 401, "the token ends", seconds=2
    )
