# SPDX-License-Identifier: Apache-2.0
"""Named fault drills against a running stack; each prints one line: id, result, what was measured / the limit, the seed.

    deploy/dev drill f6 f8            these, at their usual length
    deploy/dev drill f6 --seconds 600 longer
    deploy/dev drill all              every one but the upgrade
    deploy/dev drill short            the cheap ones in their short form, as the tests run them
"""

import argparse
import random
import secrets
import sys
import time

import alerts
import allocations
import backup
import buckets
import crowds
import deleting
import exporting
import mailing
import network
import operating
import outages
import poison
import processes
import projecting
import pushing
import rebuilding
import restore
import revocation
import rotation
import searching
import shortages
import signing_in
import topology
import uploading
from stack import Failed, Stack

DRILLS = {
    "f6": outages.broker_down, "f7": outages.cold_start, "f8": outages.database_down, "f14": outages.late_consumer,
    "f9": network.commit_unknown, "f21": network.latency, "f22": network.black_hole, "f24": network.resets,
    "f23": processes.paused, "f28": processes.rolling_restart, "f29": processes.stop_under_load, "f30": processes.all_at_once,
    "f37": processes.herd, "f35": restore.point_in_time,
    "l8": crowds.slow_readers, "b7": crowds.drips, "b8": crowds.endless_bodies,
    "f17": poison.crash, "f20": rebuilding.while_serving, "f13": shortages.binding_removed, "f16": shortages.dead_letters_away, "f26": shortages.broker_alarm, "f27": shortages.disk_full,
    "topology": topology.apply_topology, "s40": rotation.signing_key, "s5": revocation.tokens, "l17": allocations.budgets, "backup": backup.backup_and_restore,
    "alerts": alerts.every_alert, "doctor": operating.doctor_tells,
    "search": searching.search_down, "uploads": uploading.killed, "s3": buckets.in_a_bucket, "projects": projecting.killed,
    "push": pushing.killed, "signing-in": signing_in.killed, "exports": exporting.killed, "deleting": deleting.killed,
    "mail": mailing.killed,
}  # fmt: skip
SHORT = ["topology", "f6", "f8", "f9", "f23", "f28", "f30", "f35", "l8", "b8", "s5", "l17", "s3", "push", "signing-in", "mail"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="+", choices=[*DRILLS, "short", "all"])
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--seconds", type=float, help="how long the fault lasts")
    arguments.add_argument("--times", type=int, help="how often it happens")
    arguments.add_argument("--rate", type=float, help="acts a second meanwhile")
    arguments.add_argument("--slack", type=float, help="by how much times of a slow machine may exceed the limits")
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = arguments.parse_args()
    options.short = "short" in options.names
    options.slack = options.slack or (8 if options.short else 1)
    Stack(options.run, options.base_url).require_durability()
    names = SHORT if options.short else list(DRILLS) if "all" in options.names else options.names
    stack, failed = Stack(options.run, options.base_url), []
    for name in names:
        options.random = random.Random(options.seed)
        stack.mark()
        began = time.monotonic()
        try:
            passed, measured = DRILLS[name](stack, options)
        except Failed as failure:
            passed, measured = False, str(failure)
            # Whatever it left down is needed by the next one.
            stack.start("postgres", "rabbitmq", *stack.services)
        print(f"{name.upper()} {'pass' if passed else 'FAIL'} {measured} seed {options.seed} ({time.monotonic() - began:.0f} s)", flush=True)
        if not passed:
            failed.append(name)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
