# SPDX-License-Identifier: Apache-2.0
"""Clients in large numbers that never read, drip, or send without end (L8, B7, B8); others are served all the while."""

import asyncio
import base64
import multiprocessing
import os
import socket
import threading
import time
import urllib.parse

from client import Client
from processes import expect
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


def dripping(url, count, pipe):
    """So many connections of three kinds in a process of its own, whose work is none of the others' time."""
    upload = b"POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"
    kinds = [b"GET /health HTTP/1.1\r\nX: ", upload, b"GET /api/v2/instance HTTP/1.1\r\nHost: a\r\n\r\n" * 100]

    async def drip(one, kind):
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(5)
            try:
                if kind == 2:
                    if not await loop.sock_recv(one, 1):
                        return
                else:
                    await loop.sock_sendall(one, b"x")
            except OSError:
                return

    async def crowd():
        opened = []
        for number in range(count):
            kind = number % 3
            one = connect(url, small=kind == 2)
            one.send(kinds[kind])
            opened.append(asyncio.create_task(drip(one, kind)))
            await asyncio.sleep(0)
        pipe.send("open")
        await asyncio.to_thread(pipe.recv)
        for task in opened:
            task.cancel()

    asyncio.run(crowd())


def drips(stack, options):
    """B7: two thousand that send a head or a body, or read an answer, an octet in five seconds."""
    count, gateway = options.times or (200 if options.short else 2000), "gateway"
    traffic = Traffic(stack, options.random, people=4).prepare()
    account = Client(stack.base_urls[0], traffic.accounts[traffic.names[0]].token)

    def others(seconds):
        times, until = [], time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.monotonic()
            account.call("GET", "/api/v1/timelines/home?limit=20")
            times.append(time.monotonic() - began)
            time.sleep(0.02)
        times.sort()
        return times[int(len(times) * 0.99)]

    before = others(10)
    here, there = multiprocessing.Pipe()
    crowd = multiprocessing.get_context("fork").Process(target=dripping, args=(stack.base_urls[0], count, there))
    crowd.start()
    try:
        expect(here, "open", 60)
        began = time.monotonic()
        meanwhile = others(10)
        held = int(stack.metric(gateway, "madang_gateway_connections"))
        wait_until(lambda: stack.metric(gateway, "madang_gateway_connections") < 30, 90, "the end of those that drip", 0.5)
        taken = time.monotonic() - began
        here.send("end")
    finally:
        crowd.join(10)
        crowd.kill()
    # What the machine does besides is in both, before and after.
    alone = max(before, others(10))
    limit = alone * 1.2 * options.slack
    return held >= count * 0.9 and taken <= 32 and meanwhile <= limit, (
        f"{held} of {count} drips held, ended in {taken:.1f}/30 s and a tick, p99 of others {meanwhile * 1000:.0f}/{limit * 1000:.0f} ms, alone {alone * 1000:.0f} ms"
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
