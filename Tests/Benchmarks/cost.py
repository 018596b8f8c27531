# SPDX-License-Identifier: Apache-2.0
"""What each request costs, in units of one SELECT by key through pgbench in the same run, each with its goal.

A unit is the CPU of client and server together. A request's cost is that of the gateway, the services, PostgreSQL and RabbitMQ until everything
is idle again. Everything is measured twice; nothing is judged while others use the processor.
"""

import argparse
import asyncio
import dataclasses
import json
import os
import pathlib
import re
import resource
import secrets
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from arrivals import arrive, get_request, post_request  # noqa: E402
from sockets import Connection  # noqa: E402
from timelines import TICK, Bench, identity  # noqa: E402

# Units.
GOALS = {
    "post, one author": 40, "post, many authors": 33, "favourite": 22, "unfavourite": 15, "follow": 25, "unfollow": 16,
    "delivery to one more follower": 1.5, "chat message, 20 receivers": 60, "home, 20 posts, cold": 16, "home, 20 posts, warm": 5,
    "account timeline, in turn": 12, "account timeline, hot": 6, "thread of 50": 25, "notifications, 20": 8,
}  # fmt: skip
IDLE_CORES, IDLE_MEBIBYTES = 0.01, 200
REPLY_MEDIAN, REPLY_WORST = 7, 30  # Milliseconds, at REPLIES a second.
QUIET_UNIT = 0.03  # Milliseconds of CPU that a unit takes on a quiet machine.
REPLIES = 200
# Cores that others may use while something is judged.
OTHERS = 0.1
FOLLOWERS = 200
# Followed, and favourited, by all of them, one after the other: 200 requests alone differ by a third from round to round.
SUBJECTS = 5


@dataclasses.dataclass
class Judged:
    what: str
    value: float
    goal: float
    unit: str

    @property
    def is_met(self):
        return self.value <= self.goal

    def __str__(self):
        return f"{self.what:40} {self.value:8.{3 if self.unit == 'cores' else 2}f} {self.unit:8} goal {self.goal:g}: {'met' if self.is_met else 'missed'}"


def busy_cores():
    """Seconds that all cores have worked since the start of the machine."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, irq, softirq, steal = (int(field) for field in fields[:8])
    return (user + nice + system + irq + softirq + steal) / TICK


def pss_mebibytes(roots):
    """Of these processes and everything below them, what they share counted once."""
    children, total = {}, 0
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    waiting = list(roots)
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, [])
        try:
            rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if found := re.search(r"^Pss: +(\d+) kB", rollup, re.MULTILINE):
            total += int(found[1])
    return total / 1024


def nanoseconds(pid):
    """Processor time of all threads that a process has."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def post(client, **more):
    return post_request(client, "/api/v1/statuses", {"status": f"hello {secrets.token_hex(4)}", **more})


