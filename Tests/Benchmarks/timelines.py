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
import secrets
import statistics
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from drill import Stack, wait_until  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(roots):
    """User and system time of the processes and of everything below them, the dead included."""
    parents, spent = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry.name)] = int(fields[1])
            spent[int(entry.name)] = sum(int(fields[index]) for index in (11, 12, 13, 14)) / TICK

    def belongs(pid):
        while pid > 1:
            if pid in roots:
                return True
            pid = parents.get(pid, 0)
        return False

    return sum(seconds for pid, seconds in spent.items() if belongs(pid))


class Bench:
    def __init__(self, base_url, run):
        self.base_url = base_url
        self.stack = Stack(run, base_url)
        self.names = ["postgres", "rabbitmq", "auth", "posts", "chat", "notifications", "gateway"]
        self.clients = []

    def roots(self):
        return {self.stack.pid(name) for name in self.names}

    def measure(self, label, calls, workers=16):
        """`calls` are functions without arguments; prints CPU ms a call and calls a second."""
        wait_until(self.stack.is_drained, 60, "draining")
        roots = self.roots()
        before, began = cpu_seconds(roots), time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
            for _ in pool.map(lambda call: call(), calls):
                pass
        took = time.monotonic() - began
        wait_until(self.stack.is_drained, 120, "draining")
        spent = cpu_seconds(roots) - before
        print(f"{label:44} {1000 * spent / len(calls):8.2f} ms CPU   {len(calls) / took:8.0f}/s", flush=True)

    def sign_up(self, prefix, count):
        tag = secrets.token_hex(3)
        return list(sign_up(self.base_url, [f"{prefix}_{tag}_{number}" for number in range(count)]).values())


def identity(client):
    account, _ = client.call("GET", "/api/v1/accounts/verify_credentials")
    return account["id"]


def stream_latency(bench, author, replier, root, rounds):
    """Milliseconds from sending a reply to its notification on the author's open stream."""
    url = urllib.parse.urlsplit(bench.base_url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request("GET", "/api/v1/streaming/user/notification", headers={"Authorization": f"Bearer {author.token}"})
    stream = connection.getresponse()
    arrived, seen = {}, threading.Condition()

    def read():
        while line := stream.fp.readline():
            if b"data:" in line and b"latency-" in line:
                key = line.split(b"latency-")[1].split(b"-")[0].decode()
                with seen:
                    arrived[key] = time.monotonic()
                    seen.notify_all()

    threading.Thread(target=read, daemon=True).start()
    took = []
    for number in range(rounds):
        began = time.monotonic()
        replier.call("POST", "/api/v1/statuses", {"status": f"latency-{number}-", "in_reply_to_id": root})
        with seen:
            if not seen.wait_for(lambda: str(number) in arrived, timeout=10):
                raise SystemExit("no notification within 10 s")
        took.append(1000 * (arrived[str(number)] - began))
    took.sort()
    print(f"{'reply -> notification on an open stream':44} p50 {statistics.median(took):.1f} ms, p99 {took[int(len(took) * 0.99)]:.1f} ms")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    options = arguments.parse_args()
    bench = Bench(options.base_url, options.run)

    followers = bench.sign_up("follower", 200)
    popular, quiet = bench.sign_up("author", 2)
    popular_id = identity(popular)
    bench.measure("follow", [lambda c=c: c.call("POST", f"/api/v1/accounts/{popular_id}/follow") for c in followers])
    post = lambda client: lambda: client.call("POST", "/api/v1/statuses", {"status": f"hello {secrets.token_hex(4)}"})  # noqa: E731
    bench.measure("post, no followers", [post(quiet)] * 400)
    bench.measure("post, 200 followers", [post(popular)] * 100)
    root, _ = popular.call("POST", "/api/v1/statuses", {"status": "root"})
    bench.measure(
        "reply",
        [lambda c=c: c.call("POST", "/api/v1/statuses", {"status": "me too", "in_reply_to_id": root["id"]}) for c in followers[:50]],
    )
    bench.measure("favourite", [lambda c=c: c.call("POST", f"/api/v1/statuses/{root['id']}/favourite") for c in followers])
    bench.measure("unfavourite", [lambda c=c: c.call("POST", f"/api/v1/statuses/{root['id']}/unfavourite") for c in followers])
    read = lambda path: [lambda c=followers[n % 200]: c.call("GET", path) for n in range(2000)]  # noqa: E731
    bench.measure("home timeline, 20 posts", read("/api/v1/timelines/home"))
    bench.measure("account timeline, one hot", read(f"/api/v1/accounts/{popular_id}/statuses"))
    bench.measure("thread of 50 replies", read(f"/api/v1/statuses/{root['id']}/context")[:500])
    bench.measure("notifications, 20", [lambda: popular.call("GET", "/api/v1/notifications?limit=20")] * 1000)
    bench.measure("unfollow", [lambda c=c: c.call("POST", f"/api/v1/accounts/{popular_id}/unfollow") for c in followers])
    stream_latency(bench, popular, followers[0], root["id"], 200)
    print(json.dumps({"date": time.strftime("%F", time.gmtime()), "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
