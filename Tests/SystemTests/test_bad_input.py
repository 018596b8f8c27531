# SPDX-License-Identifier: Apache-2.0
"""What broken and hostile clients send: always a problem that says so, never a failure of ours."""

import http.client
import json
import socket
import urllib.parse

import pytest

import living
import people
import recording

JSON_ROUTES = [
    ("POST", "/api/v1/apps"),
    ("POST", "/oauth/token"),
    ("POST", "/oauth/revoke"),
    ("POST", "/api/v1/accounts"),
    ("PATCH", "/api/v1/accounts/update_credentials"),
    ("POST", "/api/v1/accounts/{account}/follow"),
    ("POST", "/api/v1/accounts/{account}/mute"),
    ("POST", "/api/v1/accounts/{account}/note"),
    ("POST", "/api/v1/statuses"),
    ("PUT", "/api/v1/statuses/{status}"),
    ("POST", "/api/v1/statuses/{status}/reblog"),
    ("POST", "/api/v1/markers"),
]

LISTS = [
    "/api/v1/timelines/home",
    "/api/v1/timelines/public",
    "/api/v1/timelines/tag/tea",
    "/api/v1/notifications",
    "/api/v1/accounts/{account}/statuses",
    "/api/v1/accounts/{account}/followers",
    "/api/v1/accounts/{account}/following",
    "/api/v1/statuses/{status}/favourited_by",
    "/api/v1/statuses/{status}/reblogged_by",
    "/api/v1/bookmarks",
    "/api/v1/favourites",
    "/api/v1/blocks",
    "/api/v1/mutes",
    "/api/v1/follow_requests",
]

BY_ID = [
    ("GET", "/api/v1/accounts/{id}"),
    ("GET", "/api/v1/accounts/{id}/statuses"),
    ("GET", "/api/v1/accounts/{id}/followers"),
    ("GET", "/api/v1/accounts/{id}/following"),
    ("POST", "/api/v1/accounts/{id}/follow"),
    ("POST", "/api/v1/accounts/{id}/unfollow"),
    ("POST", "/api/v1/accounts/{id}/block"),
    ("POST", "/api/v1/accounts/{id}/unblock"),
    ("POST", "/api/v1/accounts/{id}/mute"),
    ("POST", "/api/v1/accounts/{id}/unmute"),
    ("GET", "/api/v1/statuses/{id}"),
    ("PUT", "/api/v1/statuses/{id}"),
    ("DELETE", "/api/v1/statuses/{id}"),
    ("GET", "/api/v1/statuses/{id}/context"),
    ("GET", "/api/v1/statuses/{id}/history"),
    ("GET", "/api/v1/statuses/{id}/source"),
    ("GET", "/api/v1/statuses/{id}/favourited_by"),
    ("GET", "/api/v1/statuses/{id}/reblogged_by"),
    ("POST", "/api/v1/statuses/{id}/favourite"),
    ("POST", "/api/v1/statuses/{id}/unfavourite"),
    ("POST", "/api/v1/statuses/{id}/reblog"),
    ("POST", "/api/v1/statuses/{id}/unreblog"),
    ("POST", "/api/v1/statuses/{id}/bookmark"),
    ("POST", "/api/v1/statuses/{id}/unbookmark"),
    ("GET", "/api/v1/notifications/{id}"),
    ("POST", "/api/v1/notifications/{id}/dismiss"),
    ("POST", "/api/v1/follow_requests/{id}/authorize"),
    ("POST", "/api/v1/follow_requests/{id}/reject"),
]

EXTREMES = [
    "-1", "0", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "99999999999999999999999999", "1e400", "1.5", "NaN", "Infinity", "", "0x10", "%00", "١٢", "1;DROP TABLE posts", "[]",
]


@pytest.fixture(scope="module")
def person():
    return people.member("bad")


@pytest.fixture(scope="module")
def places(person):
    status = person.http.post("/api/v1/statuses", json={"status": "Something to aim at #tea"}).json()
    return {"account": people.member("aim").id, "status": status["id"]}


@pytest.fixture(autouse=True, scope="module")
def everything_lives_on(person):
    """After all of it every service still answers, and it is the same process."""
    before = living.pids()
    yield
    assert living.pids() == before, "a process ended"
    assert people.Api().get("/health").status_code == 200
    assert people.Api().get("/api/v2/instance").status_code == 200
    assert person.http.get("/api/v1/accounts/verify_credentials").status_code == 200
    assert person.http.get("/api/v1/timelines/home").status_code == 200
    assert person.http.get("/api/v1/notifications").status_code == 200
    assert person.http.post("/api/v1/statuses", json={"status": "Still here"}).status_code == 200


