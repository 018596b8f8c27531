# SPDX-License-Identifier: Apache-2.0
"""Clients in large numbers that never read, drip, or send without end (L8, B7, B8); others are served all the while."""

import asyncio
import base64
import os
import socket
import threading
import time
import urllib.parse

from client import Client
from outages import length
from stack import wait_until
from traffic import Traffic

MEBIBYTE = 1 << 20


def resident(stack, name):
    """Octets of memory that a process holds."""
    for line in open(f"/proc/{stack.pid(name)}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


class Peak:
    """The most that processes hold at a time beyond what they held at the start, looked at ten times a second."""

    def __init__(self, stack, *names):
        self.stack = stack
        self.names = names
        self.before = {name: resident(stack, name) for name in names}
        self.growth = dict.fromkeys(names, 0)
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self):
        while True:
            for name in self.names:
                self.growth[name] = max(self.growth[name], resident(self.stack, name) - self.before[name])
            if self.stopped.wait(0.1):
                return

    def stop(self):
        """The growth of whichever grew the most, in MiB."""
        self.stopped.set()
        self.thread.join()
        return max(self.growth.values()) / MEBIBYTE


def connect(url, small=False):
    """A connection that does not block; `small` takes as little as the system allows before it is read."""
    address = urllib.parse.urlsplit(url)
    one = socket.socket()
    if small:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect((address.hostname, address.port))
    one.setblocking(False)
    return one


def slow_readers(stack, options):
    """L8: a thousand streams that never read: each is closed at its bound, and none of them costs memory."""
    count, url = options.times or (200 if options.short else 1000), stack.base_urls[0]
    traffic = Traffic(stack, options.random, people=4).prepare()
    author = traffic.accounts[traffic.names[0]]
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
    readers = []
    for number in range(count):
        one = connect(url, small=True)
        path, fields = ("/api/v1/streaming?stream=public", upgrade) if number % 2 else ("/api/v1/streaming/public", "")
        one.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {author.token}\r\n{fields}\r\n".encode())
        readers.append(one)
    streams = lambda: int(stack.metric("gateway", "madang_gateway_streams"))
    wait_until(lambda: streams() == count, 60, f"{count} streams")
    peak = Peak(stack, "gateway")
    text, posts = "<" * 480, 0
    # 256 wait in the gateway; before them some go into what the system keeps for a connection.
    while streams() and posts < 800:
        author.insist("POST", "/api/v1/statuses", {"status": f"{text} {posts}"})
        posts += 1
    left, growth = streams(), peak.stop()
    for one in readers:
        one.close()
    return not left and growth <= 100, f"{count} readers, {left}/0 left after {posts} posts, memory +{growth:.0f}/100 MiB"


def drips(stack, options):
    """B7: two thousand that send a head or a body, or read an answer, an octet in five seconds."""
    count, url = options.times or (200 if options.short else 2000), stack.base_urls[0]
    traffic = Traffic(stack, options.random, people=4).prepare()
    account = traffic.accounts[traffic.names[0]]
    for number in range(60):
        account.insist("POST", "/api/v1/statuses", {"status": "<" * 480 + str(number)})
    page = b"GET /api/v1/timelines/public?limit=40 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    kinds = [b"GET /health HTTP/1.1\r\nX: ", b"POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n", page * 4]

    def others(seconds):
        times, until = [], time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.monotonic()
            account.call("GET", "/api/v1/timelines/home?limit=20")
            times.append(time.monotonic() - began)
            time.sleep(0.02)
        times.sort()
        return times[int(len(times) * 0.99)], len(times)

    async def drip(kind):
        loop, one = asyncio.get_running_loop(), connect(url, small=kind == 2)
        began = time.monotonic()
        try:
            await loop.sock_sendall(one, kinds[kind])
            while time.monotonic() - began < 90:
                try:
                    if kind == 2:
                        await asyncio.sleep(5)
                        if not await asyncio.wait_for(loop.sock_recv(one, 1), 60):
                            break
                    else:
                        # An answer and the end are the same to it: it goes.
                        await asyncio.wait_for(loop.sock_recv(one, 1), 5)
                        break
                except TimeoutError:
                    await loop.sock_sendall(one, b"x")
        except OSError:
            pass
        finally:
            one.close()
        return time.monotonic() - began

    async def crowd():
        # Slow readers leave octets behind; the gateway is asked when it has let go of all of them.
        began = time.monotonic()
        dripping = [asyncio.create_task(drip(number % 3)) for number in range(count)]
        late, asked = await asyncio.to_thread(others, 20)
        connections = lambda: stack.metric("gateway", "madang_gateway_connections")
        await asyncio.to_thread(wait_until, lambda: connections() < 20, 60, "the end of those that drip")
        taken = time.monotonic() - began
        for task in dripping:
            task.cancel()
        await asyncio.gather(*dripping, return_exceptions=True)
        return late, asked, taken

    alone, _ = others(10)
    late, asked, taken = asyncio.run(crowd())
    limit = alone * 1.2 * options.slack
    return taken <= 32 and late <= limit, (
        f"{count} drips ended in {taken:.1f}/30 s and a tick, p99 of {asked} others {late * 1000:.0f}/{limit * 1000:.0f} ms, alone {alone * 1000:.0f} ms"
    )


def endless_bodies(stack, options):
    """B8: 1 GiB in one body, announced and not: refused before it is read, and kept nowhere."""
    total = 1 << 30
    account = next(iter(Traffic(stack, options.random, people=4).prepare().accounts.values()))
    names = [*stack.copies("gateway"), *stack.copies("posts"), *stack.copies("auth")]
    peak, told, sent_most = Peak(stack, *names), [], 0
    piece = b"y" * 65536
    for path, kind in [
        ("/api/v1/statuses", "multipart/form-data; boundary=x"), ("/api/v1/statuses", "application/json"),
        ("/api/v1/accounts/update_credentials", "multipart/form-data; boundary=x"),
    ]:  # fmt: skip
        for framing in (f"Content-Length: {total}", "Transfer-Encoding: chunked"):
            one = connect(stack.base_urls[0])
            one.setblocking(True)
            one.settimeout(30)
            method = "PATCH" if "update" in path else "POST"
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {account.token}\r\nContent-Type: {kind}\r\n{framing}\r\n\r\n"
            start = b'--x\r\nContent-Disposition: form-data; name="status"\r\n\r\n'
            chunked = "chunked" in framing
            sent, answer = 0, b""
            try:
                one.sendall(head.encode())
                while sent < total:
                    body = start + piece if sent == 0 else piece
                    one.sendall(b"%x\r\n%s\r\n" % (len(body), body) if chunked else body)
                    sent += len(body)
            except OSError:
                pass
            try:
                while more := one.recv(65536):
                    answer += more
            except OSError:
                pass
            one.close()
            told.append(answer[9:12].decode(errors="replace") or "cut")
            sent_most = max(sent_most, sent)
    growth = peak.stop()
    Client(stack.base_urls, account.token).insist("GET", "/api/v1/timelines/home")
    passed = all(status in ("413", "cut") for status in told) and "413" in told and growth <= 32
    return passed, f"{len(told)} bodies of 1 GiB told {' '.join(told)}, at most {sent_most / MEBIBYTE:.0f} MiB read and dropped, memory +{growth:.0f}/32 MiB"
