# SPDX-License-Identifier: Apache-2.0
"""auth is killed while letters go to a server that fails in every way: each arrives under its one Message-ID, or ends with its reason.

A letter may come more than once, always with the same bytes: where the server had taken it and its answer got lost, and where a process
was killed between that answer and the end of the row."""

import concurrent.futures
import os
import pathlib
import secrets
import sys
import threading
import time
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "SystemTests"))
import letters  # noqa: E402
from client import sign_up  # noqa: E402
from stack import Failed, wait_until  # noqa: E402

FAULTS = {"busy": 0.05, "later": 0.1, "refused": 0.02, "cut": 0.03, "lost": 0.03}
# How often one signs in from a new device in an hour and is still told.
EACH = 4


def killed(stack, options):
    """SIGKILL of auth every second or so while people are told of new devices."""
    if not letters.is_there():
        raise Failed("no sink of mail: MADANG_TEST_MAIL is not set")
    tag = secrets.token_hex(4)
    names = [f"m{number}_{tag}" for number in range(20 if options.short else 100)]
    clients = sign_up(stack.base_urls[0], names)
    for client in clients.values():
        client.base_urls = stack.base_urls
    letters.fail(**FAULTS)
    try:
        return account(stack, options, names, clients, f"_{tag}")
    finally:
        letters.fail()


def account(stack, options, names, clients, tag):
    begun, killed_once, done = threading.Event(), threading.Event(), threading.Event()
    kills, began = Counter(), time.monotonic()
    before = len(letters.told())
    ours = f"SELECT id FROM auth.accounts WHERE username LIKE 'm%\\{tag}'"
    point = pathlib.Path(os.environ["MADANG_FAILPOINTS"]) if os.environ.get("MADANG_FAILPOINTS") else None
    armed = 0

    def sign_in(name):
        form = {"username": name, "password": f"correct horse {name}", "device_name": f"drill {secrets.token_hex(4)}"}
        for turn in range(EACH):
            # However fast everything is, somebody signs in after the first kill.
            if turn == EACH - 1:
                killed_once.wait(60)
            # Without an answer nobody knows whether it happened: what counts are the rows.
            clients[name].insist("POST", "/api/v1/sessions", form)
            begun.set()

    def waiting():
        rows = stack.psql(f"SELECT count(*) FROM auth.letters WHERE due_at IS NOT NULL AND account_id IN ({ours})", quiet=True)
        return None if rows is None else int(rows[0][0])

    def work():
        try:
            with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
                list(pool.map(sign_in, names))
            # The other half is sent by whoever is left alive: a letter whose every sender dies waits longer each time.
            wait_until(lambda: (left := waiting()) is not None and left < EACH * len(names) / 2, 900, "half of the letters", 0.2)
        finally:
            begun.set()
            done.set()

    def pause():
        return options.random.uniform(0.5, 1.5) if options.short else options.random.uniform(1, 4)

    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        worker = pool.submit(work)
        begun.wait()
        while not done.wait(pause() if kills else 0):
            name = options.random.choice(stack.copies("auth"))
            kills[name] += stack.kill(name) is not None
            killed_once.set()
            # Where everything is slow, whoever was killed would be killed again before it did anything.
            stack.wait_ready(name)
            # Whoever next has a letter taken dies before it notes that.
            if point and not point.exists():
                point.write_text("auth:mail.accepted")
                armed += 1
        worker.result()
    if point:
        point.unlink(missing_ok=True)
    stack.wait_ready(*stack.copies("auth"))
    # What a killed process had is another's after a minute; what was put off often waits longer.
    letters.fail()
    wait_until(lambda: waiting() == 0, 1200, "the end of all letters", 0.5)
    took = time.monotonic() - began
    shown = "'<' || id || '@madang.example>', outcome, coalesce(reason, '')"
    rows = stack.psql(f"SELECT {shown} FROM auth.letters WHERE account_id IN ({ours})")
    taken, lost, refused = Counter(), set(), Counter()
    for one in letters.told()[before:]:
        if one["end"] in ("taken", "lost"):
            taken[one["id"]] += 1
        if one["end"] == "lost":
            lost.add(one["id"])
        if one["end"] == "refused":
            refused[one["recipient"], one["reason"]] += 1
    bodies = {}
    for name in names:
        for letter in letters.to(f"{name}@example.org"):
            bodies.setdefault(letter.id, set()).add(letter.raw)
    wrong, ends, again = [], Counter(), 0
    for name, outcome, reason in rows:
        ends[outcome] += 1
        again += max(0, taken[name] - 1)
        if outcome == "sent" and not taken[name]:
            wrong.append(f"{name} is marked as sent and did not arrive")
        elif outcome == "refused" and reason not in {why for _, why in refused}:
            wrong.append(f"{name} ended with {reason}, which the server did not say")
        elif outcome not in ("sent", "refused"):
            wrong.append(f"{name} ended as {outcome} {reason}")
    wrong += [f"{name} came with {len(some)} different contents" for name, some in bodies.items() if len(some) > 1]
    # More than one of the two windows explains nothing else.
    most = sum(max(0, taken[name] - 1) for name in lost) + sum(kills.values()) * 4 + armed
    if again > most:
        wrong.append(f"{again} letters came again, and {len(lost)} answers were lost")
    if not sum(kills.values()):
        raise Failed("not exercised: no process was killed")
    complaints = letters.complaints()
    for line in wrong[:10] + complaints[:10]:
        print(f"  {line}", flush=True)
    passed = not wrong and not complaints and len(rows) > len(names)
    return passed, (
        f"{len(rows)} letters in {took:.0f} s, {sum(kills.values())} kills of auth and {armed} between the server's answer and its note; "
        f"{ends['sent']} arrived under their Message-ID, "
        f"{ends['refused']} refused with their reason, came again {again} ({len(lost)} answers lost), wrong {len(wrong)}/0, "
        f"complaints of the server {len(complaints)}/0"
    )
