# SPDX-License-Identifier: Apache-2.0
"""Kills processes at random under load, two copies of each, then accounts for every act (F1, F2, F3).

Some kills come out of the blue, others at a named moment (a failpoint): between commit and publish, between commit and
acknowledgement. With --points each named moment is visited once first (F4, F5). The drill fails when something acknowledged is
lost or seen twice, when anything stays unknown or refused, when a process ended that nobody killed or did not come back, and when
no kill landed in a window ("not exercised").
"""

import argparse
import pathlib
import random
import secrets
import sys
import threading
import time
from collections import Counter

from stack import ENGINES, Failed, Stack, wait_until
from traffic import Traffic

COMMITTED = ["create.committed", "send.committed", "relay.selected"]
HANDLED = ["consumer.committed"]
# Where the named moments are: the window they prove, and in which services they can be reached.
POINTS = {
    "posts": [
        "create.begun", "create.written", "create.committed", "relay.selected", "relay.confirmed", "relay.deleted",
        "consumer.delivered", "consumer.claimed", "consumer.committed",
    ],
    "chat": ["send.begun", "send.written", "send.committed", "relay.selected", "relay.confirmed", "relay.deleted"],
    "notifications": [
        "consumer.delivered", "consumer.claimed", "consumer.committed", "relay.selected", "relay.confirmed", "relay.deleted",
    ],
}  # fmt: skip
# Random kills at these moments: one of each window.
ARMED = [("posts", "create.committed"), ("posts", "relay.selected"), ("posts", "consumer.committed"),
         ("notifications", "consumer.committed"), ("chat", "send.committed"), ("chat", "relay.selected")]  # fmt: skip
WINDOWS = {"in flight": 0, "between commit and publish": 0, "between commit and ack": 0}


class Killer(threading.Thread):
    """Kills one process after the other until told to stop; proves that each is back as another process."""

    def __init__(self, stack, traffic, options, seed):
        super().__init__(daemon=True)
        self.stack = stack
        self.traffic = traffic
        self.options = options
        self.random = random.Random(seed)
        self.stopped = threading.Event()
        self.kills = Counter()
        self.windows = Counter(WINDOWS)
        self.away = {}
        self.failure = None
        self.armed = []
        self.armed_in_vain = 0

    def run(self):
        try:
            while not self.stopped.wait(self.random.uniform(*self.options.interval)):
                self.note_returns()
                ready = [name for name in self.victims() if name not in self.away]
                if not ready:
                    continue
                if self.options.points_file and self.random.random() < self.options.armed:
                    self.kill_at_a_point()
                else:
                    self.kill_at_once(self.random.choice(ready))
            deadline = time.monotonic() + 60
            while self.away and time.monotonic() < deadline:
                self.note_returns()
                time.sleep(0.2)
            self.note_returns(late=0)
        except BaseException as error:
            self.failure = error
            self.stopped.set()

    def victims(self):
        return [name for name in self.stack.processes if name.removesuffix("-2") in self.options.victims]

    def note_returns(self, late=60):
        """Whoever was killed must be back and ready within a minute; else the drill ends with its name."""
        for name, (old, since) in list(self.away.items()):
            if self.stack.is_new(name, old) and self.stack.is_ready(name):
                del self.away[name]
            elif time.monotonic() - since > late:
                raise Failed(f"{name} was killed and is not back and ready after {time.monotonic() - since:.0f} s")

    def kill_at_once(self, name):
        outboxes = self.stack.outboxes() or {}
        waiting = sum(outboxes.values()) if name in ENGINES else outboxes.get(name.removesuffix("-2"), 0)
        # In the middle of something, if anything happens within a while.
        deadline = time.monotonic() + 0.5
        while not (busy := self.traffic.in_flight) and time.monotonic() < deadline:
            time.sleep(0.001)
        if pid := self.stack.kill(name):
            self.note(name, pid, busy)
            self.windows["between commit and publish"] += waiting > 0

    def kill_at_a_point(self):
        """The process that comes to the moment first kills itself there."""
        if not self.armed:
            self.armed = [one for one in ARMED if one[0] in self.options.victims]
            self.random.shuffle(self.armed)
        if not self.armed:
            return
        service, point = self.armed.pop()
        before = {name: self.stack.pid(name) for name in self.stack.copies(service)}
        self.options.points_file.write_text(f"{service}:{point}")
        deadline = time.monotonic() + 5
        while self.options.points_file.exists() and time.monotonic() < deadline and not self.stopped.is_set():
            time.sleep(0.02)
        if self.options.points_file.exists():
            self.options.points_file.unlink(missing_ok=True)
            self.armed_in_vain += 1
            return
        busy = self.traffic.in_flight
        died = wait_until(
            lambda: [name for name, pid in before.items() if pid and not is_alive(pid)], 10, f"the death of {service} at {point}"
        )
        for name in died:
            self.note(name, before[name], busy)
        if point in COMMITTED:
            self.windows["between commit and publish"] += 1
        elif point in HANDLED:
            self.windows["between commit and ack"] += 1

    def note(self, name, pid, busy):
        self.kills[name] += 1
        self.windows["in flight"] += busy > 0
        self.away.setdefault(name, (pid, time.monotonic()))


