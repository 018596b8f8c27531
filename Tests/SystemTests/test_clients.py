# SPDX-License-Identifier: Apache-2.0
"""What real clients do, each trap a test."""

import calendar
import json
import re
import time
import urllib.parse

import pytest
import websocket

import people
import recording
from waiting import eventually

APP = {"client_name": "A client", "redirect_uris": people.OUT_OF_BAND, "scopes": "read write follow push"}


@pytest.mark.parametrize("how", ["json", "data", "params"])
def test_apps_as_json_as_form_and_in_the_query(how):
    app = people.Api().post("/api/v1/apps", **{how: APP})
    assert app.status_code == 200, app.text
    body = app.json()
    assert body["client_id"] and body["client_secret"] and body["name"] == "A client"
    form = {
        "grant_type": "client_credentials", "client_id": body["client_id"], "client_secret": body["client_secret"],
        "scope": "read",
    }
    token = people.Api().post("/oauth/token", **{how: form})
    assert token.status_code == 200, token.text
    # Toot! reads created_at; no redirect_uri was sent.
    assert isinstance(token.json()["created_at"], int)
    assert token.json()["token_type"] == "Bearer"
    verified = people.Api(token.json()["access_token"]).get("/api/v1/apps/verify_credentials")
    assert verified.json()["name"] == "A client"


def test_redirect_uris_as_a_list_and_as_lines():
    uris = ["https://one.example/a", "app://two"]
    for form in ({"redirect_uris": uris}, {"redirect_uris": "\n".join(uris)}):
        app = people.Api().post("/api/v1/apps", json={**APP, **form})
        assert app.status_code == 200, app.text
        assert app.json()["redirect_uris"] == uris


def test_follow_with_json_and_an_empty_body(newcomer, another):
    path = f"/api/v1/accounts/{another.id}/follow"
    answer = newcomer.http.post(path, data=b"", headers={"Content-Type": "application/json"})
    assert answer.status_code == 200 and answer.json()["following"], answer.text
    as_json = {"Content-Type": "application/json; charset=utf-8"}
    answer = newcomer.http.post(path.replace("follow", "unfollow"), headers=as_json)
    assert answer.status_code == 200 and not answer.json()["following"], answer.text


def test_the_token_anywhere(newcomer):
    for token in ("Bearer", "bearer"):
        answer = people.Api().get(
            "/api/v1/accounts/verify_credentials", headers={"Authorization": f"{token} {newcomer.token}"}
        )
        assert answer.status_code == 200


def test_health_is_asked_first():
    assert people.Api().get("/health").status_code == 200
    streaming = people.Api().get("/api/v1/streaming/health")
    assert streaming.status_code == 200 and "OK" in streaming.text


def test_ids_are_dates(newcomer):
    before = int(time.time() * 1000)
    first = newcomer.http.post("/api/v1/statuses", json={"status": "First"}).json()
    second = newcomer.http.post("/api/v1/statuses", json={"status": "Second"}).json()
    assert isinstance(first["id"], str) and first["id"].isdecimal()
    assert int(first["id"]) < int(second["id"])
    assert abs((int(first["id"]) >> 16) - before) < 60_000
    made_from_a_date = str((before - 86_400_000) << 16)
    listed = newcomer.http.get(f"/api/v1/accounts/{newcomer.id}/statuses?min_id={made_from_a_date}").json()
    assert [status["id"] for status in listed] == [second["id"], first["id"]]
    tomorrow = str((before + 86_400_000) << 16)
    assert newcomer.http.get(f"/api/v1/timelines/public?max_id={tomorrow}&local=true").json()


TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def test_times_have_milliseconds_and_z(newcomer):
    status = newcomer.http.post("/api/v1/statuses", json={"status": "When"}).json()
    assert TIME.fullmatch(status["created_at"])
    account = newcomer.http.get("/api/v1/accounts/verify_credentials").json()
    assert TIME.fullmatch(account["created_at"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", account["last_status_at"])
    moment = calendar.timegm(time.strptime(status["created_at"][:19], "%Y-%m-%dT%H:%M:%S"))
    assert abs(moment - time.time()) < 60


@pytest.mark.parametrize(
    "language, expected",
    [("ko", r"[가-힣]"), ("ja-JP,ja;q=0.9", r"[ぁ-んァ-ン一-龯]"), ("de", r"^[ -~]+$"), ("", r"^[ -~]+$")],
)
def test_errors_speak_the_readers_language(language, expected):
    answer = people.Api().get("/api/v1/statuses/1", headers={"Accept-Language": language})
    assert answer.status_code == 404
    body = answer.json()
    assert re.search(expected, body["error"]), body
    assert body["status"] == 404 and body["code"] and body["request_id"] and body["type"]


@pytest.mark.parametrize(
    "path, most",
    [
        ("/api/v1/timelines/home", 40), ("/api/v1/timelines/public", 40), ("/api/v1/notifications", 80),
        ("/api/v1/bookmarks", 40), ("/api/v1/blocks", 80),
    ],
)
def test_a_limit_above_the_maximum_is_clamped(newcomer, path, most):
    for limit in (most + 1, 100, 100_000):
        assert newcomer.http.get(f"{path}?limit={limit}").status_code == 200


def test_what_ivory_asks_after_signing_in(newcomer):
    types = ["mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update"]
    for path in (
        "/api/v2/instance", "/api/v1/preferences", f"/api/v1/accounts/{newcomer.id}", "/api/v1/lists",
        "/api/v1/filters", "/api/v2/filters", "/api/v1/custom_emojis", "/api/v1/announcements", "/api/v1/instance",
        "/api/v1/markers?timeline[]=home&timeline[]=notifications", "/api/v1/trends/tags", "/api/v1/trends/statuses",
        "/api/v1/follow_requests", "/api/v1/followed_tags", "/api/v1/conversations",
        "/api/v1/notifications?limit=100&" + "&".join(f"types[]={one}" for one in types),
    ):
        answer = newcomer.http.get(path)
        assert answer.status_code == 200, f"{path} {answer.text}"


def test_the_version_begins_as_clients_expect():
    for path in ("/api/v1/instance", "/api/v2/instance"):
        version = people.Api().get(path).json()["version"]
        assert 4.0 <= float(version[:3]) < 4.3 and "madang" in version


def test_instances_name_limits_and_addresses():
    v1 = people.Api().get("/api/v1/instance").json()
    v2 = people.Api().get("/api/v2/instance").json()
    assert v1["configuration"]["statuses"]["max_characters"] == 500
    assert v2["configuration"]["statuses"]["max_characters"] == 500
    # Ice Cubes reads these of version 1.
    assert {"max_options", "max_characters_per_option", "min_expiration", "max_expiration"} <= set(
        v1["configuration"]["polls"]
    )
    assert v1["urls"]["streaming_api"].startswith("ws") and v2["configuration"]["urls"]["streaming"].startswith("ws")
    assert v1["stats"] and v2["thumbnail"]["url"]
    assert v2["domain"] == v1["uri"] == urllib.parse.urlsplit(people.BASE_URL).netloc


def test_accounts_have_pictures_with_addresses(newcomer):
    account = newcomer.http.get(f"/api/v1/accounts/{newcomer.id}").json()
    for name in ("avatar", "avatar_static", "header", "header_static"):
        assert account[name].startswith("http"), name
        assert people.Api().session.get(account[name], timeout=30).status_code == 200, account[name]


def test_mentions_and_tags_are_marked_up(newcomer, another):
    assert another.id, "known before somebody names them"
    # A name can be mentioned once posts has heard of it, and it has when it answers this.
    mentioned = another.id
    status = newcomer.http.post(
        "/api/v1/statuses", json={"status": f"@{another.name} look: https://example.com/a?b=1&c=2 #Tea"}
    ).json()
    assert re.search(r'<a [^>]*class="u-url mention"', status["content"])
    assert re.search(r'<a [^>]*class="mention hashtag"', status["content"])
    assert status["mentions"][0] == {
        "id": mentioned, "username": another.name, "acct": another.name, "url": status["mentions"][0]["url"],
    }
    assert status["tags"][0]["name"] == "tea"
    assert "&amp;c=2" in status["content"]
    assert status["visibility"] == "public" and status["media_attachments"] == [] and status["emojis"] == []


def test_lists_are_walked_by_the_header(newcomer):
    followers = [people.member("fan") for _ in range(3)]
    for follower in followers:
        follower.http.post(f"/api/v1/accounts/{newcomer.id}/follow")
    seen, path = [], f"/api/v1/accounts/{newcomer.id}/followers?limit=2"
    while path:
        answer = newcomer.http.get(path)
        seen += [account["username"] for account in answer.json()]
        following = answer.links.get("next", {}).get("url")
        path = following.removeprefix(people.BASE_URL) if following and answer.json() else None
    assert seen == [follower.name for follower in reversed(followers)]


def test_browsers_may_call():
    preflight = people.Api().request(
        "OPTIONS", "/api/v1/statuses",
        headers={
            "Origin": "https://client.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
        },
    )
    assert preflight.status_code in (200, 204)
    assert preflight.headers["Access-Control-Allow-Origin"] in ("*", "https://client.example")
    allowed = preflight.headers["Access-Control-Allow-Headers"].lower()
    assert allowed == "*" or "idempotency-key" in allowed
    answer = people.Api().get("/api/v1/timelines/public", headers={"Origin": "https://client.example"})
    exposed = answer.headers["Access-Control-Expose-Headers"].lower()
    assert "link" in exposed and "x-ratelimit-reset" in exposed


def test_discovery():
    found = people.Api().get("/.well-known/oauth-authorization-server").json()
    assert found["authorization_endpoint"] == people.BASE_URL + "/oauth/authorize"
    assert found["token_endpoint"] == people.BASE_URL + "/oauth/token"
    assert "S256" in found["code_challenge_methods_supported"]
    assert {"authorization_code", "client_credentials"} <= set(found["grant_types_supported"])
    assert "password" not in found["grant_types_supported"]


def socket_address(**query):
    address = re.sub(r"^http", "ws", people.BASE_URL)
    return f"{address}/api/v1/streaming?{urllib.parse.urlencode(query)}"


def by_header(token):
    return websocket.create_connection(
        socket_address(stream="user"), header=[f"Authorization: Bearer {token}"], timeout=15
    )


def by_query(token):
    return websocket.create_connection(socket_address(stream="user", access_token=token), timeout=15)


def by_protocol(token):
    return websocket.create_connection(socket_address(stream="user"), subprotocols=[token], timeout=15)


def by_subscription(token):
    connection = websocket.create_connection(socket_address(access_token=token), timeout=15)
    connection.send(json.dumps({"type": "subscribe", "stream": "user"}))
    return connection


@pytest.mark.parametrize("connect", [by_header, by_query, by_protocol, by_subscription])
def test_a_web_socket_delivers_the_notification(newcomer, another, connect):
    connection = connect(newcomer.token)
    try:
        # A post of one's own comes back when the subscription holds.
        def subscribed():
            newcomer.http.post("/api/v1/statuses", json={"status": "Do I hear myself?"})
            frame = json.loads(connection.recv())
            return frame["event"] == "update"

        eventually(subscribed, "the subscription holds")
        another.http.post("/api/v1/statuses", json={"status": f"@{newcomer.name} hello"})
        while True:
            frame = json.loads(connection.recv())
            if frame["event"] == "notification":
                break
        assert frame["stream"] == ["user"]
        notification = json.loads(frame["payload"])
        assert notification["type"] == "mention"
        assert notification["account"]["username"] == another.name
        recording.remember(recording.Answer("get", "/api/v1/notifications/1", 200, notification))
    finally:
        connection.close()


@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_stream_of_ones_own_needs_a_token(token):
    with pytest.raises(websocket.WebSocketBadStatusException) as refusal:
        websocket.create_connection(socket_address(stream="user", access_token=token), timeout=15)
    assert refusal.value.status_code == 401
    assert people.Api().get("/api/v1/streaming/user").status_code == 401


def test_an_unknown_stream_is_refused(newcomer):
    answer = newcomer.http.get("/api/v1/streaming/nonsense")
    assert answer.status_code in (400, 404)


def test_every_answer_names_its_request(newcomer):
    answer = newcomer.http.get("/api/v1/timelines/home")
    assert answer.headers["X-Request-Id"]
    missing = newcomer.http.get("/api/v1/statuses/1")
    assert missing.json()["request_id"] == missing.headers["X-Request-Id"]
