# SPDX-License-Identifier: Apache-2.0
"""The broker or the database is down, or was never there (F6, F7, F8, F14)."""

import signal
import threading
import time

from stack import ENGINES, wait_until
from traffic import Traffic


def length(options, usual, short):
    """How long a fault lasts: as told, else in its usual or short form."""
    return options.seconds or (short if options.short else usual)


def broker_down(stack, options):
    """F6: writes go on without the broker, and everything is told once it is back."""
    seconds, rate = length(options, 60, 12), options.rate or (20 if options.short else 50)
    traffic = Traffic(stack, options.random, kinds=("reply", "post")).prepare()
    stack.wait_quiet()
    stack.stop("rabbitmq")
    traffic.latencies.clear()
    traffic.run(rate, seconds=seconds, retry=False)
    waiting = sum((stack.outboxes() or {}).values())
    late = traffic.percentile(0.99)
    stack.start("rabbitmq")
    wait_until(lambda: stack.queues() is not None, 60, "the broker's return")
    began = time.monotonic()
    wait_until(lambda: sum((stack.outboxes() or {"": 1}).values()) == 0, 120, "an empty outbox")
    drained = time.monotonic() - began
    stack.wait_quiet()
    clean = traffic.verdicts(("posts", "notifications", "homes"))
    limit = 0.25 * options.slack
    passed = clean and late <= limit and drained <= 60 and not traffic.failures and not stack.dead_letters()
    failures = sum(traffic.failures.values())
    return passed, (
        f"{len(traffic.ledger.attempted)} writes in {seconds:g} s, failures {failures}/0, p99 {late * 1000:.0f}/{limit * 1000:.0f} ms, "
        f"{waiting} events drained in {drained:.1f}/60 s"
    )


def cold_start(stack, options):
    """F7: everything starts in any order, and serves without the broker."""
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    number, slowest = 0, 0.0
    everything = list(reversed(stack.services)) + ["rabbitmq", "postgres"]
    # First without the broker.
    stack.stop(*everything)
    stack.start("postgres", *stack.services)
    began = time.monotonic()
    stack.wait_ready("postgres", *stack.services)
    wait_until(lambda: traffic.accounts[traffic.names[0]].insist("GET", "/api/v1/timelines/home"), 30, "a first read")
    number = traffic.run(5, count=5, first=number)
    without = time.monotonic() - began
    stack.start("rabbitmq")
    began = time.monotonic()
    wait_until(lambda: sum((stack.outboxes() or {"": 1}).values()) == 0, 60, "the first events told")
    connected = time.monotonic() - began
    for turn in range(options.times or (1 if options.short else 4)):
        order = stack.services + ENGINES
        options.random.shuffle(order)
        stack.stop(*everything)
        began = time.monotonic()
        # One thread a process, since the engines' starts wait: a process that comes before its database waits for it or comes again.
        stack.start(*order)
        stack.wait_ready()
        slowest = max(slowest, time.monotonic() - began)
        number = traffic.run(5, count=5, first=number)
    stack.wait_quiet()
    clean = traffic.verdicts(("posts", "notifications"))
    passed = clean and without <= 10 * options.slack and connected <= 5 * options.slack and slowest <= 60
    return passed, f"without the broker {without:.1f}/10 s, connected {connected:.1f}/5 s after it came, any order {slowest:.1f}/60 s"


def database_down(stack, options):
    """F8: events that wait while the database is down are neither dropped nor buried, and nobody restarts."""
    seconds, count = length(options, 60, 12), 100 if options.short else 1000
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    stack.wait_quiet()
    attempts = stack.psql("SELECT count(*) FROM notifications.delivery_attempts")
    consumers = stack.copies("notifications")
    for name in consumers:
        stack.signal(name, signal.SIGSTOP)
    traffic.run(options.rate or 50, count=count)
    wait_until(lambda: sum((stack.outboxes() or {"": 1}).values()) == 0, 60, "every event at the broker")
    pids = {name: stack.pid(name) for name in stack.services}
    stack.stop("postgres")
    for name in consumers:
        stack.signal(name, signal.SIGCONT)
    threading.Event().wait(seconds)
    queued = sum(sum(pair) for name, pair in (stack.queues() or {}).items() if name == "notifications.activity")
    stack.start("postgres")
    began = time.monotonic()
    stack.wait_ready(*stack.services)
    stack.wait_quiet(180)
    healed = time.monotonic() - began
    restarted = [name for name, pid in pids.items() if stack.pid(name) != pid]
    failed = stack.psql("SELECT count(*) FROM notifications.delivery_attempts") != attempts
    clean, dead = traffic.verdicts(("posts", "notifications")), stack.dead_letters()
    passed = clean and not dead and not restarted and not failed and queued > 0
    return passed, f"{queued} events waited {seconds:g} s; dead {dead}/0, counted as failures {failed}, restarted {restarted or 0}, healed {healed:.1f} s"


def late_consumer(stack, options):
    """F14: a consumer that is deployed for the first time after 1,000 events hears all of them."""
    consumers = stack.copies("notifications")
    stack.stop(*consumers)
    stack.psql("DROP SCHEMA notifications CASCADE")
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    traffic.run(options.rate or 50, count=100 if options.short else 1000)
    stack.control("roles")
    stack.control("migrate")
    stack.start(*consumers)
    stack.wait_ready(*consumers)
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(("posts", "notifications")), stack.dead_letters()
    return clean and not dead, f"{len(traffic.ledger.attempted)} events before the first start, dead {dead}/0"
