# SPDX-License-Identifier: Apache-2.0
"""CPU milliseconds a request, database and broker included, until everything is idle again.

One round of each request against a running stack: posts with 0 and with 200 followers, home timeline, account
timeline, thread, favourite, follow, notifications, and the time from a reply to its notification on an open stream.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import secrets
import selectors
import socket
import statistics
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import share_connections, sign_up  # noqa: E402
from stack import ENGINES, SERVICES, Stack  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(roots):
    """User and system time by name of the processes `roots` (id → name), of everything below them and of the dead."""
    parents, spent = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry.name)] = int(fields[1])
            spent[int(entry.name)] = sum(int(fields[index]) for index in (11, 12, 13, 14)) / TICK

    used = dict.fromkeys(roots.values(), 0.0)
    for pid, seconds in spent.items():
        above = pid
        while above > 1 and above not in roots:
            above = parents.get(above, 0)
        if above in roots:
            used[roots[above]] += seconds
    return used


class Bench:
    def __init__(self, base_url, run):
        self.base_url = base_url
        self.stack = Stack(run, base_url)
        self.names = ENGINES + SERVICES
        self.clients = []

    def roots(self):
        return {self.stack.pid(name): name for name in self.names}

    def spent(self):
        return cpu_seconds(self.roots())

    def settle(self):
        """Returns once everything that was asked for has been done: nobody uses the processor any more.

        The gauges of outboxes and queues are some seconds old, so they alone do not say it.
        """
        quiet, before = 0, sum(self.spent().values())
        while quiet < 3:
            time.sleep(0.4)
            now = sum(self.spent().values())
            quiet = quiet + 1 if now - before <= 0.4 * self.idle + 0.02 else 0
            before = now

    def measure_idle(self):
        """What is used while nothing is asked for, in processor seconds a second: it is no request's."""
        self.stack.wait_quiet(60)
        spans = [self.rates_of(5)]
        # An autovacuum that was at work would be taken off every request that is measured later.
        while len(spans) < 2 or abs(sum(spans[-1].values()) - sum(spans[-2].values())) > 0.02:
            if len(spans) == 12:
                raise SystemExit("not measured: PostgreSQL, RabbitMQ or the services do not come to rest within a minute")
            spans.append(self.rates_of(5))
        self.rates = min(spans[-2:], key=lambda rates: sum(rates.values()))
        self.idle = sum(self.rates.values())
        print(f"{'idle':40} {1000 * self.idle:7.1f} ms CPU a second", flush=True)

    def rates_of(self, seconds):
        before, began = self.spent(), time.monotonic()
        time.sleep(seconds)
        after, took = self.spent(), time.monotonic() - began
        return {name: (after[name] - before[name]) / took for name in self.names}

    def measure(self, label, calls, workers=16):
        """`calls` are functions without arguments; prints and returns CPU ms a call, and prints whose it was and calls a second."""

        def ask():
            with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
                for _ in pool.map(lambda call: call(), calls):
                    pass

        return self.measure_all(label, ask, len(calls))

    def measure_all(self, label, ask, count):
        """The same of `count` things that `ask` asks for."""
        self.settle()
        before, began = self.spent(), time.monotonic()
        ask()
        took = time.monotonic() - began
        self.settle()
        return self.show(f"{label:40} {count / took:7.0f}/s", before, self.spent(), time.monotonic() - began, count)

    def show(self, label, before, after, whole, count):
        """Prints and returns CPU ms each of `count` things, without what is used when nothing is asked for."""
        each = {name: 1000 * (after[name] - before[name] - whole * self.rates[name]) / count for name in self.names}
        parts = ", ".join(f"{name} {value:.2f}" for name, value in each.items() if value >= 0.005)
        print(f"{label:50} {sum(each.values()):7.2f} ms CPU   {parts}", flush=True)
        return sum(each.values())

    def sign_up(self, prefix, count):
        tag = secrets.token_hex(3)
        people = list(sign_up(self.base_url, [f"{prefix}_{tag}_{number}" for number in range(count)]).values())
        share_connections(people)
        return people


def identity(client):
    account, _ = client.call("GET", "/api/v1/accounts/verify_credentials")
    return account["id"]


