# SPDX-License-Identifier: Apache-2.0
"""The first minutes: found at once after signing up, and every address that is handed out read in a browser."""

import re

import pytest
import requests

import people
from pages import Browser

LANGUAGES = ["en", "ko", "ja"]


def browse(address, **headers):
    url = address if address.startswith("http") else people.BASE_URL + address
    return requests.get(url, headers={"Accept": "text/html", **headers}, timeout=30)


def expect_page(answer, status=200, language="en"):
    assert answer.status_code == status, answer.text[:300]
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f'<html lang="{language}">' in answer.text
    assert "<script" not in answer.text and "{{" not in answer.text
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'sha256-")


def test_who_has_signed_up_is_found_at_once(ada):
    missed = []
    for _ in range(25):
        person = people.member("quick")
        found = ada.http.get("/api/v1/accounts/search", params={"q": person.name}).json()
        if [account["username"] for account in found] != [person.name]:
            missed.append(("search", person.name))
        if ada.http.get("/api/v1/accounts/lookup", params={"acct": person.name}).status_code != 200:
            missed.append(("lookup", person.name))
        post = ada.http.post("/api/v1/statuses", data={"status": f"Hello @{person.name}"}).json()
        if [mention["username"] for mention in post["mentions"]] != [person.name]:
            missed.append(("mention", person.name))
    assert missed == []


def test_who_has_signed_up_on_the_page_is_shown_a_way_on(ada):
    browser, person = Browser(people.BASE_URL), people.stranger("page")
    browser.open("/")
    assert re.search(r'href="/auth/sign_up\?lang=en"', browser.response.text)
    browser.sign_up(person)
    assert browser.response.status_code == 200 and "Your account is ready" in browser.text
    assert people.BASE_URL.split("://")[1] in browser.text
    profile = re.search(r'href="(/@[a-z0-9_]+)\?lang=en"', browser.response.text).group(1)
    assert profile == f"/@{person.name}"
    expect_page(browse(profile))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_address_that_is_handed_out_answers_a_browser(ada, language):
    post = ada.http.post("/api/v1/statuses", data={"status": "Under the <tree> #마당"}).json()
    account = ada.http.get("/api/v1/accounts/verify_credentials").json()
    for address in [
        post["url"], post["uri"], account["url"], account["uri"], post["tags"][0]["url"], post["account"]["url"],
    ]:
        answer = browse(address, **{"Accept-Language": language})
        expect_page(answer, language=language)
        assert "Under the &lt;tree&gt;" in answer.text, address
        assert "<tree>" not in answer.text
        for name in ["og:title", "og:type", "og:url"]:
            assert f'<meta property="{name}"' in answer.text, address
        assert '<link rel="alternate"' in answer.text and '<link rel="canonical"' in answer.text


def test_the_head_of_every_page_can_be_asked_for_alone(ada):
    """Through the gateway and from the services alike: the head of the page, and no octet after it."""
    post = ada.http.post("/api/v1/statuses", data={"status": "Head #first"}).json()
    with requests.Session() as session:
        session.headers["Accept"] = "text/html"
        for address in [
            "/", "/rules", "/privacy-policy", "/auth/sign_in", "/auth/sign_up", f"/@{ada.name}", post["url"], "/tags/first",
            "/nowhere", "/@nobody_at_all", f"/@{ada.name}/1", "/oauth/authorize?client_id=x", "/api/v1/nowhere",
        ]:  # fmt: skip
            url = address if address.startswith("http") else people.BASE_URL + address
            page, head = session.get(url, timeout=30), session.head(url, timeout=30)
            assert head.status_code == page.status_code and head.content == b"", address
            assert head.headers["Content-Length"] == str(len(page.content)), address
            own = {"Date", "X-Request-Id", "Set-Cookie"}
            same = [{name: value for name, value in one.headers.items() if name not in own} for one in (page, head)]
            assert same[0] == same[1], address


def test_the_sign_before_a_name_may_be_escaped(ada):
    for tail in ["", "?lang=ja"]:
        plain, escaped = browse(f"/@{ada.name}{tail}"), browse(f"/%40{ada.name}{tail}")
        assert plain.status_code == escaped.status_code == 200 and plain.text == escaped.text


def test_what_is_not_for_everybody_is_on_no_page(ada):
    for visibility in ["private", "direct"]:
        post = ada.http.post("/api/v1/statuses", data={"status": "quiet", "visibility": visibility}).json()
        for session in [requests, ada.http.session]:
            answer = session.get(post["url"], headers={"Accept": "text/html"}, timeout=30)
            expect_page(answer, status=404)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_agree_to_can_be_read(language):
    instance = people.Api().get("/api/v2/instance").json()
    assert len(instance["rules"]) == 5 and all(rule["text"] for rule in instance["rules"])
    for address in ["/rules", instance["configuration"]["urls"]["privacy_policy"]]:
        expect_page(browse(address, **{"Accept-Language": language}), language=language)
    policy = people.Api().get("/api/v1/instance/privacy_policy", headers={"Accept-Language": language}).json()
    assert policy["content"].startswith("<h2>")


def test_a_lost_browser_is_told_in_its_language():
    expect_page(browse("/nowhere", **{"Accept-Language": "ja"}), status=404, language="ja")
    assert browse("/api/v1/nowhere").headers["Content-Type"].startswith("application/json")
    assert requests.get(people.BASE_URL + "/nowhere", timeout=30).json()["code"] == "not-found"
