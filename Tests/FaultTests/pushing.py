# SPDX-License-Identifier: Apache-2.0
"""notifications is killed while people's devices are told, by providers that fail in every documented way: each device hears of each
mention once by its name, or the delivery ends with what its provider said."""

import concurrent.futures
import pathlib
import random
import re
import secrets
import sys
import threading
import time
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "SystemTests"))
import push_services  # noqa: E402
from client import sign_up  # noqa: E402
from stack import Failed, wait_until  # noqa: E402

PLATFORMS = ("apple", "firebase", "web")
MENTIONED = 10
FAILURES = {"later": 0.1, "refused": 0.01, "gone": 0.002, "cut": 0.01, "lost": 0.005, "slow": 0.02}


class Device:
    """A device of somebody, as we, the provider and the product know it."""

    def __init__(self, services, owner, number, platform):
        self.owner, self.platform, self.expected = owner, platform, set()
        if platform == "apple":
            self.known = secrets.token_hex(32)
            form = {"token": self.known, "topic": push_services.TOPIC, "environment": "production"}
        elif platform == "firebase":
            self.known = f"fcm-{secrets.token_urlsafe(30)}"
            form = {"token": self.known}
        else:
            subscription = services.subscribe(is_standard=number % 2 == 0)
            self.known, form = subscription.path, subscription.form()
        self.id = owner.insist("POST", "/api/v1/devices", {"platform": platform, "language": "ko", **form})[0]["id"]

    def heard(self, services):
        """The number of each post that it heard of, by the names of its messages; and how many messages came again."""
        found, again = {}, 0
        for name, content in services.of(self.known):
            text = {
                "apple": lambda: content["aps"].get("alert", {}), "firebase": lambda: content.get("notification", {}), "web": lambda: content,
            }[self.platform]()  # fmt: skip
            if number := re.search(r"push-(\d+)\.", text.get("body", "")):
                again += name in found
                found[name] = int(number[1])
        return found, again


def killed(stack, options):
    """SIGKILL of notifications every few seconds while 10,000 messages are on their way to Apple, Firebase and browsers."""
    if not push_services.PLACE:
        raise Failed("no place for providers: MADANG_TEST_PUSH is not set")
    many, posts = (10, 20) if options.short else (40, 334)
    with push_services.PushServices() as services:
        tag = secrets.token_hex(4)
        names = [f"author_{tag}"] + [f"r{number}_{tag}" for number in range(many)]
        clients = sign_up(stack.base_urls[0], names, scopes="read write follow push")
        for client in clients.values():
            client.base_urls = stack.base_urls
            # Whose app has asked who it is can be named in a post.
            client.insist("GET", "/api/v1/accounts/verify_credentials")
        author, readers = clients[names[0]], names[1:]
        devices = {name: [Device(services, clients[name], index, platform) for platform in PLATFORMS] for index, name in enumerate(readers)}
        services.fail(options.seed, **FAILURES)
        return account(stack, options, services, author, devices, posts)


def account(stack, options, services, author, devices, posts):
    everyone = [device for some in devices.values() for device in some]
    done, kills, began = threading.Event(), Counter(), time.monotonic()
    ours = ", ".join(str(int(device.id)) for device in everyone)

    def write(number):
        named = random.Random(f"{options.seed} {number}").sample(list(devices), min(MENTIONED, len(devices)))
        text = f"push-{number}. " + " ".join(f"@{name}" for name in named)
        author.insist("POST", "/api/v1/statuses", {"status": text}, headers={"Idempotency-Key": f"push-{number}-{ours[:20]}"})
        for name in named:
            for device in devices[name]:
                device.expected.add(number)

    def waiting():
        rows = stack.psql(f"SELECT count(*) FROM notifications.deliveries WHERE state = 'waiting' AND kind = 'mention' AND device_id IN ({ours})", quiet=True)
        return None if rows is None else int(rows[0][0])

    def heard():
        return sum(len(services.of(device.known)) for device in everyone)

    def work():
        try:
            with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
                list(pool.map(write, range(posts)))
            # The last third is sent by whoever is left alive.
            wait_until(lambda: heard() > 2 * len(everyone) * posts * MENTIONED / len(devices) / 3, 1200, "two thirds of the messages", 0.5)
        finally:
            done.set()

    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        worker = pool.submit(work)
        while not done.wait(options.random.uniform(0.2, 0.6) if options.short else options.random.uniform(2, 5)):
            name = options.random.choice(stack.copies("notifications"))
            kills[name] += stack.kill(name) is not None
            # Where everything is slow, whoever was killed would be killed again before it did anything.
            stack.wait_ready(name)
        worker.result()
    stack.wait_ready(*stack.copies("notifications"))
    stack.wait_quiet(180)
    # A device that a killed process had is another's after a minute; one that was asked for patience waits longer.
    wait_until(lambda: waiting() == 0, 900, f"the end of {waiting()} deliveries", 0.5)
    took = time.monotonic() - began
    rows = stack.psql(
        f"SELECT device_id, CAST(push_id AS text), state, coalesce(reason, '') FROM notifications.deliveries WHERE kind = 'mention' AND device_id IN ({ours})"
    )
    kept = {}
    for device, name, state, reason in rows:
        kept.setdefault(device, {})[name] = (state, reason)
    wrong, ends, again, removed = [], Counter(), 0, 0
    for device in everyone:
        found, twice = device.heard(services)
        again += twice
        mine, told = kept.get(device.id, {}), services.told.get(device.known, {})
        if len(set(found.values())) != len(found) or not set(found.values()) <= device.expected:
            wrong.append(f"{device.platform} {device.id} heard of a post under two names, or of one that is not for it")
        if any(end == "gone" for end, _ in told.values()):
            removed += 1
            there = {each["id"] for each in device.owner.insist("GET", "/api/v1/devices")[0]}
            if device.id in there:
                wrong.append(f"{device.platform} {device.id} is gone and still registered")
            continue
        if len(mine) != len(device.expected):
            wrong.append(f"{device.platform} {device.id}: {len(mine)} deliveries for {len(device.expected)} mentions")
        for name, (state, reason) in mine.items():
            ends[state] += 1
            is_right = name in found if state == "sent" else state == "refused" and told.get(name) == ("refused", reason)
            if not is_right:
                wrong.append(f"{device.platform} {name}: {state} {reason}, the provider: {told.get(name)}")
        if set(found) - {name for name, (state, _) in mine.items() if state == "sent"}:
            wrong.append(f"{device.platform} {device.id} heard what was not marked as sent")
    dead = stack.dead_letters()
    if not sum(kills.values()):
        raise Failed("not exercised: no process was killed")
    for line in wrong[:10] + services.complaints[:10]:
        print(f"  {line}", flush=True)
    expected = sum(len(device.expected) for device in everyone)
    passed = not wrong and not services.complaints and not dead
    return passed, (
        f"{expected} messages for {len(everyone)} devices in {took:.0f} s, {sum(kills.values())} kills of notifications; {ends['sent']} arrived once by their name, "
        f"{ends['refused']} refused with their reason, {removed} devices gone; came again under the same name {again}, "
        f"wrong {len(wrong)}/0, complaints of providers {len(services.complaints)}/0, dead letters {dead or 0}"
    )
