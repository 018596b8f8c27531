# SPDX-License-Identifier: Apache-2.0
"""The previous release's programs and these, side by side under traffic, rolled forth and back (F32).

Two processes of each service run from the previous programs. The schemas are migrated while they serve, then one process after the
other is replaced: for a while old and new programs tell and hear each other's events. Then all of it the other way round, on the
newer schema. Everything acknowledged is accounted for at the end.
"""

import argparse
import random
import secrets
import sys
import threading

from stack import SERVICES, STORES, Failed, Stack
from traffic import Traffic


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--previous", required=True, help="the folder of the previous release's programs, which run already")
    arguments.add_argument("--forward-only", action="store_true", help="the previous release refuses a newer schema")
    arguments.add_argument("--rate", type=float, default=20)
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = arguments.parse_args()
    stack = Stack(options.run, options.base_url)
    traffic = Traffic(stack, random.Random(options.seed)).prepare()
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(options.rate,), kwargs={"until": stopped.is_set})
    worker.start()
    steps, failure = [], None

    def roll(what, order, **environment):
        """Each first process before any second one, so that old and new meet in every pair of services."""
        for copy in ("", "-2"):
            for service in order:
                name = service + copy
                old = stack.pid(name)
                stack.stop(name)
                stack.start(name, **environment)
                stack.wait_ready(name, seconds=30)
                if not stack.is_new(name, old):
                    raise Failed(f"{name} was not replaced")
            steps.append(f"{what}{copy or '-1'}")

    try:
        stack.control("secrets")
        # As deploy/dev up does: exchanges and rights that this release has more are there before anybody uses them.
        stack.control("topology")
        stack.control("migrate")
        # Gateways first: they read what either release tells live. On the way back they are the last.
        roll("forth", ["gateway", *STORES])
        if options.forward_only:
            steps.append("no way back to this release")
        else:
            roll("back", SERVICES, MADANG_BINARIES=options.previous)
            roll("forth again", ["gateway", *STORES])
    except Failed as failed:
        failure = failed
    finally:
        stopped.set()
        worker.join()
    if failure:
        print(f"F32 FAIL after {steps}: {failure} seed {options.seed}")
        sys.exit(1)
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    sent = len(traffic.ledger.attempted)
    passed = clean and not dead
    print(f"F32 {'pass' if passed else 'FAIL'} {', '.join(steps)}; {len(traffic.ledger.keys('acknowledged'))}/{sent} acknowledged, dead {dead}/0 seed {options.seed}")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
