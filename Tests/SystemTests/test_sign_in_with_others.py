# SPDX-License-Identifier: Apache-2.0
"""Signing in with what others say of somebody, through the gateway: only the right ones come in."""

import concurrent.futures
import hmac
import secrets
import time
import urllib.parse

import pytest

import issuers
import people
from pages import Browser
from waiting import eventually

needs_issuers = pytest.mark.skipif(
    not (issuers.PLACE and issuers.APPLE_KEY), reason="needs a Madang that asks the tests who people are (MADANG_TEST_ISSUER)"
)
pytestmark = needs_issuers


@pytest.fixture(scope="module")
def others():
    with issuers.Issuers() as stand:
        yield stand


def name():
    return "w" + secrets.token_hex(6)


def arrive(token, at="company", **more):
    return people.Api().post(f"/api/v1/sessions/{at}", json={"id_token": token, "device_name": "Phone", **more})


def finish(answer, username, at="company"):
    assert answer.status_code == 202, answer.text
    body = {"registration_token": answer.json()["registration_token"], "username": username, "agreement": True}
    return people.Api().post(f"/api/v1/sessions/{at}/account", json=body)


def join(others, username, at="company", **more):
    joined = finish(arrive(others.token(at, username), at, **more), username, at)
    assert joined.status_code == 200, joined.text
    return people.Api(joined.json()["access_token"])


def test_an_app_signs_up_and_in(others):
    who = name()
    api = join(others, who)
    assert api.get("/api/v1/accounts/verify_credentials").json()["username"] == who
    back = arrive(others.token("company", who))
    assert back.status_code == 200 and back.json()["refresh_token"]
    assert people.Api(back.json()["access_token"]).get("/api/v1/accounts/verify_credentials").json()["username"] == who
    [identity] = people.Api(back.json()["access_token"]).get("/api/v1/account/identities").json()
    assert identity["issuer"] == "company"
    named = {one["name"]: one["title"] for one in people.Api().get("/api/v1/issuers").json()}
    assert named["company"] == "회사" and {"apple", "kakao"} <= set(named)


def test_only_the_right_ones_come_in(others):
    who, now = name(), int(time.time())
    good, key = others.token("company", who), others.key("company")
    claims = others.claims("company", who)
    head, body, signature = good.split(".")
    shared = issuers.part({"alg": "HS256", "kid": key.name}) + "." + issuers.part(claims)
    forged = {
        "another app": others.token("company", who, aud="somebody"), "another issuer": others.token("company", who, iss="https://a.example"),
        "Kakao's": others.token("kakao", who), "over": others.token("company", who, iat=now - 900, exp=now - 300),
        "not yet": others.token("company", who, nbf=now + 300), "of nobody": others.token("company", who, sub=None),
        "a nonce that nobody made": others.token("company", who, nonce="a"), "an unknown key": issuers.Key("unknown").sign(claims),
        "a key of the same name": issuers.Key(key.name).sign(claims),
        "unsigned": issuers.part({"alg": "none"}) + "." + issuers.part(claims) + ".",
        "by the public key": f"{shared}.{issuers.part(hmac.digest(key.n.to_bytes(256, 'big'), shared.encode(), 'sha256'))}",
        "RS512": key.sign(claims, alg="RS512"), "with a demand": key.sign(claims, crit=["b64"], b64=False),
        "changed": f"{head}.{issuers.part(others.claims('company', 'ada'))}.{signature}", "cut": good[:-8], "nothing": "",
        "no text": "\0", "much": "a" * 20_000,
    }  # fmt: skip
    for what, token in forged.items():
        answer = arrive(token)
        assert answer.status_code in (400, 401, 422), f"{what}: {answer.status_code} {answer.text}"
    assert arrive(others.token("kakao", who), "google").status_code == 404
    assert arrive(good).status_code == 202
    again = arrive(good)
    assert again.status_code == 401 and again.json()["code"] == "issuer-token-refused"


