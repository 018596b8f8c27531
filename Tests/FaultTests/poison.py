# SPDX-License-Identifier: Apache-2.0
"""A message that ends whoever handles it (F17)."""

import base64
import json
import os
import pathlib
import time

from shortages import management, waiting_events
from stack import Failed, wait_until
from traffic import Traffic

MESSAGES = 32
KEY = "posts.ReplyCreated.v1"


def crash(stack, options):
    """F17: one of 32 messages ends the process again and again; it alone goes to the dead letters, the others arrive."""
    moments = pathlib.Path(os.environ.get("MADANG_FAILPOINTS") or "")
    if not moments.name:
        raise Failed("MADANG_FAILPOINTS names no file")
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    stack.wait_quiet()
    times, number, ends, slowest = options.times or 3, 0, [], 0.0
    for _ in range(times):
        arrived = sum(traffic.observed_notifications().values())
        for name in stack.copies("notifications"):
            stack.stop(name)
        with copies(stack) as events:
            number = traffic.run(options.rate or 30, count=MESSAGES, first=number)
            wait_until(lambda: waiting_events(stack) == 0, 60, "an empty outbox")
            ids = wait_until(lambda: events() if len(events()) == MESSAGES else None, 30, f"{MESSAGES} events")
        moments.write_text(f"notifications:consumer.applying:{options.random.choice(ids)}")
        stack.mark_logs()
        began = time.monotonic()
        stack.start("notifications")
        try:
            wait_until(lambda: buried(stack) == 1, 120, "the end of every attempt", 0.5)
            wait_until(
                lambda: sum(traffic.observed_notifications().values()) == arrived + MESSAGES - 1, 60, "the arrival of the others", 0.5
            )
        finally:
            moments.unlink(missing_ok=True)
        slowest = max(slowest, time.monotonic() - began)
        ends.append(stack.errors()["notifications", "process ended"])
        stack.wait_ready("notifications")
        stack.control("dead-letters", "notifications", "replay")
        wait_until(lambda: buried(stack) == 0, 60, "no dead letters any more", 0.5)
        stack.start(*stack.copies("notifications"))
        stack.wait_ready()
        stack.wait_quiet()
    stack.wait_quiet(180)
    clean = traffic.verdicts(("posts", "notifications", "homes"))
    passed = clean and all(1 < count <= 6 for count in ends)
    return passed, f"{times} times one of {MESSAGES}: ends {ends} (at most 6), the {MESSAGES - 1} others within {slowest:.1f} s, replayed"


def buried(stack):
    return sum((stack.queues() or {}).get("notifications.dead", (0, 0)))


class copies:
    """The ids of the events that the broker is given meanwhile, by a queue of the drill's own."""

    def __init__(self, stack):
        self.stack = stack
        self.place = "queues/%2F/drill.copies"
        self.ids = []

    def __enter__(self):
        management(self.stack, "PUT", self.place, {"durable": False, "auto_delete": False})
        # A reply that shows neither a file nor a link is told as plain, or as what has reached its readers.
        for exchange in ("events", "plain", "reached"):
            management(self.stack, "POST", f"bindings/%2F/e/{exchange}/q/drill.copies", {"routing_key": KEY})
        return self.take

    def __exit__(self, *_):
        management(self.stack, "DELETE", self.place)

    def take(self):
        wanted = {"count": MESSAGES, "ackmode": "ack_requeue_false", "encoding": "base64"}
        for message in management(self.stack, "POST", f"{self.place}/get", wanted):
            # One event, or several that travel together (RFC 7464).
            texts = base64.b64decode(message["payload"]).split(b"\x1e")
            self.ids += [json.loads(text)["id"].lower() for text in texts if text]
        return self.ids
