# SPDX-License-Identifier: Apache-2.0
"""Chat in numbers: from sending to receiving with many clients connected, memory of an idle connection, the overview of
somebody in 200 conversations, and messages stored a second; the last two against the same through pgbench."""

import argparse
import asyncio
import concurrent.futures
import itertools
import json
import pathlib
import re
import resource
import secrets
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from same_sql import ROUNDS, SameSQL, Session, middle, share  # noqa: E402
from stack import ENGINES, SERVICES, Stack  # noqa: E402
from sockets import Connection  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

PROCESSES = ENGINES + SERVICES


TEXT = "A message like any other"


class Talkers:
    """The program made of talkers.c, with a connection for each pair of a token and what is emitted on it."""

    def __init__(self, program, base_url, pairs):
        self.program = subprocess.Popen(
            [program, str(urllib.parse.urlsplit(base_url).port), str(len(pairs))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask("".join(f"{token} {json.dumps(emitted)}\n" for token, emitted in pairs))

    def ask(self, text):
        self.program.stdin.write(text)
        self.program.stdin.flush()
        if not (line := self.program.stdout.readline()):
            raise SystemExit(f"the talkers ended with {self.program.wait()}")
        return json.loads(line)

    def round(self, seconds):
        """What they say of a round, at the end of which everything is acknowledged and delivered."""
        said = self.ask(f"{seconds}\n")
        assert not said["errors"], said
        return said

    def close(self):
        self.program.communicate()


class Bench:
    def __init__(self, options):
        self.options = options
        self.url = options.base_url
        self.stack = Stack(options.run, options.base_url)
        self.tag = secrets.token_hex(3)
        names = [f"talker_{self.tag}_{number}" for number in range(options.accounts)]
        self.people = list(sign_up(self.url, names).values())
        self.owner = self.people[0]
        self.sql = SameSQL(options.pgbench, options.postgres_log, "chat")

    def cpu_by_process(self):
        return cpu_seconds({self.stack.pid(name): name for name in PROCESSES})

    def cpu(self):
        return sum(self.cpu_by_process().values())

    def playground(self, members):
        """A playground with an invitation that all of `members` accepted."""
        made, _ = self.owner.call("POST", "/api/v1/playgrounds", {"name": f"Bench {secrets.token_hex(3)}"})
        invite, _ = self.owner.call("POST", f"/api/v1/playgrounds/{made['id']}/invites", {})
        for member in members:
            member.call("POST", f"/api/v1/invites/{invite['code']}/accept", {})
        return made

    def channel(self, playground, name, members):
        made, _ = self.owner.call("POST", f"/api/v1/playgrounds/{playground['id']}/channels", {"name": name, "type": "public"})
        for member in members:
            member.call("POST", f"/api/v1/channels/{made['id']}/join", {})
        return made["id"]

    def rooms(self):
        """Channels of five accounts each; the owner is in all of them."""
        playground = self.playground(self.people[1:])
        groups = [self.people[start : start + 5] for start in range(1, len(self.people), 5)]
        return [
            (self.channel(playground, f"room {number}", group), group) for number, group in enumerate(groups)
        ]

    async def connect(self, count, on_event):
        """Connections of the people in turn, a few at a time."""
        gate = asyncio.Semaphore(16)

        async def one(number):
            person = self.people[1:][number % (len(self.people) - 1)]
            async with gate:
                return person, await Connection.open(self.url, {"token": person.token}, on_event, timeout=30)

        return await asyncio.gather(*(one(number) for number in range(count)))

    async def latency(self, rooms):
        """From emitting a message to its arrival at each connection of its channel, in one process with one clock."""
        took = []

        def arrived(name, argument):
            if name == "message":
                took.append(1000 * (time.monotonic() - float(argument["text"])))

        before = self.resident()
        connections = await self.connect(self.options.clients, arrived)
        await asyncio.sleep(2)
        memory = (self.resident() - before) / len(connections)
        by_person = {person: connection for person, connection in connections}
        for seconds in (2, self.options.seconds):
            # The first round warms up.
            took.clear()
            count, pending, spent = seconds * self.options.rate, [], self.cpu_by_process()
            began = time.monotonic()
            for number in range(count):
                await asyncio.sleep(max(0, began + number / self.options.rate - time.monotonic()))
                channel, group = rooms[number % len(rooms)]
                speaker = by_person[group[number % len(group)]]
                pending.append(speaker.emit("message", {"channel_id": channel, "text": repr(time.monotonic())}))
            answers = await asyncio.gather(*pending)
            assert all(answer["ok"] for answer in answers), answers[-1]
            await asyncio.sleep(1)
            spent = {name: 1000 * (after - spent[name]) / count for name, after in self.cpu_by_process().items()}
        print(
            f"{len(connections)} connected, {self.options.rate} messages/s for {seconds} s: send to receive "
            f"p50 {share(took, 0.5):.1f} ms, p99 {share(took, 0.99):.1f} ms, highest {max(took):.0f} ms; "
            f"{len(took)} deliveries, {sum(spent.values()):.2f} ms CPU a message with all of its deliveries",
            flush=True,
        )
        print("  of these:", ", ".join(f"{name} {each:.2f}" for name, each in spent.items() if each >= 0.01))
        print(f"memory of a connected client: {memory:.1f} KiB of the gateway, first ones and their caches included")
        await self.idle(len(connections))

    async def idle(self, already):
        """What as many connections more add, when everything that is shared is there already."""
        before = self.resident()
        more = await self.connect(self.options.clients, lambda *_: None)
        await asyncio.sleep(3)
        each = (self.resident() - before) / len(more)
        print(f"idle connection: {each:.1f} KiB resident each ({len(more)} on top of {already})", flush=True)
        for _, connection in more:
            connection.abort()
        await asyncio.sleep(1)

    def resident(self):
        status = pathlib.Path(f"/proc/{self.stack.pid('gateway')}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    # Against the database.

    def overview(self):
        """Of somebody in 200 conversations with 10 messages each."""
        reader, writer = sign_up(self.url, [f"reader_{self.tag}", f"writer_{self.tag}"]).values()
        channels = []
        for start in range(0, 200, 50):
            made, _ = writer.call("POST", "/api/v1/playgrounds", {"name": f"Many {start}"})
            invite, _ = writer.call("POST", f"/api/v1/playgrounds/{made['id']}/invites", {})
            reader.call("POST", f"/api/v1/invites/{invite['code']}/accept", {})
            for number in range(49):
                channel, _ = writer.call("POST", f"/api/v1/playgrounds/{made['id']}/channels", {"name": f"c {number}", "type": "public"})
                reader.call("POST", f"/api/v1/channels/{channel['id']}/join", {})
                channels.append(channel["id"])

        def fill(channel):
            for number in range(10):
                writer.call("POST", f"/api/v1/channels/{channel}/messages", {"text": f"message {number} for the overview"})

        with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
            list(pool.map(fill, channels))
        path = "/api/v1/conversations-overview"
        found, _ = reader.call("GET", path)
        count = len(found["channels"]) + len(found["direct_channels"])
        assert all(each["unread_count"] == 10 for each in found["channels"] if each["id"] in channels)
        self.sql.psql("VACUUM ANALYZE chat.messages", "VACUUM ANALYZE chat.channels", "VACUUM ANALYZE chat.channel_members")

        session, turns = Session("chat"), itertools.cycle(channels)

        def overview():
            reader.call("GET", path)

        def after(subject):
            # What the triggers note of a change: of everything, or of what somebody said in one channel.
            session.run(f"INSERT INTO changes (xid, subjects) VALUES (pg_current_xact_id(), '{{{subject}}}')")
            overview()

        def made():
            after(0)

        def one():
            after(next(turns))

        script = self.sql.statements_of(made, "playground_members|channel_members")
        for what, request in (("made anew", made), ("after one message", one), ("given again", overview)):
            for workers in (1, 4):
                beside = self.sql.beside(request, script, self.cpu, workers, 3)
                print(f"overview of {count} conversations, {what}, {beside}", flush=True)

    def stored(self, rooms, at_once):
        """Messages acknowledged a second with some under way at all times, against plain INSERTs of the same row."""
        where = {person: channel for channel, group in rooms for person in group}
        people = [self.people[1:][number % (len(self.people) - 1)] for number in range(at_once)]
        emitted = [(person.token, ["message", {"channel_id": where[person], "text": TEXT}]) for person in people]
        talkers = Talkers(self.options.talkers, self.url, emitted)
        rounds, raw, spent = [], [], 0.0
        talkers.round(2)
        columns = self.sql.psql(
            "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns "
            "WHERE table_schema = 'chat' AND table_name = 'messages' AND column_name NOT IN ('id', 'seq') AND is_generated = 'NEVER'"
        ).strip()
        values = self.sql.psql(
            "SELECT string_agg(quote_nullable(value), ', ' ORDER BY ordinal_position) FROM "
            f"(SELECT to_jsonb(m) AS row FROM chat.messages m WHERE text = '{TEXT}' LIMIT 1) m, "
            "LATERAL (SELECT column_name, ordinal_position, CASE WHEN data_type = 'ARRAY' THEN '{}' ELSE row ->> column_name END AS value "
            "FROM information_schema.columns WHERE table_schema = 'chat' AND table_name = 'messages' "
            "AND column_name NOT IN ('id', 'seq') AND is_generated = 'NEVER') c"
        ).strip()
        self.sql.psql(
            "DROP TABLE IF EXISTS chat.bench_messages",
            "CREATE TABLE chat.bench_messages (LIKE chat.messages INCLUDING ALL)",
        )
        script = (
            "\\set id random(1, 9000000000000000000)\n"
            f"INSERT INTO bench_messages (id, seq, {columns}) VALUES (:id, :id, {values});\n"
        )
        for _ in range(ROUNDS):
            before = self.cpu()
            rounds.append(talkers.round(4))
            time.sleep(1)
            spent += self.cpu() - before
            raw.append(self.sql.rate(script, at_once, 4))
        talkers.close()
        self.sql.psql("DROP TABLE chat.bench_messages")
        rates, stored = [each["rate"] for each in rounds], sum(each["stored"] for each in rounds)
        client = sum(each["cpu"] * each["stored"] for each in rounds) / stored
        print(
            f"messages stored, {at_once} at a time: {middle(rates):.0f}/s, acknowledged after p50 {middle([each['p50'] for each in rounds]):.1f} ms, "
            f"p99 {middle([each['p99'] for each in rounds]):.1f} ms, {1000 * spent / stored:.2f} ms CPU each with events and "
            f"{sum(each['deliveries'] for each in rounds) / stored:.1f} deliveries, the client's {client:.3f}; "
            f"plain INSERT of the same row through pgbench {middle(raw):.0f}/s; ratio "
            f"{middle([ours / theirs for ours, theirs in zip(rates, raw)]):.2f}",
            flush=True,
        )


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--pgbench", required=True)
    arguments.add_argument("--postgres-log", required=True)
    arguments.add_argument("--talkers", required=True, help="the program made of talkers.c")
    arguments.add_argument("--accounts", type=int, default=251)
    arguments.add_argument("--clients", type=int, default=1000)
    arguments.add_argument("--rate", type=int, default=200)
    arguments.add_argument("--seconds", type=int, default=15)
    arguments.add_argument("--at-once", type=int, nargs="+", default=[32, 128], help="messages and INSERTs under way")
    options = arguments.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * options.clients + 500)), hard))
    bench = Bench(options)
    rooms = bench.rooms()
    asyncio.run(bench.latency(rooms))
    bench.overview()
    for at_once in options.at_once:
        bench.stored(rooms, at_once)


if __name__ == "__main__":
    main()
