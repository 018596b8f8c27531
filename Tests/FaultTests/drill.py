# SPDX-License-Identifier: Apache-2.0
"""Kills processes at random while replies arrive at a steady rate, then accounts for every one of them.

Each acknowledged reply must be exactly one post and exactly one notification, whatever was killed and whenever
(F1). With failpoints it also kills a process at named moments: between commit and publish, between publish and
deletion, between commit and acknowledgement (F4, F5).
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import secrets
import signal
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter

from client import Away, Client, Refused, sign_up
from ledger import Ledger, is_clean, judge

PROCESSES = ["rabbitmq", "posts", "postgres", "notifications", "gateway", "auth"]
PORTS = {"auth": 1, "posts": 2, "notifications": 3, "chat": 5}


class Stack:
    """The processes of a running stack, by the files that their supervisors keep."""

    def __init__(self, run, base_url):
        self.run = pathlib.Path(run)
        self.port = int(base_url.rsplit(":", 1)[1])

    def pid(self, name):
        try:
            return int((self.run / f"{name}.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def kill(self, name):
        """SIGKILL; returns the id that was killed, or None when it was down already."""
        pid = self.pid(name)
        try:
            if pid:
                os.kill(pid, signal.SIGKILL)
                return pid
        except ProcessLookupError:
            pass
        return None

    def metrics(self, service):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port + PORTS[service]}/metrics", timeout=3) as answer:
                return answer.read().decode()
        except OSError:
            return ""

    def gauge(self, service, name):
        values = re.findall(rf"^{name}(?:{{[^}}]*}})? ([-0-9.eE+]+)$", self.metrics(service), re.MULTILINE)
        return sum(map(float, values)) if values else None

    def is_drained(self):
        """Every outbox and every queue is empty."""
        depths = [self.gauge(service, "madang_outbox_depth") for service in PORTS]
        lags = [self.gauge(service, "madang_consumer_lag") for service in ("posts", "notifications", "chat")]
        return all(value == 0 for value in depths + lags)


def wait_until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"drill: {what} did not happen within {seconds} s")
        time.sleep(0.1)


class Drill:
    def __init__(self, base_url, run, replies, rate, seed):
        self.base_url = base_url
        self.stack = Stack(run, base_url)
        self.replies = replies
        self.rate = rate
        self.random = random.Random(seed)
        self.ledger = Ledger(pathlib.Path(tempfile.mkdtemp(prefix="madang-drill-")) / "ledger.jsonl")
        self.in_flight = 0
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.kills = []

    def prepare(self):
        tag = secrets.token_hex(4)
        self.accounts = sign_up(self.base_url, [f"drill_{tag}_{number}" for number in range(12)])
        self.roots = {}
        for name, account in self.accounts.items():
            post, _ = account.insist("POST", "/api/v1/statuses", {"status": f"root of {name}"})
            self.roots[name] = post["id"]

    def reply(self, number):
        """Sends one reply and insists, with its Idempotency-Key, until the outcome is known."""
        names = list(self.accounts)
        author, target = names[number % len(names)], names[(number * 7 + 1) % len(names)]
        if author == target:
            target = names[(number + 1) % len(names)]
        key = f"reply-{number}"
        self.ledger.intend(key, author=author, target=target)
        with self.lock:
            self.in_flight += 1
        try:
            post, _ = self.accounts[author].insist(
                "POST",
                "/api/v1/statuses",
                {"status": f"<{key}>", "in_reply_to_id": self.roots[target]},
                {"Idempotency-Key": f"{self.roots[target]}-{key}"},
            )
            self.ledger.note(key, "acknowledged", id=post["id"])
        except Refused as refusal:
            self.ledger.note(key, "refused", why=str(refusal))
        except Away as away:
            self.ledger.note(key, "unknown", why=str(away))
        finally:
            with self.lock:
                self.in_flight -= 1

    def kill_in_turn(self, interval):
        order = list(PROCESSES)
        while not self.stopped.wait(interval * (0.7 + 0.6 * self.random.random())):
            name = order.pop(0)
            order.append(name)
            with self.lock:
                busy = self.in_flight
            depth = self.stack.gauge("posts", "madang_outbox_depth")
            if pid := self.stack.kill(name):
                self.kills.append({"process": name, "in_flight": busy, "outbox": depth or 0})
                # The next victim only after this one is back: otherwise nothing is ever up at the same time.
                wait_until(lambda: self.stack.pid(name) not in (None, pid), 60, f"the restart of {name}")

    def run(self, interval):
        self.prepare()
        killer = threading.Thread(target=self.kill_in_turn, args=(interval,))
        killer.start()
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(max_workers=64) as pool:
            sent = []
            for number in range(self.replies):
                # Open loop: replies come at their time, whether or not earlier ones were answered.
                due = began + number / self.rate
                time.sleep(max(0, due - time.monotonic()))
                sent.append(pool.submit(self.reply, number))
            for future in sent:
                future.result()
        self.stopped.set()
        killer.join()
        healing = time.monotonic()
        wait_until(self.stack.is_drained, 120, "draining")
        wait_until(self.stack.is_drained, 30, "staying drained")
        return time.monotonic() - healing

    def observed_posts(self):
        seen = Counter()
        for name, root in self.roots.items():
            context, _ = self.accounts[name].insist("GET", f"/api/v1/statuses/{root}/context")
            seen.update(marker(post) for post in context["descendants"])
        return seen

    def observed_notifications(self):
        seen = Counter()
        for account in self.accounts.values():
            for notification in account.pages("/api/v1/notifications?limit=80&types[]=mention"):
                seen[marker(notification["status"])] += 1
        return seen


def marker(post):
    found = re.search(r"&lt;(reply-\d+)&gt;", post["content"])
    return found[1] if found else f"unmarked {post['id']}"


def run_failpoints(base_url, run, points_file):
    """Kills the process that reaches each named point, once; the reply must still become one post and one notification."""
    drill = Drill(base_url, run, 0, 1, 0)
    drill.prepare()
    points = [
        ("posts", "create.begun"),
        ("posts", "create.written"),
        ("posts", "create.committed"),
        ("posts", "relay.selected"),
        ("posts", "relay.confirmed"),
        ("posts", "relay.deleted"),
        ("notifications", "consumer.delivered"),
        ("notifications", "consumer.claimed"),
        ("notifications", "consumer.committed"),
        ("notifications", "relay.selected"),
        ("notifications", "relay.confirmed"),
    ]
    path = pathlib.Path(points_file)
    for number, (process, point) in enumerate(points):
        before = drill.stack.pid(process)
        path.write_text(f"{process}:{point}")
        drill.reply(number)
        wait_until(lambda: drill.stack.pid(process) not in (None, before), 30, f"the kill of {process} at {point}")
        if path.exists():
            raise SystemExit(f"drill: {process} never reached {point}")
    wait_until(drill.stack.is_drained, 60, "draining")
    verdicts = [judge(drill.ledger, drill.observed_posts(), "posts"), judge(drill.ledger, drill.observed_notifications(), "notifications")]
    for verdict in verdicts:
        print("F4/F5 failpoints:", verdict)
    print(f"F4/F5 kills at named points: {len(points)}")
    return all(map(is_clean, verdicts))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--replies", type=int, default=2000)
    arguments.add_argument("--rate", type=float, default=50, help="replies a second")
    arguments.add_argument("--interval", type=float, default=3, help="seconds between kills")
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    arguments.add_argument("--failpoints", help="the file that the processes watch (MADANG_FAILPOINTS)")
    options = arguments.parse_args()

    clean = True
    if options.failpoints:
        clean = run_failpoints(options.base_url, options.run, options.failpoints)

    print(f"F1 drill: {options.replies} replies at {options.rate:g}/s, a kill every {options.interval:g} s, seed {options.seed}", flush=True)
    drill = Drill(options.base_url, options.run, options.replies, options.rate, options.seed)
    heal = drill.run(options.interval)
    verdicts = [judge(drill.ledger, drill.observed_posts(), "posts"), judge(drill.ledger, drill.observed_notifications(), "notifications")]
    killed = Counter(kill["process"] for kill in drill.kills)
    print("kills:", dict(killed))
    print("kills with requests in flight:", sum(1 for kill in drill.kills if kill["in_flight"]), "of", len(drill.kills))
    print("kills with events between commit and publish:", sum(1 for kill in drill.kills if kill["outbox"]))
    print(f"drained {heal:.1f} s after the last reply")
    for service in ("posts", "notifications"):
        print(f"dead letters of {service}:", drill.stack.gauge(service, "madang_dead_letters"))
    for verdict in verdicts:
        print(verdict)
    exercised = any(kill["in_flight"] for kill in drill.kills)
    if not exercised:
        print("drill: no kill landed while a request was in flight: not exercised")
    passed = clean and exercised and all(map(is_clean, verdicts))
    print("drill passed" if passed else f"drill FAILED; the ledger is {drill.ledger._file.name}")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
