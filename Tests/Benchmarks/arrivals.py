# SPDX-License-Identifier: Apache-2.0
"""Requests that arrive at a constant rate, whether or not earlier ones were answered: home timelines, posts, and both.

200 people who each follow 20 of the others; every home holds a page of 20. Fails where a goal of reliability.md (L1, L2, L3) is missed
on a machine of which the clients use a part themselves.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import secrets
import subprocess
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from stack import ENGINES, SERVICES, Stack  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

PEOPLE, FOLLOWED, CONNECTIONS = 200, 20, 128


class OutboxAge(threading.Thread):
    """How old the oldest event is that waits in the outbox of posts, looked at twice a second."""

    def __init__(self, stack):
        super().__init__(daemon=True)
        self.stack, self.over, self.ages = stack, threading.Event(), []

    def run(self):
        while not self.over.wait(0.5):
            rows = self.stack.psql("SELECT coalesce(extract(epoch FROM clock_timestamp() - min(recorded_at)), 0) FROM posts.outbox")
            self.ages.append(1000 * float(rows[0][0]))

    def p99(self):
        self.over.set()
        self.join()
        return sorted(self.ages)[int(0.99 * (len(self.ages) - 1))] if self.ages else 0.0


def get_request(client, path):
    return f"GET {path} HTTP/1.1\r\nHost: madang\r\nAuthorization: Bearer {client.token}\r\n\r\n"


def post_request(client, path, form):
    body = urllib.parse.urlencode(form)
    return (
        f"POST {path} HTTP/1.1\r\nHost: madang\r\nAuthorization: Bearer {client.token}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )


def arrive(program, base_url, connections, rate, seconds, requests, *mark):
    """What the program made of arrivals.c says of these requests."""
    ran = subprocess.run(
        [program, *map(str, (urllib.parse.urlsplit(base_url).port, connections, rate, seconds)), *mark],
        input="".join(f"{request}\0" for request in requests).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(ran.stdout)


class Bench:
    def __init__(self, options):
        self.options = options
        self.stack = Stack(options.run, options.base_url)
        tag = secrets.token_hex(3)
        self.people = list(sign_up(options.base_url, [f"arriving_{tag}_{number}" for number in range(PEOPLE)]).values())
        with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
            ids = list(pool.map(lambda client: client.call("GET", "/api/v1/accounts/verify_credentials")[0]["id"], self.people))

            def settle_in(index):
                for step in range(1, FOLLOWED + 1):
                    self.people[index].call("POST", f"/api/v1/accounts/{ids[(index + step) % PEOPLE]}/follow")

            list(pool.map(settle_in, range(PEOPLE)))
            list(pool.map(lambda client: client.call("POST", "/api/v1/statuses", {"status": self.text()}), self.people))
        self.stack.wait_quiet(60)
        self.missed = []

    @staticmethod
    def text():
        return f"Something like what people say of an evening {secrets.token_hex(8)}"

    def measure(self, name, requests, rate, goal, outbox_goal=None):
        """`goal` is the p99 in milliseconds, of answers since they should have been asked for."""
        roots = {self.stack.pid(process): process for process in ENGINES + SERVICES}
        before = cpu_seconds(roots)
        age = OutboxAge(self.stack) if outbox_goal else None
        if age:
            age.start()
        result = arrive(self.options.arrivals, self.options.base_url, CONNECTIONS, rate, self.options.seconds, requests)
        outbox = age.p99() if age else None
        after = cpu_seconds(roots)
        each = {process: 1000 * (after[process] - before[process]) / max(1, result["answered"]) for process in after}
        errors = result["errors"] / (result["answered"] + result["errors"])
        if result["p99"] > goal or errors >= 0.001 or (outbox_goal and outbox > outbox_goal):
            self.missed.append(name)
        waited = f", outbox p99 {outbox:.0f} ms (goal {outbox_goal})" if age else ""
        parts = ", ".join(f"{process} {value:.2f}" for process, value in each.items() if value >= 0.005)
        print(
            f"{name}: {rate}/s for {self.options.seconds} s: {result['rate']}/s answered, errors {errors:.4%}, p50 {result['p50']} ms, "
            f"p90 {result['p90']} ms, p99 {result['p99']} ms (goal {goal}), most {result['most']} ms{waited}; "
            f"CPU {sum(each.values()):.2f} ms each: {parts}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        self.stack.wait_quiet(300)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--arrivals", required=True, help="the program made of arrivals.c")
    arguments.add_argument("--seconds", type=int, default=600)
    arguments.add_argument("--only", default="L1,L2,L3")
    options = arguments.parse_args()
    names = options.only.split(",")
    bench = Bench(options)
    homes = [get_request(client, "/api/v1/timelines/home") for client in bench.people]
    posts = [post_request(client, "/api/v1/statuses", {"status": bench.text()}) for client in bench.people]
    if "L1" in names:
        bench.measure("L1 home", homes, 1000, 150)
    if "L2" in names:
        bench.measure("L2 posts", posts, 200, 250, outbox_goal=500)
    if "L3" in names:
        mixed = [request for index in range(PEOPLE) for request in homes[index : index + 1] * 9 + [posts[index]]]
        bench.measure("L3 nine homes to a post", mixed, 800, 200)
    print(json.dumps({"date": time.strftime("%F", time.gmtime()), "cores": os.cpu_count(), "missed": bench.missed}))
    raise SystemExit(bool(bench.missed))


if __name__ == "__main__":
    main()
