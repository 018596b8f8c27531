# SPDX-License-Identifier: Apache-2.0
"""Engine.IO v4 against the conformance host: what its specification and its public test suite ask for."""

import concurrent.futures
import contextlib
import queue
import socket as sockets
import time

import engineio
import pytest
import requests

import conformance
from conformance import SEPARATOR, closed, opened, refused
from waiting import eventually

PATHS = ["/engine.io/", "/socket.io/"]


# On several event loops a session and the connections that carry it are often apart.
@pytest.fixture(scope="module", params=[1, 4], ids=["one-loop", "four-loops"])
def host(request):
    with conformance.running(threads=request.param) as host:
        yield host


@pytest.fixture(scope="module")
def hasty():
    with conformance.running(ping_interval=300, ping_timeout=200) as host:
        yield host


@pytest.fixture(scope="module")
def pool():
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        yield pool


def pending(pool, session):
    """A poll that has surely been taken."""
    with session.host.taking():
        future = pool.submit(requests.get, session.url, timeout=10)
    assert not future.done()
    return future


# Handshake


@pytest.mark.parametrize("path", PATHS)
def test_opens_a_session(hasty, path):
    opening = hasty.polling(path).opening
    assert set(opening) == {"sid", "upgrades", "pingInterval", "pingTimeout", "maxPayload"}
    assert isinstance(opening["sid"], str)
    assert opening["upgrades"] == ["websocket"]
    assert (opening["pingInterval"], opening["pingTimeout"], opening["maxPayload"]) == (300, 200, 1000000)
    with hasty.web_socket(path) as socket:
        assert opened(socket) | {"sid": ""} == opening | {"sid": "", "upgrades": []}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "query, code",
    [
        ("transport=polling", 5),
        ("EIO=abc&transport=polling", 5),
        ("EIO=3&transport=polling&b64=1", 5),
        ("EIO=4", 0),
        ("EIO=4&transport=abc", 0),
        ("EIO=4&transport=websocket", 3),
        ("EIO=4&transport=polling&sid=unknown", 1),
    ],
)
def test_refuses_a_query_that_is_none(host, path, query, code):
    answer = requests.get(f"{host.url}{path}?{query}", timeout=10)
    assert answer.status_code == 400
    assert answer.json()["code"] == code and answer.json()["message"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_refuses_a_handshake_by_another_method(host, method):
    answer = requests.request(method, host.endpoint("/engine.io/"), timeout=10)
    assert answer.status_code == 400 and answer.json()["code"] == 2


@pytest.mark.parametrize("query", [{"eio": None}, {"eio": "abc"}, {"eio": "3"}, {"sid": "unknown"}])
def test_refuses_a_web_socket(host, query):
    assert refused(lambda: host.web_socket(**query))


def test_other_origins_may_ask(host):
    origin = "https://app.example"
    answer = requests.get(host.endpoint("/engine.io/", t="abc", b64=1), headers={"Origin": origin}, timeout=10)
    assert answer.status_code == 200 and answer.headers["Access-Control-Allow-Origin"] == origin
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-one"}
    answer = requests.options(host.endpoint("/engine.io/"), headers=asked, timeout=10)
    assert answer.status_code == 204 and "POST" in answer.headers["Access-Control-Allow-Methods"]


# Messages


@pytest.mark.parametrize(
    "body", ["4hello", SEPARATOR.join(["4a", "4b", "4마당"]), SEPARATOR.join(["4hello", "bAQIDBA=="])]
)
def test_echoes_over_polling(host, body):
    session = host.polling()
    answer = session.post(body)
    assert (answer.status_code, answer.text) == (200, "ok")
    answer = session.get()
    assert (answer.status_code, answer.text) == (200, body)
    assert answer.headers["Content-Type"].lower() == "text/plain; charset=utf-8"


def test_a_poll_waits_for_messages(host, pool):
    session = host.polling()
    poll = pending(pool, session)
    assert session.post("4later").text == "ok"
    assert poll.result().text == "4later"


@pytest.mark.parametrize("body", ["abc", "", "2", "0", "4a" + SEPARATOR, "b*", b"4\xff"])
def test_an_invalid_body_closes_the_session(host, body):
    session = host.polling()
    assert session.post(body).status_code == 400
    assert session.get().status_code == 400


def test_two_polls_close_the_session(host, pool):
    session = host.polling()
    first = pending(pool, session)
    assert session.get().status_code == 400
    assert (first.result().status_code, first.result().text) == (200, "1")
    assert session.get().status_code == 400


def test_two_bodies_close_the_session(host):
    session = host.polling()
    with sockets.create_connection(host.address.split(":")) as slow:
        target = session.url.split(host.address)[1]
        with host.taking():
            slow.sendall(f"POST {target} HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n4he".encode())
        assert session.post("4hello").status_code == 400
        assert slow.recv(1000).startswith(b"HTTP/1.1 400")
    assert session.get().status_code == 400


def test_a_cancelled_poll_closes_the_session(host):
    session = host.polling()
    with sockets.create_connection(host.address.split(":")) as cancelled:
        target = session.url.split(host.address)[1]
        with host.taking():
            cancelled.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    eventually(lambda: not host.open_requests(), "the host knows that it is gone")
    assert session.get().status_code == 400


def test_a_body_that_is_too_long_is_refused(host):
    session = host.polling()
    assert session.post("4" + "a" * 999_999).status_code == 200
    assert len(session.next()[0]) == 1_000_000
    try:
        assert session.post("4" + "a" * 1_000_000).status_code == 413
    except requests.ConnectionError:
        pass  # The answer may come while the body is still being sent.


def test_echoes_over_a_web_socket(host):
    with host.web_socket() as socket:
        opened(socket)
        socket.send("4hello")
        assert socket.recv(timeout=10) == "4hello"
        socket.send(bytes([1, 2, 3, 4]))
        assert socket.recv(timeout=10) == bytes([1, 2, 3, 4])
        socket.send("4" + "a" * 999_999)
        assert len(socket.recv(timeout=10)) == 1_000_000


@pytest.mark.parametrize("text", ["abc", "", "0", "2", "5", "4" * 1_000_001])
def test_an_invalid_frame_closes_the_session(host, text):
    with host.web_socket() as socket:
        sid = opened(socket)["sid"]
        socket.send(text)
        assert closed(socket) == (1009 if len(text) > 1_000_000 else 1002)
        assert requests.get(host.endpoint("/engine.io/", sid), timeout=10).status_code == 400


# Heartbeat


@pytest.mark.parametrize("path", PATHS)
def test_pings_over_polling(hasty, path):
    session = hasty.polling(path)
    for _ in range(3):
        assert session.next() == ["2"]
        assert session.post("3").text == "ok"


@pytest.mark.parametrize("path", PATHS)
def test_pings_over_a_web_socket(hasty, path):
    with hasty.web_socket(path) as socket:
        opened(socket)
        for _ in range(3):
            assert socket.recv(timeout=10) == "2"
            socket.send("3")


@pytest.mark.parametrize("path", PATHS)
def test_a_missed_heartbeat_ends_the_session(hasty, path):
    session = hasty.polling(path)
    # Pings come, and nobody answers them.
    eventually(lambda: session.get().status_code == 400, "the session ends")
    with hasty.web_socket(path) as socket:
        opened(socket)
        started = time.monotonic()
        closed(socket)
        assert 0.3 < time.monotonic() - started < 5


def test_a_waiting_poll_hears_of_the_missed_heartbeat(hasty):
    session = hasty.polling()
    assert session.next() == ["2"]
    assert session.next() == ["1"]
    assert session.get().status_code == 400


# The end


def test_the_client_closes(host, pool):
    session = host.polling()
    poll = pending(pool, session)
    assert session.post("1").text == "ok"
    assert (poll.result().status_code, poll.result().text) == (200, "6")
    assert session.get().status_code == 400
    with host.web_socket() as socket:
        opened(socket)
        socket.send("1")
        closed(socket)


# Upgrade


@contextlib.contextmanager
def upgraded(host, session):
    with host.web_socket(sid=session.sid) as socket:
        socket.send("2probe")
        assert socket.recv(timeout=10) == "3probe"
        yield socket


def test_upgrades(host, pool):
    session = host.polling()
    waiting = pending(pool, session)
    with upgraded(host, session) as socket:
        assert waiting.result().text == "6"
        assert session.next() == ["6"]
        socket.send("5")
        socket.send("4hello")
        assert socket.recv(timeout=10) == "4hello"


def test_what_waits_follows_the_upgrade(host):
    session = host.polling()
    with upgraded(host, session) as socket:
        assert session.post("4waiting").text == "ok"
        socket.send("5")
        assert socket.recv(timeout=10) == "4waiting"


@pytest.mark.parametrize("path", PATHS)
def test_polling_ends_with_the_upgrade(host, path):
    session = host.polling(path)
    with host.web_socket(path, session.sid) as socket:
        socket.send("2probe")
        socket.send("5")
        assert session.get().status_code == 400
        assert session.post("4x").status_code == 400
        assert socket.recv(timeout=10) == "3probe"


def closed_at_once(host, sid):
    """As the suite wants it: the WebSocket opens, and is closed before it did anything."""
    with host.web_socket(sid=sid) as second:
        closed(second)
        assert second.close_code == 1000


def test_a_second_web_socket_leaves_the_first_alone(host):
    session = host.polling()
    with upgraded(host, session) as socket:
        closed_at_once(host, session.sid)
        socket.send("5")
        closed_at_once(host, session.sid)
        socket.send("4hello")
        assert socket.recv(timeout=10) == "4hello"
    with host.web_socket() as socket:
        closed_at_once(host, opened(socket)["sid"])
        socket.send("4hello")
        assert socket.recv(timeout=10) == "4hello"


@pytest.mark.parametrize("text", ["4hello", "5", "2", "x"])
def test_a_probe_that_is_none_leaves_polling_alone(host, text):
    session = host.polling()
    with host.web_socket(sid=session.sid) as socket:
        socket.send(text)
        closed(socket)
    assert session.post("4hello").text == "ok"
    assert session.next() == ["4hello"]


# The client library


@pytest.mark.parametrize("transports", [["polling"], ["websocket"], None])
def test_the_engineio_client(host, transports):
    client = engineio.Client()
    heard = queue.Queue()
    client.on("message", heard.put)
    client.connect(host.url, transports=transports)
    # One after the other: the client takes each message on a thread of its own.
    for data, back in (("hello", "hello"), (bytes([1, 2, 3]), bytes([1, 2, 3])), ('{"a":"마당"}', {"a": "마당"})):
        client.send(data)
        assert heard.get(timeout=10) == back
    assert client.transport() == ("polling" if transports == ["polling"] else "websocket")
    client.disconnect()