class Cost(Bench):
    def __init__(self, options):
        super().__init__(options.base_url, options.run)
        self.pgbench, self.arrivals = options.pgbench, options.arrivals
        self.lines = []
        # Measured all the same while others work beside it, and of writes alone: for whoever compares two states in turns.
        self.is_anyhow = bool(os.environ.get("MADANG_BENCH_ANYHOW"))
        self.is_writes = bool(os.environ.get("MADANG_BENCH_WRITES"))

    def unit(self, selects=40_000):
        """Milliseconds of CPU that a SELECT by key takes, client and server together."""
        before, clients = self.spent()["postgres"], resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [self.pgbench, "-n", "-M", "prepared", "-S", "-c", "1", "-t", str(selects), "cost"], check=True, capture_output=True
        )
        time.sleep(1)  # What a session used counts once it has ended.
        after, server = resource.getrusage(resource.RUSAGE_CHILDREN), self.spent()["postgres"] - before
        client = after.ru_utime + after.ru_stime - clients.ru_utime - clients.ru_stime
        return 1000 * (client + server) / selects

    def others(self, seconds=3):
        """Cores that processes besides the stack and this one use."""
        before, mine, began = busy_cores(), sum(self.spent().values()) + time.process_time(), time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        return max(0, busy_cores() - before - (sum(self.spent().values()) + time.process_time() - mine)) / took

    def measure(self, what, requests, connections=16):
        """The same for requests of the plain client, which takes little of the cores from what is measured."""

        def ask():
            took = arrive(self.arrivals, self.base_url, connections, 0, 60, requests)
            if took["errors"]:
                raise SystemExit(f"{what}: {took['errors']} of {len(requests)} requests failed")

        return self.measure_all(what, ask, len(requests))

    def cost(self, what, requests):
        """Milliseconds of CPU each."""
        before = self.written()
        each = self.measure(what, requests)
        transactions, bytes_of_wal = (after - before for after, before in zip(self.written(), before))
        print(f"  {what}: {transactions / len(requests):.1f} transactions and {bytes_of_wal / len(requests) / 1024:.1f} KiB of WAL each, what idles included")
        self.note(what, each)
        return each

    def written(self):
        """Transactions that were committed, and bytes of WAL, since the start of the cluster."""
        query = "SELECT sum(xact_commit), (SELECT wal_bytes FROM pg_stat_wal) FROM pg_stat_database"
        answer = subprocess.run(["psql", "--no-psqlrc", "-qAtd", "postgres", "-c", query], check=True, capture_output=True, text=True)
        return tuple(int(part) for part in answer.stdout.split("|"))

    def require_quiet(self):
        if (others := self.others()) > OTHERS:
            if not self.is_anyhow:
                raise SystemExit(f"not judged: others use {others:.2f} cores of this machine")
            print(f"not judged: others use {others:.2f} cores of this machine", flush=True)

    def note(self, what, milliseconds):
        if what in GOALS:
            self.lines.append(Judged(what, milliseconds / self.milliseconds_of_unit, GOALS[what], "units"))
            print(f"  {self.lines[-1]}", flush=True)

    def round(self):
        self.require_quiet()
        self.milliseconds_of_unit = self.unit()
        print(f"a unit is {self.milliseconds_of_unit:.4f} ms of CPU", flush=True)
        self.measure_idle()
        self.timelines()
        if not self.is_writes:
            asyncio.run(self.chat())
        at_end = self.unit()
        self.require_quiet()
        print(f"a unit is {at_end:.4f} ms of CPU at the end", flush=True)

    def timelines(self):
        people = self.sign_up("follower", FOLLOWERS)
        popular, quiet, *others = self.sign_up("author", 1 + SUBJECTS)
        # What auth says of a token is believed for minutes: it is paid once, by whatever is asked first.
        everybody = (*people, popular, quiet, *others)
        self.measure("first request of a token", [get_request(client, "/api/v1/accounts/verify_credentials") for client in everybody])
        popular_id, *other_ids = [identity(client) for client in (popular, *others)]
        followed_ids = [*other_ids, popular_id]
        alone = self.cost("post, one author", [post(quiet) for _ in range(400)])
        self.cost("post, many authors", [post(people[number % 40]) for number in range(400)])
        self.cost("follow", [post_request(client, f"/api/v1/accounts/{id}/follow", {}) for id in followed_ids for client in people])
        followed = self.measure(f"post, {FOLLOWERS} followers", [post(popular) for _ in range(100)])
        self.note("delivery to one more follower", (followed - alone) / FOLLOWERS)
        root, _ = popular.call("POST", "/api/v1/statuses", {"status": "root"})
        self.measure("reply", [post(client, in_reply_to_id=root["id"]) for client in people[:50]])
        liked = [root["id"], *(client.call("POST", "/api/v1/statuses", {"status": "liked"})[0]["id"] for client in others)]
        for what in ("favourite", "unfavourite"):
            self.cost(what, [post_request(client, f"/api/v1/statuses/{id}/{what}", {}) for id in liked for client in people])
        if not self.is_writes:
            self.reads(people, popular, popular_id, root)
        self.cost("unfollow", [post_request(client, f"/api/v1/accounts/{id}/unfollow", {}) for id in followed_ids for client in people])

    def reads(self, people, popular, popular_id, root):
        def read(count, *paths):
            return [get_request(people[number % FOLLOWERS], paths[number % len(paths)]) for number in range(count)]

        self.cost("home, 20 posts, cold", read(FOLLOWERS, "/api/v1/timelines/home"))
        self.cost("home, 20 posts, warm", read(2000, "/api/v1/timelines/home"))
        self.cost("account timeline, hot", read(2000, f"/api/v1/accounts/{popular_id}/statuses"))
        self.measure("posts to read", [post(client) for _ in range(20) for client in people[:100]])
        self.cost("account timeline, in turn", read(2000, *(f"/api/v1/accounts/{identity(client)}/statuses" for client in people[:100])))
        self.cost("thread of 50", read(500, f"/api/v1/statuses/{root['id']}/context"))
        self.cost("notifications, 20", [get_request(popular, "/api/v1/notifications?limit=20")] * 1000)
        self.replies(popular, people[:32], root["id"])

    def replies(self, author, repliers, root, seconds=5):
        """From the moment at which a reply was to be sent to its notification on the author's open stream."""
        stream, count = get_request(author, "/api/v1/streaming/user/notification"), REPLIES * seconds
        replies = [
            post_request(repliers[number % len(repliers)], "/api/v1/statuses", {"status": f"rate-{number}-", "in_reply_to_id": root})
            for number in range(count)
        ]
        took = arrive(self.arrivals, self.base_url, len(repliers), REPLIES, seconds, [stream, *replies], "rate")
        if took["errors"]:
            raise SystemExit(f"{took['errors']} of {count} replies failed")
        if took["unshown"]:
            raise SystemExit(f"{took['unshown']} of {count} replies never came on the stream")
        print(f"  {took['rate']:.1f} replies a second, the client's own {took['cpu']:.3f} ms CPU each; sent {took['sent_late']} ms late at most")
        for what, value, goal in (
            (f"reply to open stream, {REPLIES}/s, p50", took["p50"], REPLY_MEDIAN),
            (f"reply to open stream, {REPLIES}/s, p99", took["p99"], REPLY_WORST),
        ):
            self.lines.append(Judged(what, value, goal, "ms"))
            units = f"{value / self.milliseconds_of_unit:.0f} units; {goal / QUIET_UNIT:.0f} on a quiet machine"
            print(f"  {self.lines[-1]} ({units})", flush=True)

    async def chat(self, receivers=20, count=400, at_once=16):
        """Stored, and delivered to each open socket."""
        owner, *members = self.sign_up("talker", receivers + 1)
        made, _ = owner.call("POST", "/api/v1/playgrounds", {"name": "Cost"})
        invite, _ = owner.call("POST", f"/api/v1/playgrounds/{made['id']}/invites", {})
        channel, _ = owner.call("POST", f"/api/v1/playgrounds/{made['id']}/channels", {"name": "cost", "type": "public"})
        for member in members:
            member.call("POST", f"/api/v1/invites/{invite['code']}/accept", {})
            member.call("POST", f"/api/v1/channels/{channel['id']}/join", {})
        delivered = 0

        def arrived(name, argument):
            nonlocal delivered
            delivered += name == "message"

        connections = [await Connection.open(self.base_url, {"token": person.token}, arrived, timeout=30) for person in members]
        speaker = await Connection.open(self.base_url, {"token": owner.token}, lambda *_: None, timeout=30)
        gate = asyncio.Semaphore(at_once)

        async def say(number):
            async with gate:
                answer = await speaker.emit("message", {"channel_id": channel["id"], "text": f"message {number} of many"})
                assert answer["ok"], answer

        await asyncio.to_thread(self.settle)
        before, began = self.spent(), time.monotonic()
        await asyncio.gather(*(say(number) for number in range(count)))
        deadline = time.monotonic() + 30
        while delivered < count * receivers:
            if time.monotonic() > deadline:
                raise SystemExit(f"{delivered} of {count * receivers} deliveries came within 30 s")
            await asyncio.sleep(0.02)
        await asyncio.to_thread(self.settle)
        after, whole = self.spent(), time.monotonic() - began
        self.note("chat message, 20 receivers", self.show("chat message, 20 receivers", before, after, whole, count))
        for connection in (*connections, speaker):
            connection.abort()

    def idle_cores(self, seconds=10):
        """Cores that each of our processes uses while nothing is asked for: so little that the ticks of `stat` do not show it."""
        before, began = {name: nanoseconds(pid) for name, pid in self.processes()}, time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        return {name: (nanoseconds(pid) - before[name]) / 1e9 / took for name, pid in self.processes()}

    def judge_idle(self):
        ours, cores = self.processes(), self.idle_cores()
        print("  " + ", ".join(f"{name} {1000 * used:.2f}" for name, used in cores.items()) + " ms a second")
        for what, value, goal, unit in (
            ("idle, the seven processes", sum(cores.values()), IDLE_CORES, "cores"),
            ("memory, the seven processes", pss_mebibytes([pid for _, pid in ours]), IDLE_MEBIBYTES, "MiB PSS"),
        ):
            self.lines.append(Judged(what, value, goal, unit))
            print(f"  {self.lines[-1]}", flush=True)

    def processes(self):
        """Ours: the engines are not of the seven."""
        return [(name, self.stack.pid(name)) for name in self.stack.services]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--pgbench", required=True)
    arguments.add_argument("--arrivals", required=True, help="the program made of arrivals.c")
    bench = Cost(arguments.parse_args())
    for database in ("DROP DATABASE IF EXISTS cost", "CREATE DATABASE cost"):
        subprocess.run(["psql", "--no-psqlrc", "-qd", "postgres", "-c", database], check=True, capture_output=True)
    subprocess.run([bench.pgbench, "-q", "-i", "-s", "1", "cost"], check=True, capture_output=True)
    bench.measure_idle()
    bench.judge_idle()
    for number in (1, 2):
        print(f"round {number} of 2", flush=True)
        bench.round()
    missed = {line.what for line in bench.lines if not line.is_met}
    print(f"{len(GOALS) + 4 - len(missed)} of {len(GOALS) + 4} goals are met: missed in one round or both: {', '.join(sorted(missed)) or 'none'}")
    print(json.dumps({"date": time.strftime("%F", time.gmtime()), "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
