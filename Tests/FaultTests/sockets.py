# SPDX-License-Identifier: Apache-2.0
"""A lean Socket.IO client (protocol 5 over Engine.IO 4, WebSocket only), of which one process can hold thousands."""

import asyncio
import base64
import json
import os
import urllib.parse


class Refused(Exception):
    """CONNECT_ERROR, or a handshake that was answered with something else than 101."""


class Connection(asyncio.Protocol):
    """One connection with the default namespace.

    `on_event(name, argument)` is called for each event in the order of arrival. `closed` is done when the connection is.
    """

    def __init__(self, request, auth, on_event):
        loop = asyncio.get_running_loop()
        self._request = request
        self._auth = auth
        self._on_event = on_event
        self._buffer = bytearray()
        self._fragments = bytearray()
        self._is_open = False
        self._next_acknowledgement = 0
        self._acknowledgements = {}
        self._transport = None
        self.connected = loop.create_future()
        self.closed = loop.create_future()

    @classmethod
    async def open(cls, base_url, auth, on_event, timeout=15):
        url = urllib.parse.urlsplit(base_url)
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        async with asyncio.timeout(timeout):
            _, connection = await asyncio.get_running_loop().create_connection(
                lambda: cls(request.encode(), auth, on_event), url.hostname, url.port
            )
            try:
                await connection.connected
            except BaseException:
                connection.abort()
                raise
        return connection

    def abort(self):
        """Cuts the line without a word."""
        if self._transport:
            self._transport.abort()

    def emit(self, name, argument):
        """Sends an event; the future is done with the acknowledgement, or failed with ConnectionError."""
        if self.closed.done():
            raise ConnectionError("closed")
        future = asyncio.get_running_loop().create_future()
        number = self._next_acknowledgement
        self._next_acknowledgement += 1
        self._acknowledgements[number] = future
        self._send("42" + str(number) + json.dumps([name, argument], separators=(",", ":")))
        return future

    # The protocol.

    def connection_made(self, transport):
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error):
        failure = ConnectionError("the connection was lost")
        for future in [self.connected, *self._acknowledgements.values()]:
            if not future.done():
                future.set_exception(failure)
                future.exception()  # Seen: nobody may be waiting any more.
        self._acknowledgements = {}
        if not self.closed.done():
            self.closed.set_result(None)

    def data_received(self, data):
        self._buffer += data
        if not self._is_open and not self._shake_hands():
            return
        while frame := self._frame():
            opcode, is_last, payload = frame
            if opcode == 8:
                self._transport.close()
                return
            if opcode == 9:
                self._write(10, payload)
            elif opcode in (0, 1):
                self._fragments += payload
                if is_last:
                    text, self._fragments = self._fragments.decode(), bytearray()
                    self._packet(text)

    def _shake_hands(self):
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        if not head.startswith(b"HTTP/1.1 101"):
            self._fail(Refused(head.split(b"\r\n")[0].decode(errors="replace")))
            return False
        self._is_open = True
        return True

    def _fail(self, error):
        if not self.connected.done():
            self.connected.set_exception(error)
        self.abort()

    def _frame(self):
        """The next whole frame in the buffer: opcode, whether it is the last of its message, payload."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 0x7F, 2
        if length > 125:
            start = 4 if length == 126 else 10
            if len(buffer) < start:
                return None
            length = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + length:
            return None
        frame = buffer[0] & 0x0F, bool(buffer[0] & 0x80), bytes(buffer[start : start + length])
        del buffer[: start + length]
        return frame

    def _send(self, text):
        self._write(1, text.encode())

    def _write(self, opcode, payload):
        length, mask = len(payload), os.urandom(4)
        if length < 126:
            head = bytes((0x80 | opcode, 0x80 | length))
        elif length < 1 << 16:
            head = bytes((0x80 | opcode, 0xFE)) + length.to_bytes(2, "big")
        else:
            head = bytes((0x80 | opcode, 0xFF)) + length.to_bytes(8, "big")
        key = (mask * (length // 4 + 1))[:length]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(length, "big")
        self._transport.write(head + mask + masked)

    def _packet(self, text):
        kind = text[:1]
        if kind == "2":
            self._send("3" + text[1:])
        elif kind == "0":
            self._send("40" + json.dumps(self._auth, separators=(",", ":")))
        elif kind == "4":
            self._message(text[1:])

    def _message(self, text):
        kind = text[:1]
        if kind == "2":
            name, *arguments = json.loads(text[1:])
            self._on_event(name, arguments[0] if arguments else None)
        elif kind == "3":
            start = text.index("[")
            future = self._acknowledgements.pop(int(text[1:start]), None)
            if future and not future.done():
                arguments = json.loads(text[start:])
                future.set_result(arguments[0] if arguments else None)
        elif kind == "0":
            if not self.connected.done():
                self.connected.set_result(json.loads(text[1:]))
        elif kind == "4":
            self._fail(Refused(text[1:]))
        elif kind == "1":
            self._transport.close()
