# SPDX-License-Identifier: Apache-2.0
"""Socket.IO v5 against the conformance host: what its specification and its public test suite ask for."""

import asyncio
import queue
import time

import pytest
import socketio

import conformance
from conformance import closed, namespace, opened

PLACES = '{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}'


# On several event loops a session and the connections that carry it are often apart.
@pytest.fixture(scope="module", params=[1, 4], ids=["one-loop", "four-loops"])
def host(request):
    with conformance.running(connect_timeout=1000, threads=request.param) as host:
        yield host


@pytest.fixture
def socket(host):
    with host.web_socket("/socket.io/") as socket:
        opened(socket)
        yield socket


@pytest.fixture
def connected(socket):
    namespace(socket)
    return socket


# CONNECT


@pytest.mark.parametrize("name, prefix", [("/", ""), ("/custom", "/custom,")])
def test_connects(socket, name, prefix):
    assert namespace(socket, name) == f'42{prefix}["auth",{{}}]'


@pytest.mark.parametrize("name, prefix", [("/", ""), ("/custom", "/custom,")])
def test_connects_with_a_payload(socket, name, prefix):
    assert namespace(socket, name, {"token": "123"}) == f'42{prefix}["auth",{{"token":"123"}}]'


@pytest.mark.parametrize("packet", ["40/random", "40/random,", '40/random,{"token":"x"}'])
def test_refuses_an_unknown_namespace(socket, packet):
    socket.send(packet)
    assert socket.recv(timeout=10) == '44/random,{"message":"Invalid namespace"}'
    assert namespace(socket).startswith('42["auth"')


@pytest.mark.parametrize("packet", ["4abc", "4", '42["message"]', "41", "40[]", "40{", "49", '44{"message":"x"}'])
def test_whatever_comes_before_connect_closes(socket, packet):
    socket.send(packet)
    assert closed(socket) == 1002


def test_closes_without_connect(host):
    with host.web_socket("/socket.io/") as socket:
        opened(socket)
        started = time.monotonic()
        closed(socket)
        assert 0.9 < time.monotonic() - started < 5
    session = host.polling("/socket.io/")
    assert session.next() == ["1"]
    assert session.get().status_code == 400


def test_many_namespaces(connected):
    for index in range(1200):
        connected.send(f"40/random-{index},")
    for index in range(1200):
        assert connected.recv(timeout=10) == f'44/random-{index},{{"message":"Invalid namespace"}}'


# DISCONNECT


def test_leaves_the_main_namespace(connected):
    connected.send("41")
    assert namespace(connected).startswith('42["auth"')


def test_leaves_one_namespace(connected):
    namespace(connected, "/custom")
    connected.send("41/custom")
    connected.send('42["message","to the main namespace"]')
    assert connected.recv(timeout=10) == '42["message-back","to the main namespace"]'


# EVENT and ACK


def test_events(connected):
    connected.send('42["message",1,"2",{"3":[true]}]')
    assert connected.recv(timeout=10) == '42["message-back",1,"2",{"3":[true]}]'


def test_events_with_binary_data(connected):
    connected.send(f'452-["message",{PLACES}]')
    connected.send(bytes([1, 2, 3]))
    connected.send(bytes([4, 5, 6]))
    assert connected.recv(timeout=10) == f'452-["message-back",{PLACES}]'
    assert connected.recv(timeout=10) == bytes([1, 2, 3])
    assert connected.recv(timeout=10) == bytes([4, 5, 6])


def test_acknowledgements(connected):
    connected.send('42456["message-with-ack",1,"2",{"3":[false]}]')
    assert connected.recv(timeout=10) == '43456[1,"2",{"3":[false]}]'


def test_acknowledgements_with_binary_data(connected):
    namespace(connected, "/custom")
    connected.send(f'452-/custom,789["message-with-ack",{PLACES}]')
    connected.send(bytes([1, 2, 3]))
    connected.send(bytes([4, 5, 6]))
    assert connected.recv(timeout=10) == f"462-/custom,789[{PLACES}]"
    assert connected.recv(timeout=10) == bytes([1, 2, 3])
    assert connected.recv(timeout=10) == bytes([4, 5, 6])


@pytest.mark.parametrize(
    "packet",
    [
        "4abc", "42{}", "42[]", '42abc["message-with-ack"]', '42["message"', '42["message"]x', "43[]", "40",
        '42/elsewhere,["message"]', '451["message"]', '4533-["message"]', '45x-["message"]', "42[" * 1000,
        '42["connect"]', '4299999999999999999999["message"]', '451-["message",{"_placeholder":true,"num":7}]',
        '451-["message",{"_placeholder":true,"num":-1}]', "40/" + "x" * 1000, "42[{}]", '42["a",' + "[" * 500_000,
    ],
)
def test_malformed_packets_close(host, connected, packet):
    connected.send(packet)
    assert closed(connected) == 1002
    with host.web_socket("/socket.io/") as another:
        opened(another)