def is_alive(pid):
    """Whether a process runs; one that has ended but was not asked about yet does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def visit_points(stack, options, kills, windows):
    """Kills the process that reaches each named moment, once; the act must still have its effects once."""
    traffic = Traffic(stack, random.Random(0)).prepare()
    visited = [(service, point) for service in options.victims for point in POINTS.get(service, [])]
    for number, (service, point) in enumerate(visited):
        before = {name: stack.pid(name) for name in stack.copies(service)}
        options.points_file.write_text(f"{service}:{point}")
        queued = service == "posts" and point.startswith("consumer.")
        kind = "message" if service == "chat" else "reply" if service == "notifications" else "post" if queued or number % 2 else "reply"
        traffic.act(number, kind, queued=queued)
        # Two copies may come to the moment together; each that died must be back as another process.
        gone = wait_until(
            lambda: [name for name, pid in before.items() if not is_alive(pid)], 30, f"the kill of {service} at {point}"
        )
        for name in gone:
            kills[name] += 1
            windows["in flight"] += 1
            wait_until(lambda: stack.is_new(name, before[name]) and stack.is_ready(name), 60, f"the return of {name} from {point}")
        if options.points_file.exists():
            raise Failed(f"{service} never reached {point}")
        windows["between commit and publish"] += point in COMMITTED
        windows["between commit and ack"] += point in HANDLED
    stack.wait_quiet()
    print(f"F4/F5 {len(visited)} kills at named moments:")
    return traffic.verdicts()


def parse():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--rate", type=float, default=50, help="acts a second")
    arguments.add_argument("--interval", type=float, nargs=2, default=(1, 3), help="seconds between kills")
    arguments.add_argument("--victims", nargs="+", default=["posts", "chat", "notifications", "gateway", "auth", *ENGINES])
    arguments.add_argument("--armed", type=float, default=0.4, help="the share of kills that wait for a named moment")
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    arguments.add_argument("--points", action="store_true", help="visit each named moment once first")
    arguments.add_argument("--failpoints", help="the file that the processes watch (MADANG_FAILPOINTS)")
    options = arguments.parse_args()
    options.points_file = pathlib.Path(options.failpoints) if options.failpoints else None
    return options


def main():
    options = parse()
    stack = Stack(options.run, options.base_url)
    stack.require_durability()
    kills, windows, clean = Counter(), Counter(WINDOWS), True
    stack.mark()
    if options.points and options.points_file:
        clean = visit_points(stack, options, kills, windows)

    acts = options.seconds * options.rate
    print(
        f"F1 drill: {options.seconds:g} s, {options.rate:g} acts/s, a kill every {options.interval[0]:g}-{options.interval[1]:g} s "
        f"among {len(stack.processes)} processes, seed {options.seed}",
        flush=True,
    )
    traffic = Traffic(stack, random.Random(options.seed), people=max(12, min(48, int(acts / 400)))).prepare()
    killer = Killer(stack, traffic, options, options.seed)
    killer.start()
    traffic.run(options.rate, seconds=options.seconds, until=killer.stopped.is_set)
    killer.stopped.set()
    killer.join()
    if killer.failure:
        raise killer.failure
    heal = stack.wait_quiet(180)
    clean = traffic.verdicts() and clean
    kills += killer.kills
    windows.update(killer.windows)
    print(f"  kills, each back as a new process: {dict(killer.kills)}")
    print("  kills in windows, at named moments too: " + ", ".join(f"{name} {count}" for name, count in windows.items()), end="")
    print(f"; moments nobody came to: {killer.armed_in_vain}")
    print(f"  quiet {heal:.1f} s after the last act; acts took {traffic.percentile(0.5):.2f} s (median), {traffic.percentile(1):.1f} s at most")
    dead, ended = stack.dead_letters(), stack.unexpected_ends(kills)
    print(f"  dead letters {dead}; ends that nobody caused {ended or 0}")
    errors = Counter({what: count for what, count in stack.errors().items() if what[1] != "process ended"})
    print(f"  error lines {sum(errors.values())}")
    for (process, message), count in errors.most_common(8):
        print(f"    {count} of {process}: {message}")
    missed = [name for name in WINDOWS if options.points_file and not windows[name]]
    for name in missed:
        print(f"drill: no kill landed {name}: not exercised")
    passed = clean and not missed and not dead and not ended and killer.kills.total() > 0
    acknowledged = len(traffic.ledger.keys("acknowledged"))
    measured = f"{acknowledged}/{len(traffic.ledger.attempted)} acknowledged, {killer.kills.total()} kills"
    print(f"F1 {'pass' if passed else 'FAIL'} {measured} seed {options.seed}")
    if not passed:
        print(f"drill FAILED; the ledger is {traffic.ledger.path}")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
