# SPDX-License-Identifier: Apache-2.0
"""Deliveries to Apple's devices, from rows that wait to rows that are sent, against h2load with the same bytes over one connection: a
second, and a second of processor time. The provider is nghttpd, which takes everything."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from stack import Stack, wait_until  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

PEOPLE, MENTIONED = 40, 10
TOPIC = "org.madang.tests"


class Provider:
    """nghttpd with a file for each device: 200 for what is POSTed there."""

    def __init__(self, keys, port, devices):
        self.keys, self.port, self.folder = keys, port, tempfile.TemporaryDirectory()
        there = pathlib.Path(self.folder.name) / "3/device"
        there.mkdir(parents=True)
        for device in devices:
            (there / device).touch()

    def __enter__(self):
        arguments = ["-a", "127.0.0.1", "-n", "1", "-d", self.folder.name, str(self.port), self.keys / "tls.key", self.keys / "tls.pem"]
        self.process = subprocess.Popen(["/usr/sbin/nghttpd", *arguments], stdout=subprocess.DEVNULL)
        wait_until(self.is_there, 10, "nghttpd")
        return self

    def is_there(self):
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def raw(port, device, count):
    """Requests a second and a second of processor time, by a plain client in C with as many streams as the product has."""
    payload = {"aps": {"alert": {"title": "Minji", "body": "push-123. " + "@somebody_abcdef " * MENTIONED}, "badge": 3, "sound": "default"},
               "kind": "mention", "id": "1" * 18, "push_id": "x" * 36, "url": "https://social.example/@somebody/1"}  # fmt: skip
    with tempfile.NamedTemporaryFile("w") as body:
        json.dump(payload, body)
        body.flush()
        headers = {"authorization": "bearer " + "x" * 230, "apns-id": "x" * 36, "apns-push-type": "alert", "apns-topic": TOPIC, "apns-priority": "10"}
        named = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        began, before = time.monotonic(), processor_time()
        done = subprocess.run(
            ["h2load", "-n", str(count), "-c", "1", "-m", "32", "-d", body.name, *named, f"https://127.0.0.1:{port}/3/device/{device}"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        took, spent = time.monotonic() - began, processor_time() - before
    if f"{count} 2xx" not in done.stdout:
        sys.exit(f"h2load: {done.stdout[-600:]}")
    return count / took, count / spent


class Bench:
    def __init__(self, options):
        self.stack = Stack(options.run, options.base_url)
        self.options = options
        self.keys = pathlib.Path(os.environ["MADANG_TEST_PUSH_KEYS"])
        self.port = int(os.environ["MADANG_TEST_PUSH"].rsplit(":", 1)[1])
        tag = secrets.token_hex(4)
        self.author, *self.readers = sign_up(options.base_url, [f"author_{tag}"] + [f"r{number}_{tag}" for number in range(PEOPLE)], scopes="read write follow push").values()
        self.names = [f"r{number}_{tag}" for number in range(PEOPLE)]
        self.devices = [secrets.token_hex(32) for _ in self.readers]
        ids = []
        for reader, device in zip(self.readers, self.devices):
            reader.insist("GET", "/api/v1/accounts/verify_credentials")
            form = {"platform": "apple", "token": device, "topic": TOPIC}
            ids.append(reader.insist("POST", "/api/v1/devices", form)[0]["id"])
        self.ours = f"device_id IN ({', '.join(str(int(each)) for each in ids)})"
        self.ids = ", ".join(str(int(each)) for each in ids)

    def waiting(self):
        return int(self.stack.psql(f"SELECT count(*) FROM notifications.deliveries WHERE state = 'waiting' AND kind = 'mention' AND {self.ours}")[0][0])

    def make(self, posts):
        """Deliveries by what people write, while the provider is away."""

        def write(number):
            named = [self.names[(number * MENTIONED + index) % PEOPLE] for index in range(MENTIONED)]
            self.author.insist("POST", "/api/v1/statuses", {"status": f"push-{number}. " + " ".join(f"@{name}" for name in named)})

        with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
            list(pool.map(write, range(posts)))
        self.stack.wait_quiet(300)
        return self.waiting()

    def drain(self, count):
        """All of them are due at once; until none waits."""
        roots = {self.stack.pid(name): name for name in ("notifications", "postgres")}
        before, began = cpu_seconds(roots), time.monotonic()
        self.stack.psql(
            f"UPDATE notifications.devices SET rests_until = now(), leased_until = now(), attempts = 0 WHERE id IN ({self.ids}); "
            f"UPDATE notifications.deliveries SET due_at = now(), not_before = now() WHERE state = 'waiting' AND {self.ours}"
        )
        wait_until(lambda: self.waiting() == 0, 900, "the end of all deliveries", 0.1)
        took, after = time.monotonic() - began, cpu_seconds(roots)
        spent = {name: after[name] - before[name] for name in after}
        return count / took, count / spent["notifications"], count / sum(spent.values())


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--deliveries", type=int, default=10_000)
    options = arguments.parse_args()
    bench = Bench(options)
    count = bench.make(options.deliveries // MENTIONED)
    with Provider(bench.keys, bench.port, bench.devices) as provider:
        second, core, both = bench.drain(count)
        rate, raw_core = raw(provider.port, bench.devices[0], max(count, 10_000))
    sent = bench.stack.psql(f"SELECT count(*) FROM notifications.deliveries WHERE state = 'sent' AND kind = 'mention' AND {bench.ours}")[0][0]
    print(f"push: {count} deliveries, {sent} sent; {second:.0f}/s, {core:.0f} a second of notifications' processor time, {both:.0f} with the database's")
    print(f"push: h2load over one connection {rate:.0f}/s, {raw_core:.0f} a second of its processor time; ratio {core / raw_core:.2f}")
    if int(sent) != count:
        sys.exit("push: not all arrived")


if __name__ == "__main__":
    main()