@pytest.mark.parametrize("packet", ["40/custom,", "40", '42["message"]', "41"])
def test_nothing_comes_between_a_packet_and_its_attachments(connected, packet):
    connected.send('451-["message",{"_placeholder":true,"num":0}]')
    connected.send(packet)
    assert closed(connected) == 1002


def test_binary_data_without_a_packet_closes(connected):
    connected.send(bytes([1]))
    assert closed(connected) == 1002


def test_over_polling(host):
    session = host.polling("/socket.io/")
    assert session.post("40").text == "ok"
    packets = session.next()
    while len(packets) < 2:
        packets += session.next()
    assert packets[0].startswith('40{"sid":') and packets[1] == '42["auth",{}]'
    body = ['451-7["message-with-ack",{"_placeholder":true,"num":0}]', "bAQID", '42["message","마당"]']
    assert session.post(conformance.SEPARATOR.join(body)).text == "ok"
    answers = session.next()
    while len(answers) < 3:
        answers += session.next()
    assert answers == ['461-7[{"_placeholder":true,"num":0}]', "bAQID", '42["message-back","마당"]']
    assert session.post("42{}").status_code == 200
    assert session.get().status_code == 400


# The client library


# The blocking client takes each message on a thread of its own, in any order: what has attachments, or an order, goes to
# the asynchronous one.


@pytest.mark.parametrize("transports", [["polling"], ["websocket"], None])
@pytest.mark.parametrize("name", ["/", "/custom"])
def test_the_blocking_socketio_client(host, transports, name):
    client = socketio.Client(reconnection=False)
    heard = queue.Queue()
    client.on("auth", lambda *data: heard.put(("auth", *data)), namespace=name)
    client.on("message-back", lambda *data: heard.put(("message-back", *data)), namespace=name)
    client.connect(host.url, namespaces=[name], auth={"token": "x"}, transports=transports)
    try:
        assert heard.get(timeout=10) == ("auth", {"token": "x"})
        client.emit("message", ("a", 1, {"x": ["마당"]}), namespace=name)
        assert heard.get(timeout=10) == ("message-back", "a", 1, {"x": ["마당"]})
        assert client.call("message-with-ack", ("마당", 5), namespace=name, timeout=10) == ("마당", 5)
        assert client.transport() == ("polling" if transports == ["polling"] else "websocket")
    finally:
        client.disconnect()


@pytest.mark.parametrize("transports", [["polling"], ["websocket"], None])
@pytest.mark.parametrize("name", ["/", "/custom"])
def test_the_socketio_client(host, transports, name):
    async def talk():
        client = socketio.AsyncClient(reconnection=False)
        heard = asyncio.Queue()
        client.on("auth", lambda *data: heard.put_nowait(data), namespace=name)
        client.on("message-back", lambda *data: heard.put_nowait(data), namespace=name)
        await client.connect(host.url, namespaces=[name], auth={"token": "x"}, transports=transports)
        try:
            async with asyncio.timeout(20):
                assert await heard.get() == ({"token": "x"},)
                await client.emit("message", ("a", 1, b"\x01\x02", {"x": [b"\x03"]}), namespace=name)
                assert await heard.get() == ("a", 1, b"\x01\x02", {"x": [b"\x03"]})
                answer = await client.call("message-with-ack", ("마당", b"\x05"), namespace=name)
                assert answer == ("마당", b"\x05")
        finally:
            await client.disconnect()

    asyncio.run(talk())


@pytest.mark.parametrize("transports", [["polling"], ["websocket"], None])
def test_the_socketio_client_in_a_hurry(host, transports):
    async def hurry():
        client = socketio.AsyncClient(reconnection=False)
        heard = asyncio.Queue()
        client.on("message-back", lambda number, data: heard.put_nowait((number, len(data))))
        await client.connect(host.url, transports=transports)
        try:
            for number in range(200):
                await client.emit("message", (number, b"x" * number))
            async with asyncio.timeout(20):
                return [await heard.get() for _ in range(200)]
        finally:
            await client.disconnect()

    assert asyncio.run(hurry()) == [(number, number) for number in range(200)]


@pytest.mark.parametrize("transports", [["polling"], ["websocket"]])
def test_the_socketio_client_is_refused(host, transports):
    client = socketio.Client(reconnection=False)
    with pytest.raises(socketio.exceptions.ConnectionError):
        client.connect(host.url, namespaces=["/unknown"], transports=transports)
    client.disconnect()
