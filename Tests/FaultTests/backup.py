# SPDX-License-Identifier: Apache-2.0
"""A backup taken under load, everything stopped and deleted, and all that was acknowledged before the backup's point there again."""

import datetime
import json
import pathlib
import signal
import subprocess
import threading
import time

from ledger import Ledger, judge
from uploads import Uploads
from stack import ENGINES, ROOT, Failed, wait_until
from traffic import Traffic


def backup_and_restore(stack, options):
    """Posts, timelines, notifications, chat and pictures of before the point are there once each, and nothing of after it."""
    file = pathlib.Path(stack.state) / "backup.tar"
    traffic = Traffic(stack, options.random).prepare()
    moments = timed(traffic)
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(options.rate or 30,), kwargs={"until": stopped.is_set})
    worker.start()
    uploads = Uploads(stack, traffic.accounts[traffic.names[0]])
    uploader = threading.Thread(target=uploads.run, args=(stopped.is_set,))
    uploader.start()
    try:
        wait_until(lambda: len(moments) >= 60, 60, "sixty acts")
        # The broker has something in hand when the backup begins: those who take it are stopped for a while.
        takers = stack.copies("notifications")
        for name in takers:
            stack.signal(name, signal.SIGSTOP)
        wait_until(lambda: in_hand(stack) >= 20, 60, "messages in the broker")
        resume = threading.Timer(5, lambda: [stack.signal(name, signal.SIGCONT) for name in takers])
        resume.start()
        began = time.monotonic()
        stack.control("backup", str(file), timeout=300)
        resume.join()
        taking = time.monotonic() - began
        taken = len(moments)
        wait_until(lambda: len(moments) >= taken + 60, 60, "sixty acts after the backup")
    finally:
        stopped.set()
        worker.join()
        uploader.join()
    about = subprocess.run([ROOT / "deploy/scripts/backup.py", "show", file], check=True, capture_output=True, text=True).stdout
    point = datetime.datetime.fromisoformat(json.loads(about)["point"]).timestamp()
    if file.stat().st_mode & 0o077:
        raise Failed("others can read the backup")

    # The relays, which rested for the backup, publish again.
    stack.wait_quiet()
    stack.stop(*reversed(stack.services))
    stack.stop("rabbitmq", "postgres")
    stack.control("forget")
    if (stack.state / "postgres").exists() or (stack.state / "secrets").exists():
        raise Failed("something was left to restore from")
    began = time.monotonic()
    stack.control("restore", str(file), timeout=600)
    stack.start(*stack.services)
    stack.wait_ready(*ENGINES, *stack.services)
    restoring = time.monotonic() - began
    stack.wait_quiet()
    file.unlink()

    before, after = settle(traffic, moments, point)
    pictures = {media: uploads.is_there(media) for media in uploads.acknowledged}
    kept = [pictures[media] for media, (_, ended) in uploads.acknowledged.items() if ended < point]
    later = [pictures[media] for media, (began, _) in uploads.acknowledged.items() if began > point]
    print(f"  pictures: {len(kept)} acknowledged before the point, {kept.count(False)} lost; {len(later)} after it, {later.count(True)} there")
    verdicts = [
        judge(traffic.ledger, traffic.observed_posts(), "posts", traffic.of_kind("reply", "post")),
        judge(traffic.ledger, traffic.observed_notifications(), "notifications", traffic.of_kind("reply")),
        judge(traffic.ledger, traffic.observed_messages(), "chat messages", traffic.of_kind("message")),
    ]
    # Of what was under way at the point nobody knows whether it is there: no timeline must have it.
    for key in traffic.ledger.keys("unknown"):
        del traffic.ledger.attempted[key]
    verdicts.append(traffic.judge_homes())
    lost, doubled, extra = (sum(verdict[name] for verdict in verdicts) for name in ("lost", "duplicated", "unexpected"))
    for verdict in verdicts:
        print("  " + ", ".join(f"{name} {value}" for name, value in verdict.items()).replace("what ", "", 1))
    dead = stack.dead_letters()
    pictures_as_expected = kept and all(kept) and later and not any(later)
    passed = before > 0 and after > 0 and not lost and not doubled and not extra and not dead and pictures_as_expected
    return passed, (
        f"{before} acknowledged before the point, lost {lost}/0, doubled {doubled}/0; {after} after it, there {extra}/0; "
        f"pictures {kept.count(True)}/{len(kept)}, of after it {later.count(True)}/0; "
        f"dead letters {dead}/0; taken in {taking:.1f} s under load, restored and ready in {restoring:.1f} s"
    )


def in_hand(stack):
    """Messages that the broker has and notifications has not."""
    return sum(sum(counts) for name, counts in (stack.queues() or {}).items() if name.startswith("notifications."))


def timed(traffic):
    """Remembers when each act was begun and when it was acknowledged."""
    moments, act = {}, traffic.act

    def remember(number, *rest):
        began = time.time()
        act(number, *rest)
        moments[number] = (began, time.time())

    traffic.act = remember
    return moments


def settle(traffic, moments, point):
    """Makes the ledger that of the point. Returns how many acts were acknowledged before it, and begun after it."""
    everything, traffic.ledger = traffic.ledger, Ledger()
    before = after = 0
    for key in everything.keys("acknowledged"):
        began, ended = moments[int(key.rsplit("-", 1)[1])]
        if began > point:
            after += 1
            continue
        traffic.ledger.intend(key, **everything.attempted[key])
        traffic.ledger.note(key, "acknowledged" if ended < point else "unknown")
        before += ended < point
    return before, after
