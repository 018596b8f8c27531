# SPDX-License-Identifier: Apache-2.0
"""The plain WebSocket echo of the conformance host: an unmodified client, and frames that no client sends."""

import base64
import os
import socket as sockets
import struct

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.sync.client import connect

import conformance


@pytest.fixture(scope="module")
def host():
    with conformance.running() as host:
        yield host


FACTORIES = [
    [],
    [ClientPerMessageDeflateFactory()],
    [ClientPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)],
    [ClientPerMessageDeflateFactory(server_max_window_bits=9, client_max_window_bits=9)],
]


@pytest.mark.parametrize("factories", FACTORIES)
def test_echoes(host, factories, dice):
    url = f"ws://{host.address}/echo"
    with connect(url, extensions=factories, compression=None, max_size=None, proxy=None) as socket:
        agreed = socket.response.headers.get("Sec-WebSocket-Extensions", "")
        assert agreed.startswith("permessage-deflate") if factories else not agreed
        for message in ("", "hello", "마당 " * 10_000, b"", bytes(range(256)) * 1000, dice.randbytes(100_000), "hello"):
            socket.send(message)
            assert socket.recv(timeout=10) == message
        socket.send(["in ", "three ", "parts"])
        assert socket.recv(timeout=10) == "in three parts"
        assert socket.ping("mark").wait(10)


def frame(first, payload, mask=b"\x01\x02\x03\x04"):
    length = len(payload)
    short = length if length < 126 else 126 if length < 65_536 else 127
    long = b"" if length < 126 else struct.pack(">H" if length < 65_536 else ">Q", length)
    masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes([first, 0x80 | short]) + long + mask + masked


def end_of(host, *frames):
    """The code with which the host answers to raw frames."""
    with sockets.create_connection(host.address.split(":"), timeout=10) as raw:
        key = base64.b64encode(os.urandom(16)).decode()
        raw.sendall(
            f"GET /echo HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += raw.recv(4096)
        assert answer.startswith(b"HTTP/1.1 101")
        for one in frames:
            raw.sendall(one)
        rest = answer.split(b"\r\n\r\n", 1)[1]
        while part := raw.recv(4096):
            rest += part
        place = rest.rindex(b"\x88")
        return struct.unpack(">H", rest[place + 2:place + 4])[0]


@pytest.mark.parametrize(
    "frames, code",
    [
        ([frame(0xC1, b"compressed without agreement")], 1002),
        ([frame(0xA1, b"reserved")], 1002),
        ([frame(0x83, b"opcode")], 1002),
        ([frame(0x8B, b"opcode")], 1002),
        ([frame(0x80, b"nothing to continue")], 1002),
        ([frame(0x01, b"one"), frame(0x81, b"two")], 1002),
        ([frame(0x09, b"in two parts")], 1002),
        ([frame(0x89, b"x" * 126)], 1002),
        ([b"\x81\x05hello"], 1002),
        ([frame(0x81, b"\xce\xba\xed\xa0\x80")], 1007),
        ([frame(0x01, b"\xce\xba"), frame(0x00, b"\xf4\x90")], 1007),
        ([frame(0x81, b"\xe2\x82")], 1007),
        ([b"\x81\x8a\0\0\0\0", b"abc\xff"], 1007),
        ([frame(0x88, b"x")], 1002),
        ([frame(0x88, struct.pack(">H", 1005))], 1002),
        ([frame(0x88, struct.pack(">H", 999))], 1002),
        ([frame(0x88, struct.pack(">H", 2999))], 1002),
        ([frame(0x88, struct.pack(">H", 1000) + b"\xce")], 1007),
        ([frame(0x88, struct.pack(">H", 3999) + "이유".encode())], 3999),
        ([frame(0x01, b"part"), frame(0x89, b"between"), frame(0x80, b""), frame(0x88, b"\x03\xe8")], 1000),
        ([b"\x82\xff" + struct.pack(">Q", 1 << 40) + b"\0\0\0\0"], 1009),
    ],
)
def test_frames_that_no_client_sends(host, frames, code):
    assert end_of(host, *frames) == code


def test_a_bomb_is_cut_off(host):
    factory = ClientPerMessageDeflateFactory()
    with connect(f"ws://{host.address}/echo", extensions=[factory], compression=None, proxy=None) as socket:
        with pytest.raises(ConnectionClosed):
            socket.send(b"\0" * (65 << 20))
            socket.recv(timeout=10)
        assert socket.close_code == 1009