def shown_by(bench, account, mark, arrived):
    """Opens the account's stream of notifications, which calls `arrived` with `7` for a post of `mark-7-`, in a thread of its own."""
    url = urllib.parse.urlsplit(bench.base_url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    connection.request("GET", "/api/v1/streaming/user/notification", headers={"Authorization": f"Bearer {account.token}"})
    stream = connection.getresponse()
    pattern = re.compile(rb"data:.*" + mark.encode() + rb"-(\d+)-")

    def read():
        while line := stream.fp.readline():
            if found := pattern.match(line):
                arrived(found[1].decode())

    threading.Thread(target=read, daemon=True).start()


def stream_latency(bench, author, replier, root, rounds):
    """Milliseconds from sending a reply to its notification on the author's open stream."""
    arrived, seen = {}, threading.Condition()

    def note(key):
        with seen:
            arrived[key] = time.monotonic()
            seen.notify_all()

    shown_by(bench, author, "latency", note)
    took = []
    for number in range(rounds):
        began = time.monotonic()
        replier.call("POST", "/api/v1/statuses", {"status": f"latency-{number}-", "in_reply_to_id": root})
        with seen:
            if not seen.wait_for(lambda: str(number) in arrived, timeout=10):
                raise SystemExit("no notification within 10 s")
        took.append(1000 * (arrived[str(number)] - began))
    took.sort()
    print(f"{'reply -> notification on an open stream':40} p50 {statistics.median(took):.1f} ms, p99 {took[int(len(took) * 0.99)]:.1f} ms")


def fan_out_latency(bench, author, followers, rounds):
    """Milliseconds from sending a post until the last follower's open stream has shown it."""
    url = urllib.parse.urlsplit(bench.base_url)
    selector = selectors.DefaultSelector()
    for follower in followers:
        connection = socket.create_connection((url.hostname, url.port))
        connection.sendall(
            f"GET /api/v1/streaming/user HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {follower.token}\r\n\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += connection.recv(4096)
        selector.register(connection, selectors.EVENT_READ, [head.split(b"\r\n\r\n", 1)[1]])
    took = []
    for number in range(rounds):
        bench.settle()
        mark, waiting, began = f"fanout-{number}-".encode(), len(followers), time.monotonic()
        author.call("POST", "/api/v1/statuses", {"status": mark.decode()})
        while waiting:
            ready = selector.select(timeout=10)
            if not ready:
                raise SystemExit(f"{waiting} followers saw nothing within 10 s")
            for key, _ in ready:
                key.data[0] += key.fileobj.recv(65536)
                if mark in key.data[0]:
                    key.data[0] = b""
                    waiting -= 1
        took.append(1000 * (time.monotonic() - began))
        # What is left of the event has arrived before the next round begins.
        while ready := selector.select(timeout=0.1):
            for key, _ in ready:
                key.fileobj.recv(65536)
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    print(f"{f'post -> the last of {len(followers)} open streams':40} p50 {statistics.median(took):.1f} ms, most {max(took):.1f} ms", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    options = arguments.parse_args()
    bench = Bench(options.base_url, options.run)

    bench.measure_idle()
    followers = bench.sign_up("follower", 200)
    popular, quiet = bench.sign_up("author", 2)
    popular_id = identity(popular)
    bench.measure("follow", [lambda c=c: c.call("POST", f"/api/v1/accounts/{popular_id}/follow") for c in followers])
    post = lambda client: lambda: client.call("POST", "/api/v1/statuses", {"status": f"hello {secrets.token_hex(4)}"})  # noqa: E731
    bench.measure("post, no followers", [post(quiet)] * 400)
    bench.measure("post, 200 followers", [post(popular)] * 100)
    fan_out_latency(bench, popular, followers, 30)
    root, _ = popular.call("POST", "/api/v1/statuses", {"status": "root"})
    bench.measure(
        "reply",
        [lambda c=c: c.call("POST", "/api/v1/statuses", {"status": "me too", "in_reply_to_id": root["id"]}) for c in followers[:50]],
    )
    bench.measure("favourite", [lambda c=c: c.call("POST", f"/api/v1/statuses/{root['id']}/favourite") for c in followers])
    bench.measure("unfavourite", [lambda c=c: c.call("POST", f"/api/v1/statuses/{root['id']}/unfavourite") for c in followers])
    read = lambda path: [lambda c=followers[n % 200]: c.call("GET", path) for n in range(2000)]  # noqa: E731
    bench.measure("home timeline, 20 posts, first time", read("/api/v1/timelines/home")[:200])
    bench.measure("home timeline, 20 posts", read("/api/v1/timelines/home"))
    bench.measure("account timeline, one hot", read(f"/api/v1/accounts/{popular_id}/statuses"))
    with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:
        list(pool.map(lambda client: [post(client)() for _ in range(20)], followers[:100]))
        ids = list(pool.map(identity, followers[:100]))
    turns = [lambda c=followers[n % 200], i=ids[n % 100]: c.call("GET", f"/api/v1/accounts/{i}/statuses") for n in range(2000)]
    bench.measure("account timeline, 100 in turn", turns)
    bench.measure("thread of 50 replies", read(f"/api/v1/statuses/{root['id']}/context")[:500])
    bench.measure("notifications, 20", [lambda: popular.call("GET", "/api/v1/notifications?limit=20")] * 1000)
    bench.measure("unfollow", [lambda c=c: c.call("POST", f"/api/v1/accounts/{popular_id}/unfollow") for c in followers])
    stream_latency(bench, popular, followers[0], root["id"], 200)
    print(json.dumps({"date": time.strftime("%F", time.gmtime()), "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