def judge(answer, *expected):
    """A 4xx with the whole problem body; one of `expected` if given."""
    said = f"{answer.request.method} {answer.request.url[:200]}: {answer.status_code} {answer.text[:300]}"
    assert 400 <= answer.status_code < 500, said
    if expected:
        assert answer.status_code in expected, said
    body = answer.json()
    assert isinstance(body["error"], str) and body["error"], said
    if not urllib.parse.urlsplit(answer.request.url).path.startswith("/oauth/"):
        assert body["status"] == answer.status_code, said
        assert body["code"] and body["request_id"], said
    assert "postgres" not in answer.text.lower() and "swift" not in answer.text.lower(), said


def tolerate(answer):
    """A problem, or an answer; never a failure."""
    if answer.status_code >= 400:
        judge(answer)


def send(person, method, path, body, kind="application/json"):
    return person.http.request(method, path, data=body, headers={"Content-Type": kind})


@pytest.mark.parametrize("opening, closing", [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"])
@pytest.mark.parametrize("depth", [160, 511, 512, 100_000])
@pytest.mark.parametrize("method, path", JSON_ROUTES, ids=lambda value: value)
def test_deeply_nested_json(person, places, method, path, depth, opening, closing):
    body = '{"status":' + opening * depth + "1" + closing * depth + "}"
    judge(send(person, method, path.format(**places), body), 400, 401, 413, 422)


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[1,2", b"nul", b'"text"', b"[]", b"1", b'{"status": "\xff\xfe"}', b'{"status": "\xed\xa0\x80"}',
        b'{"status": "\xc0\xaf"}', b'{"status": "\\ud800"}', b'{"a": 1} trailing', b"\x00",
        b'{"status": "nul \\u0000 in it"}', b'\xef\xbb\xbf{"status": ""}', b'{"status": {"not": "text"}}',
        b'{"status": ["not", "text"]}',
    ],
)
@pytest.mark.parametrize("method, path", JSON_ROUTES, ids=lambda value: value)
def test_broken_json(person, places, method, path, body):
    answer = send(person, method, path.format(**places), body)
    if path.endswith("/follow") or path.endswith("/mute") or path.endswith("/reblog") or path.endswith("/note"):
        tolerate(answer)
    elif path in ("/api/v1/accounts/update_credentials", "/api/v1/markers"):
        # Nothing of what these know is in it: nothing to change is no mistake.
        tolerate(answer)
    else:
        tolerate(answer) if answer.status_code == 200 and path == "/oauth/revoke" else judge(answer)


@pytest.mark.parametrize("name", ["limit", "max_id", "since_id", "min_id"])
@pytest.mark.parametrize("path", LISTS)
def test_extreme_numbers_in_lists(person, places, path, name):
    for value in EXTREMES:
        answer = person.http.get(f"{path.format(**places)}?{name}={urllib.parse.quote(value, safe='%')}")
        if answer.status_code == 200:
            assert isinstance(answer.json(), list)
        else:
            judge(answer, 400, 422)


@pytest.mark.parametrize(
    "method, path, names",
    [
        ("POST", "/api/v1/accounts/{account}/mute", ["duration"]),
        ("POST", "/api/v1/statuses", ["in_reply_to_id", "poll[expires_in]"]),
        ("POST", "/api/v1/markers", ["home[last_read_id]", "notifications[last_read_id]"]),
        ("GET", "/api/v1/notifications/unread_count", ["limit"]),
        ("GET", "/api/v1/notifications", ["account_id"]),
        ("GET", "/api/v1/accounts/relationships", ["id[]", "id"]),
        ("GET", "/api/v1/statuses", ["id[]"]),
        ("GET", "/api/v1/accounts", ["id[]"]),
    ],
)
def test_extreme_numbers_elsewhere(person, places, method, path, names):
    for name in names:
        for value in EXTREMES:
            form = {name: value}
            if path == "/api/v1/statuses" and method == "POST":
                form["status"] = "A number"
            if method == "GET":
                tolerate(person.http.get(f"{path}?{name}={urllib.parse.quote(value, safe='%')}"))
            else:
                tolerate(person.http.request(method, path.format(**places), data=form))


@pytest.mark.parametrize("method, path", BY_ID, ids=lambda value: value)
def test_unknown_ids(person, method, path):
    for value in (
        "0", "1", "9223372036854775807", "9223372036854775808", "-1", "x", "%00", "%ff", "1.0", "1%2F2", "१",
    ):
        body = {"status": "An edit"} if method == "PUT" else None
        answer = person.http.request(method, path.format(id=value), data=body)
        if answer.status_code == 200:
            # A list of nothing, or taking back what was never done.
            assert "/un" in path or answer.json() == [], f"{method} {path} {value}: {answer.text[:200]}"
        else:
            judge(answer, 400, 404, 422)


@pytest.mark.parametrize("path", LISTS)
def test_cursors_of_another_kind(person, places, path):
    mine = person.http.post("/api/v1/statuses", json={"status": "For a cursor"}).json()["id"]
    for value in (places["account"], mine, person.id, "112233445566778899"):
        for name in ("max_id", "since_id", "min_id"):
            answer = person.http.get(f"{path.format(**places)}?{name}={value}")
            assert answer.status_code == 200, answer.text
    person.http.delete(f"/api/v1/statuses/{mine}")
    assert person.http.get(f"{path.format(**places)}?max_id={mine}").status_code == 200


@pytest.mark.parametrize(
    "text",
    ["nul \x00 in it", "\x00", "a" * 501, "https://x.example " * 200, "@" * 600, "#" * 600],
    ids=["nul", "only nul", "too long", "links", "at signs", "number signs"],
)
def test_text_that_is_refused(person, text):
    judge(person.http.post("/api/v1/statuses", json={"status": text}), 400, 422)
    judge(person.http.post("/api/v1/statuses", data={"status": text}), 400, 422)


@pytest.mark.parametrize(
    "text",
    [
        "e" + "\u0301" * 400, "\u202eright to left\u202c", "\u200bzero\u200dwidth", "👩‍👩‍👧‍👦", "한글 ﷽ 漢字", "a\u0301",
        "<script>alert(1)</script>",
    ],
)
def test_text_that_comes_back_as_it_was(person, text):
    status = person.http.post("/api/v1/statuses", json={"status": text}).json()
    assert person.http.get(f"/api/v1/statuses/{status['id']}/source").json()["text"] == text
    assert "<script" not in status["content"]


@pytest.mark.parametrize(
    "query", ["%00", "%ff", "%c0%af", "%", "%zz", "%ed%a0%80", "a" * 60_000, "limit=1&" * 2000], ids=lambda q: q[:12]
)
@pytest.mark.parametrize(
    "path", ["/api/v1/timelines/public", "/api/v1/notifications", "/api/v1/accounts/lookup", "/api/v1/apps"]
)
def test_broken_queries(person, path, query):
    tolerate(person.http.get(f"{path}?acct={query}"))
    tolerate(person.http.get(f"{path}?{query}"))


@pytest.mark.parametrize("method, path", JSON_ROUTES, ids=lambda value: value)
def test_bodies_over_the_limit(person, places, method, path):
    body = json.dumps({"status": "a" * (12 << 20)})
    try:
        answer = send(person, method, path.format(**places), body)
    except recording.requests.exceptions.ConnectionError:
        return  # The server closed the connection while we were still writing: a refusal, too.
    judge(answer, 413)


@pytest.mark.parametrize(
    "kind, body",
    [
        ("multipart/form-data", b"--x\r\n\r\n"),
        ("multipart/form-data; boundary=", b"--\r\n\r\n"),
        ("multipart/form-data; boundary=x", b""),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=\"status\"\r\n\r\nno end"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--x--\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nno colon\r\n\r\n\r\n--x--\r\n"),
        ("multipart/form-data; boundary=" + "b" * 300, b"--" + b"b" * 300 + b"--"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 10_000 + b"--x--",
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="status"\r\n\r\n\xff\xfe\r\n--x--\r\n',
        ),
        ("application/x-www-form-urlencoded", b"status=%ff%fe"),
        ("application/x-www-form-urlencoded", b"status[a][b][c]=1"),
        ("application/x-www-form-urlencoded", b"[]=1&=2&&&"),
        ("application/x-www-form-urlencoded", b"a" + b"[a]" * 10_000 + b"=1"),
        ("application/xml", b"<status/>"),
        ("text/plain", b"status=hello"),
        ("application/json; charset=utf-16", '{"status":"x"}'.encode("utf-16")),
        ("nonsense", b"x"),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/statuses", "/api/v1/apps", "/oauth/token"])
def test_broken_bodies(person, path, kind, body):
    judge(send(person, "POST", path, body, kind), 400, 401, 413, 415, 422)


@pytest.mark.parametrize("form", [
    {"username": "a" * 31}, {"username": ""}, {"username": "with space"}, {"username": "\x00"}, {"username": "ünï"},
    {"email": "x"}, {"email": "a" * 10_000 + "@example.com"}, {"password": "a" * 100_000}, {"password": ""},
    {"locale": "\x00"}, {"agreement": "maybe"},
], ids=lambda form: " ".join(f"{k}={v[:12]!r}" for k, v in form.items()))
def test_sign_up_fields(form):
    whole = {
        "username": people.stranger().name, "email": "x@example.com", "password": "a good password",
        "agreement": "true", "locale": "en", **form,
    }
    tolerated = "locale" in form
    answer = people.Api(people.app_token()).post("/api/v1/accounts", json=whole)
    tolerate(answer) if tolerated else judge(answer, 400, 422)


@pytest.mark.parametrize("field", ["client_name", "redirect_uris", "scopes", "website"])
def test_app_fields(field):
    for value in ("", "\x00", "a" * 100_000, "javascript:alert(1)", ["x"] * 1000, {"a": 1}):
        form = {"client_name": "x", "redirect_uris": people.OUT_OF_BAND, "scopes": "read", field: value}
        tolerate(people.Api().post("/api/v1/apps", json=form))


@pytest.mark.parametrize("field", ["display_name", "note", "locked", "fields_attributes", "source"])
def test_profile_fields(person, field):
    long = {"0": {"name": "a" * 10_000, "value": "\x00"}}
    for value in ("\x00", "a" * 100_000, {"a": {"b": 1}}, [[[1]]], long, None):
        tolerate(person.http.patch("/api/v1/accounts/update_credentials", json={field: value}))


@pytest.mark.parametrize("token", ["", "x", "a" * 10_000, "é", "Bearer", "' OR 1=1 --", "../../x"])
def test_bad_tokens(token):
    answer = people.Api().get(
        "/api/v1/accounts/verify_credentials", headers={"Authorization": f"Bearer {token}".encode()}
    )
    judge(answer, 400, 401, 431)


def test_identity_from_outside_is_nothing(person):
    answer = people.Api().get(
        "/api/v1/accounts/verify_credentials",
        headers={"X-Madang-Principal": "forged", "X-Madang-Internal": "guess"},
    )
    judge(answer, 401)
    for path in ("/internal/principal", "/internal/statistics", "//internal/statistics", "/api/../internal/statistics"):
        connection = connect()
        connection.request("POST", path, body="{}", headers={"X-Madang-Internal": "guess", "Content-Length": "2"})
        assert connection.getresponse().status in (400, 404)
        connection.close()


def connect():
    url = urllib.parse.urlsplit(people.BASE_URL)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    return kind(url.hostname, url.port, timeout=20)


@pytest.mark.parametrize(
    "head",
    [
        b"POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        b"POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * (128 << 10) + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(100_000)) + b"\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET  HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\x00" * 1000,
        b"GET /api/v1/streaming HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: x\r\n\r\n",
    ],
    ids=lambda head: repr(head[:60]),
)
def test_broken_requests(head):
    """Answered with a 4xx, or the connection is closed; in either case soon."""
    url = urllib.parse.urlsplit(people.BASE_URL)
    with socket.create_connection((url.hostname, url.port or 80), timeout=20) as connection:
        try:
            connection.sendall(head)
            connection.shutdown(socket.SHUT_WR)
            said = connection.recv(65536)
        except (ConnectionError, BrokenPipeError):
            return
        if said:
            assert said.startswith(b"HTTP/1."), said[:100]
            status = int(said.split(b" ", 2)[1])
            assert 400 <= status < 500 or status == 505, said[:200]


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PATCH", "DELETE", "PROPFIND"])
@pytest.mark.parametrize("path", ["/api/v1/timelines/home", "/api/v1/apps", "/api/v2/instance", "/nowhere"])
def test_other_methods(person, method, path):
    connection = connect()
    connection.request(method, path, headers={"Authorization": f"Bearer {person.token}"})
    answer = connection.getresponse()
    assert answer.status in (400, 404, 405, 501), f"{method} {path} {answer.status}"
    connection.close()


def test_an_unknown_path_is_a_problem():
    judge(people.Api().get("/api/v1/nothing/of/the/kind"), 404)