def test_who_cannot_be_asked_keeps_nobody_waiting(others):
    for where in ("gone", "huge", "slow"):
        began = time.monotonic()
        answer = arrive(others.token(where, name()), where)
        assert answer.status_code == 503, f"{where}: {answer.status_code} {answer.text}"
        assert time.monotonic() - began < 25, where
    assert arrive(others.token("company", name())).status_code == 202


def test_new_keys_are_found(others):
    def comes_in():
        return arrive(others.token("turning", name()), "turning").status_code == 202

    assert comes_in()
    others.keys["turning"].append(issuers.Key("turning-" + secrets.token_hex(4)))
    # Each process of auth asks for itself, at most once a minute.
    eventually(lambda: all(comes_in() for _ in range(8)), "every process has asked for the new key", seconds=150)


def browse(others, browser, at, who, **more):
    """From the sign-in page to the answer of the issuer."""
    browser.open("/auth/sign_in?lang=en")
    assert f"/auth/with/{at}" in browser.response.text
    browser.open(f"/auth/with/{at}?lang=en")
    _, state, code = others.agree(browser.elsewhere, who)
    query = urllib.parse.urlencode({"state": state, "code": code, "lang": "en", **more})
    return f"/auth/with/{at}/callback?{query}"


def test_a_browser_signs_up_and_in(others):
    who, browser = name(), Browser(people.BASE_URL)
    browser.open(browse(others, browser, "kakao", who))
    assert "Choose a username" in browser.text, browser.text[:300]
    browser.submit(browser.form("agreement"), username=who)
    assert f"@{who}" in browser.text, browser.text[:300]
    # In from anywhere, and only whoever began.
    other, stranger = Browser(people.BASE_URL), Browser(people.BASE_URL)
    stranger.open("/auth/sign_in")
    back = browse(others, other, "kakao", who)
    stranger.open(back)
    assert stranger.response.status_code == 403
    other.open(back)
    assert f"@{who}" in other.text
    other.open(back)
    assert other.response.status_code == 403


def test_a_browser_keeps_the_last_way_in(others):
    who, browser = name(), Browser(people.BASE_URL)
    browser.open("/auth/identities?lang=en")
    assert "Kakao" in browser.text and "/auth/identities" not in browser.response.url.split("?")[0]
    browser.open(browse(others, browser, "kakao", who))
    browser.submit(browser.form("agreement"), username=who)
    # Whoever has just come in needs no other proof.
    browser.open("/auth/identities?lang=en")
    assert f"@{who}" in browser.text and "Unlink Kakao" in browser.text, browser.text[:300]
    assert "/auth/with/kakao?link=" in browser.response.text
    browser.submit(browser.form("form_token"))
    assert browser.response.status_code == 409 and "only way into your account" in browser.text


def test_a_code_of_another_is_worth_nothing(others):
    mine, theirs = Browser(people.BASE_URL), Browser(people.BASE_URL)
    first = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(browse(others, mine, "company", name())).query))
    second = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(browse(others, theirs, "company", name())).query))
    mine.open("/auth/with/company/callback?" + urllib.parse.urlencode({"state": first["state"], "code": second["code"]}))
    assert mine.response.status_code == 403


def proof(others, who, at="apple"):
    return {"proof": {"issuer": at, "id_token": others.token(at, who)}}


