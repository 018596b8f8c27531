# SPDX-License-Identifier: Apache-2.0
"""The key that signs principals is changed under load (S40)."""

import threading
import time

from stack import STORES, Failed
from traffic import Traffic

# So long gateways go on with a statement that they were given.
STATEMENT = 300


def signing_key(stack, options):
    """S40: three steps, after each every service is started anew, one copy after the other; no request fails, none is repeated."""
    if not stack.is_wide:
        raise Failed("a change of keys under load needs two processes of each service")
    traffic = Traffic(stack, options.random).prepare()
    traffic.latencies.clear()
    stopped = threading.Event()
    rate = options.rate or (10 if options.short else 30)
    worker = threading.Thread(target=traffic.run, args=(rate,), kwargs={"until": stopped.is_set, "retry": False})
    key = stack.state / "secrets/auth/principal-private-key"
    believed = stack.state / "secrets/posts/principal-public-key"
    first, counts = key.read_text(), []
    worker.start()
    try:
        for step in ("next", "change", "done"):
            if step == "done":
                # What the last key signed is believed until its end.
                time.sleep(STATEMENT + 10)
            stack.control("secrets", "--signing-key", step)
            counts.append(len(believed.read_text().split()))
            for service in STORES:
                for name in stack.copies(service):
                    old = stack.pid(name)
                    stack.stop(name)
                    stack.start(name)
                    stack.wait_ready(name)
                    if not stack.is_new(name, old):
                        raise Failed(f"{name} was not restarted")
    finally:
        stopped.set()
        worker.join()
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    sent, failures = len(traffic.ledger.attempted), sum(traffic.failures.values())
    passed = clean and not dead and not failures and key.read_text() != first and counts == [2, 2, 1]
    return passed, f"keys believed {counts}, {sent} requests meanwhile, failed {failures}/0, dead {dead}/0"
