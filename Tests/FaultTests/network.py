# SPDX-License-Identifier: Apache-2.0
"""The network between the services and what they stand on, through proxy.py (F9, F21, F22, F24)."""

import concurrent.futures
import contextlib
import os
import time

import proxy
from outages import length
from stack import STORES, wait_until
from traffic import Traffic


@contextlib.contextmanager
def proxied(stack, *services):
    """The processes of these services reach PostgreSQL and RabbitMQ through the proxy meanwhile; yields what gives it orders."""
    names = [name for service in services for name in stack.copies(service)]
    stack.control("proxy")
    restart(stack, names)
    try:
        yield lambda *words: proxy.tell(stack.port_of("proxy-control"), *words)
    finally:
        for name in ("postgres", "rabbitmq"):
            proxy.tell(stack.port_of("proxy-control"), name, "pass")
        (stack.run / "proxied").unlink(missing_ok=True)
        restart(stack, names)
        stack.stop("proxy")


def restart(stack, names):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(stack.stop, names))
    stack.start(*names)
    stack.wait_ready(*names)


def commit_unknown(stack, options):
    """F9: the connection is cut during COMMIT; the client retries with its key, and each key is one post."""
    times = options.times or (40 if options.short else 500)
    traffic = Traffic(stack, options.random, kinds=("post", "reply")).prepare()
    with proxied(stack, "posts") as tell:
        number, cuts = 0, 0
        # In turns: the COMMIT never arrives, or its answer does not.
        while cuts < times:
            order = options.random.choice(["cut-before", "cut-answer"])
            before = tell("postgres", "count")["cuts"]
            tell("postgres", "drop")
            dropped = tell("postgres", "count")["cuts"]
            batch = min(10, times - cuts)
            tell("postgres", order, "COMMIT", batch)
            number = traffic.run(options.rate or 20, seconds=20, until=lambda: tell("postgres", "count")["left"] == 0, first=number)
            cuts += batch - tell("postgres", "count")["left"]
            assert dropped >= before
        tell("postgres", "pass")
        stack.wait_quiet()
    clean, dead = traffic.verdicts(("posts", "notifications", "homes")), stack.dead_letters()
    keys = len(traffic.ledger.attempted)
    return clean and not dead, f"{cuts} COMMITs cut, {keys} keys, {len(traffic.ledger.keys('acknowledged'))}/{keys} posts"


def latency(stack, options):
    """F21: 200 ± 100 ms between services and engines, there and back."""
    seconds = length(options, 30, 15)
    traffic = Traffic(stack, options.random, kinds=("reply", "post")).prepare()
    with proxied(stack, *STORES) as tell:
        tell("postgres", "latency", 100, 50)
        tell("rabbitmq", "latency", 100, 50)
        traffic.latencies.clear()
        traffic.run(options.rate or 10, seconds=seconds, retry=False)
        waiting = sum((stack.outboxes() or {}).values())
        stack.wait_quiet(180)
    late, limit = traffic.percentile(0.99), 1.5 * options.slack
    clean = traffic.verdicts(("posts", "notifications", "homes"))
    passed = clean and not traffic.failures and late <= limit
    return passed, f"p99 {late:.2f}/{limit:g} s, failures {sum(traffic.failures.values())}/0, {waiting} events waited at the end"


def leaks(stack, names):
    """Threads and descriptors of processes."""
    counts = {}
    for name in names:
        pid = stack.pid(name)
        counts[name] = (len(os.listdir(f"/proc/{pid}/task")), len(os.listdir(f"/proc/{pid}/fd")))
    return counts


def open_breakers(stack, service):
    """Whether a gateway still hesitates to ask a service."""
    names = [name.replace("gateway", "admin") for name in stack.copies("gateway")]
    return any(stack.metric(name, "madang_gateway_breaker", service=service) for name in names)


def black_hole(stack, options):
    """F22: the database, then the broker, take everything and say nothing."""
    seconds = length(options, 60, 15)
    names = stack.copies("posts")
    traffic = Traffic(stack, options.random, kinds=("post",)).prepare()
    with proxied(stack, "posts") as tell:
        number = traffic.run(10, seconds=5)
        before, pids = leaks(stack, names), {name: stack.pid(name) for name in names}
        traffic.latencies.clear()
        tell("postgres", "hole")
        number = traffic.run(2, seconds=seconds, retry=False, first=number)
        slowest = traffic.percentile(1)
        tell("postgres", "pass")
        began = time.monotonic()
        traffic.patience = 60
        # Each event loop of each gateway finds out for itself, at the next request that it is given.
        number = traffic.run(10, count=5, first=number)
        while open_breakers(stack, "posts") and time.monotonic() - began < 30:
            number = traffic.run(10, count=5, first=number)
        healed = time.monotonic() - began
        tell("rabbitmq", "hole")
        failures = sum(traffic.failures.values())
        number = traffic.run(10, seconds=min(seconds, 20), retry=False, first=number)
        refused = sum(traffic.failures.values()) - failures
        tell("rabbitmq", "pass")
        traffic.run(10, seconds=3, first=number)
        stack.wait_quiet(180)

        def settled():
            after = leaks(stack, names)
            return all(abs(a - b) <= 2 for name in names for a, b in zip(after[name], before[name]))

        wait_until(settled, 60, f"threads and descriptors as before ({before}, now {leaks(stack, names)})", 1)
        lived = all(stack.pid(name) == pid for name, pid in pids.items())
    # What was tried in the hole is unknown by intent; it is judged that nothing acknowledged was lost or doubled.
    traffic.ledger.why.clear()
    verdict = {key: traffic.observed_posts()[key] for key in traffic.ledger.keys("acknowledged")}
    once = all(count == 1 for count in verdict.values())
    passed = once and lived and slowest <= 6 * options.slack and healed <= 10 * options.slack and not refused
    return passed, (
        f"answers within {slowest:.1f}/6 s in the database's hole, healed in {healed:.1f}/10 s, writes failed in the broker's hole {refused}/0, "
        f"no thread or descriptor left over, {len(verdict)} acknowledged once each {once}"
    )


def resets(stack, options):
    """F24, as far as TCP shows it: one piece in a hundred is a reset of its connection."""
    seconds = length(options, 60, 15)
    traffic = Traffic(stack, options.random).prepare()
    with proxied(stack, *STORES) as tell:
        for name in ("postgres", "rabbitmq"):
            tell(name, "resets", 0.01, options.seed)
        traffic.run(options.rate or 20, seconds=seconds)
        cuts = sum(tell(name, "pass")["cuts"] for name in ("postgres", "rabbitmq"))
        stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    acknowledged, sent = len(traffic.ledger.keys("acknowledged")), len(traffic.ledger.attempted)
    return clean and not dead and cuts > 0, f"{cuts} connections reset, {acknowledged}/{sent} acknowledged, dead {dead}/0 (no packet was lost: a TCP proxy cannot)"