def test_apples_whole_life(others):
    who, browser = name(), Browser(people.BASE_URL)
    browser.open("/auth/with/apple?lang=en")
    _, state, code = others.agree(browser.elsewhere, who)
    # From Apple's page, without a cookie of ours, and with the name that it tells once.
    user = '{"name": {"firstName": "Ada", "lastName": "Lovelace"}, "email": "a@privaterelay.appleid.com"}'
    form = {"state": state, "code": code, "user": user}
    posted = people.Api().post("/auth/with/apple/callback", data=form, headers={"Origin": others.origin}, allow_redirects=False)
    assert posted.status_code == 303, posted.text
    # The browser is closed before a username is chosen; Apple tells no name any more, and it is there.
    browser.open(posted.headers["Location"])
    assert "Choose a username" in browser.text
    later = arrive(others.token("apple", who), "apple", authorization_code=others.code("apple", who))
    assert later.status_code == 202 and later.json()["name"] == "Ada Lovelace"
    joined = finish(later, who, "apple")
    api = people.Api(joined.json()["access_token"])
    [identity] = api.get("/api/v1/account/identities").json()
    path = f"/api/v1/account/identities/{identity['id']}"
    assert api.delete(path).json()["code"] == "proof-needed"
    refused = api.delete(path, json=proof(others, who))
    assert refused.status_code == 409 and refused.json()["code"] == "last-way-in"
    # Revoked at Apple: signed out everywhere, but no stranger.
    news = others.claims("apple", who, sub=None, email=None, email_verified=None, exp=None)
    news["events"] = f'{{"type": "consent-revoked", "sub": "{who}", "event_time": {int(time.time() * 1000)}}}'
    told = people.Api().post("/auth/with/apple/notifications", json={"payload": others.key("apple").sign(news)})
    assert told.status_code == 200, told.text
    eventually(lambda: api.get("/api/v1/accounts/verify_credentials").status_code == 401, "the session has ended")
    again = arrive(others.token("apple", who), "apple", authorization_code=others.code("apple", who))
    assert again.status_code == 200
    api = people.Api(again.json()["access_token"])
    assert api.get("/api/v1/accounts/verify_credentials").json()["username"] == who
    # With a password it may be unlinked, and is given back.
    password = f"correct horse {secrets.token_hex(8)}"
    people.known.append(people.Person(who, password, again.json()["access_token"]))
    assert api.post("/api/v1/accounts/change_password", json={"new_password": password, **proof(others, who)}).status_code == 200
    before = len(others.revoked)
    assert api.delete(path, json={"password": password}).status_code == 200
    eventually(lambda: len(others.revoked) > before, "what Apple gave is given back", seconds=60)
    assert people.Api().post("/api/v1/sessions", json={"username": who, "password": password}).status_code == 200


def test_many_first_sign_ins_make_one_account(others):
    who = name()
    tokens = [others.token("company", who) for _ in range(6)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        arrived = list(pool.map(arrive, tokens))
        assert {one.status_code for one in arrived} == {202}, [one.text for one in arrived]
        joined = list(pool.map(lambda pair: finish(pair[1], f"{who}{pair[0]}"), enumerate(arrived)))
    assert sorted(one.status_code for one in joined) == [200, 410, 410, 410, 410, 410], [one.text for one in joined]


def test_an_address_alone_takes_over_nothing(others, ada):
    stranger = arrive(others.token("company", name(), email=ada.email))
    assert stranger.status_code == 202 and stranger.json()["email_in_use"] is True
    joined = finish(stranger, name())
    mine = people.Api(joined.json()["access_token"]).get("/api/v1/accounts/verify_credentials").json()
    assert mine["id"] != ada.id


def test_buddy_buddy_signs_in_with_apple_and_kakao(others):
    for at, member in (("apple", "idToken"), ("kakao", "oauthToken")):
        who = name()

        def sign_in(token, at=at, member=member, who=who):
            return people.Api().post(f"/v1/users/login/{at}", json={member: token, "nickname": who, "deviceToken": who})

        first = sign_in(others.token(at, who))
        assert first.status_code == 200 and first.json()["nickname"], first.text
        second = sign_in(others.token(at, who))
        assert second.json()["user_id"] == first.json()["user_id"]
        wrong = sign_in(others.token(at, who, aud="somebody"))
        assert wrong.status_code == 401 and wrong.json()["errorCode"] == "E03", wrong.text
        assert second.json()["token"]["accessToken"] != first.json()["token"]["accessToken"]
