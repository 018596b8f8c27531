# SPDX-License-Identifier: Apache-2.0
"""Letters, from what causes them to the mailbox: by TLS, with a password, and none lost to a server that fails."""

import secrets
import time

import pytest
import requests

import letters
import people
from pages import Browser
from waiting import eventually

needs_mail = pytest.mark.skipif(not letters.is_there(), reason="needs a sink of mail (MADANG_TEST_MAIL)")
pytestmark = needs_mail

NEW = "seven quiet 고양이 drums"


@pytest.fixture(autouse=True)
def well():
    letters.fail()
    yield
    letters.fail()
    assert not letters.complaints(), letters.complaints()[:10]


@pytest.fixture
def somebody():
    return people.member("l" + secrets.token_hex(6))


def ask(email, **more):
    return people.Api().post("/api/v1/account/password_reset", json={"email": email}, **more)


def sign_in(person, password=None, **more):
    body = {"username": person.name, "password": password or person.password, "device_name": "전화 <1>", **more}
    return people.Api().post("/api/v1/sessions", json=body)


def resets(person):
    return [letter for letter in letters.to(person.email) if "/auth/password/reset" in letter.body()]


def wait_for_reset(person, number=1):
    return eventually(lambda: resets(person)[number - 1 :], f"letter {number} to {person.name}")[-1]


def set_password(address, password):
    browser = Browser(people.BASE_URL)
    browser.open(address)
    if browser.response.status_code == 200:
        browser.submit(browser.form("password"), password=password)
    return browser


def test_a_forgotten_password(somebody):
    session = sign_in(somebody).json()
    assert ask(somebody.email.upper()).json() == {}
    letter = wait_for_reset(somebody)
    assert letter.message["from"] == "마당 <no-reply@madang.example>"
    address = letters.link(letter)
    done = set_password(address, NEW)
    assert done.response.status_code == 200, done.text
    assert sign_in(somebody).status_code == 401
    assert sign_in(somebody, NEW).status_code == 200
    # Whoever was signed in is not any more, and its owner hears of it.
    api = people.Api(session["access_token"])
    eventually(lambda: api.get("/api/v1/accounts/verify_credentials").status_code == 401, "the end of the session")
    eventually(lambda: any("was changed" in one.subject for one in letters.to(somebody.email)), "the letter of the change")
    assert set_password(address, "once more 고양이 drums").response.status_code == 410


def test_the_newest_link_alone_counts(somebody):
    ask(somebody.email)
    first = letters.link(wait_for_reset(somebody))
    ask(somebody.email)
    second = letters.link(wait_for_reset(somebody, 2))
    assert first != second
    assert set_password(first, NEW).response.status_code == 410
    assert set_password(second, NEW).response.status_code == 200


def test_nobody_learns_who_has_an_account(somebody):
    known, unknown = ask(somebody.email), ask(f"{secrets.token_hex(8)}@example.com")
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (200, b"{}")
    times = {True: [], False: []}
    for number in range(40):
        email = f"{secrets.token_hex(8)}@example.com" if number % 2 else somebody.email
        began = time.monotonic()
        ask(email)
        times[email == somebody.email].append(time.monotonic() - began)
    fast, slow = sorted(min(some) for some in times.values())
    assert slow < 3 * fast + 0.01, times
    # However often somebody asks, few letters come.
    wait_for_reset(somebody)
    assert len(resets(somebody)) <= 5


def test_what_is_no_address_is_refused():
    for wrong in ("", "nobody", "a@b", "a b@example.com", "a@example.com\r\nBcc: b@example.com", "<a@example.com>", "가@example.com"):
        assert ask(wrong).status_code == 422, wrong
    assert people.Api().post("/api/v1/account/password_reset").status_code == 422


def test_a_new_device_is_told_once(somebody):
    known = sign_in(somebody).json()["device_token"]
    [letter] = eventually(lambda: letters.to(somebody.email), "a letter")
    assert "전화 <1>" in letter.body() and "전화 &lt;1&gt;" in letter.body("html")
    assert letter.message["auto-submitted"] == "auto-generated"
    sign_in(somebody, device_token=known)
    ask(somebody.email)
    wait_for_reset(somebody)
    assert len(letters.to(somebody.email)) == 2


def test_the_page_asks_and_only_its_own_form_counts(somebody):
    browser = Browser(people.BASE_URL)
    browser.open("/auth/sign_in?lang=en")
    assert "/auth/password/new" in browser.response.text
    browser.open("/auth/password/new?lang=ko")
    browser.submit(browser.form("email"), email=somebody.email)
    assert browser.response.status_code == 200
    assert ask(somebody.email).status_code == 200
    wait_for_reset(somebody)
    foreign = requests.post(people.BASE_URL + "/auth/password/new", data={"email": somebody.email, "form_token": "x"}, timeout=10)
    assert foreign.status_code == 403


@pytest.mark.parametrize("fault", ["busy", "later", "cut", "lost"])
def test_a_server_that_fails_gets_the_letter_again(somebody, fault):
    before = len(letters.told())
    letters.fail(**{fault: 1})
    ask(somebody.email)
    eventually(lambda: any(one["end"] == fault for one in letters.told()[before:]), f"a server that is {fault}")
    if fault != "lost":
        assert not resets(somebody)
    letters.fail()
    letter = wait_for_reset(somebody, 2 if fault == "lost" else 1)
    # Whatever came twice is one letter.
    assert len({(one.id, one.raw) for one in resets(somebody)}) == 1
    assert set_password(letters.link(letter), NEW).response.status_code == 200


def test_a_letter_that_is_refused_is_not_sent_again(somebody):
    other = people.member("l" + secrets.token_hex(6))
    letters.fail({somebody.email: "550 5.1.1 nobody of this name"})
    ask(somebody.email)
    eventually(lambda: any(one["recipient"] == somebody.email for one in letters.told()), "a refusal")
    letters.fail()
    for number in (1, 2, 3):
        ask(other.email)
        wait_for_reset(other, number)
    assert not resets(somebody)
    assert [one["end"] for one in letters.told() if one["recipient"] == somebody.email] == ["refused"]


def test_confirming_is_not_asked_for(somebody):
    """The operator of this one has not turned it on."""
    assert somebody.http.get("/api/v1/emails/check_confirmation").json() is True
    assert somebody.http.post("/api/v1/emails/confirmations").status_code == 403
    for path in ("/auth/confirm", "/auth/confirm?token=" + "a" * 43, "/auth/password/reset?token=%00", "/auth/password/reset?token[]=x"):
        assert requests.get(people.BASE_URL + path, timeout=10).status_code in (400, 410), path
