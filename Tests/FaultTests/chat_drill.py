# SPDX-License-Identifier: Apache-2.0
"""People chat through two gateways and two of each service while connections are cut and processes are killed.

Every client must end with exactly the acknowledged messages of its channels, in the order of their numbers, none twice
and none missing. A message whose outcome is unknown is sent again with the same client_id until it is acknowledged. Who
was away all the time has one entry for each message that named them, and no more. PostgreSQL and RabbitMQ are killed, too.
"""

import argparse
import asyncio
import contextlib
import json
import pathlib
import random
import secrets
import sys
import tempfile
import time
from collections import Counter

from client import Away, sign_up
from stack import STORES, Stack
from ledger import Ledger
from sockets import Connection, Refused

# What a message passes; second copies of the others take part when they run.
SHORT_VICTIMS = ["chat-2", "rabbitmq", "gateway-2", "postgres"]
VICTIMS = SHORT_VICTIMS + ["chat", "gateway"] + [name for name in STORES if name != "chat"]
# After a process is back, others may need so long to reach it again: a connection may be refused until then.
RECOVERY = 20


class Person:
    """One client: what it has received, its connection, and what it still has to say."""

    def __init__(self, name, http, drill):
        self.name = name
        self.http = http
        self.drill = drill
        self.channels = []
        # By channel: the client_ids received, of which the first has number 1.
        self.received = {}
        self.violations = []
        self.connection = None
        self.is_connected = asyncio.Event()
        self.outbox = asyncio.Queue()
        self.away = 0.0
        self.sleeps = False
        # Of a sleeper: the acknowledged messages that name them.
        self.named_in = []
        self.reconnects = 0
        self.resyncs = 0
        # By channel under resync: live messages that wait for it.
        self.catching_up = {}
        self.tasks = set()

    def join(self, channel):
        self.channels.append(channel)
        self.received[channel] = []

    def took(self, message):
        channel, seq = message["channel_id"], message["seq"]
        if channel not in self.received:
            return self.violations.append(f"a message of {channel}, where {self.name} is no member")
        if channel in self.catching_up:
            return self.catching_up[channel].append(message)
        self.append(channel, seq, message["client_id"])

    def append(self, channel, seq, client_id):
        received = self.received[channel]
        if seq <= len(received):
            self.violations.append(f"{self.name}: {channel}/{seq} came again after {len(received)}")
        elif seq > len(received) + 1:
            self.violations.append(f"{self.name}: {channel}/{seq} came after {len(received)}")
            received.extend([None] * (seq - 1 - len(received)))
            received.append(client_id)
        else:
            received.append(client_id)

    def on_event(self, name, argument):
        if name == "message":
            self.took(argument)
        elif name == "resync":
            self.resyncs += 1
            channel = argument["channel_id"]
            self.catching_up.setdefault(channel, [])
            task = asyncio.create_task(self.resync(channel, argument["last_seq"]))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def resync(self, channel, last):
        """Fetches what is too much for the socket, then takes what came live meanwhile."""
        received = self.received[channel]
        while len(received) < last:
            path = f"/api/v1/channels/{channel}/messages?after_seq={len(received)}&limit=200"
            page, _ = await asyncio.to_thread(self.http.insist, "GET", path)
            for message in page:
                self.append(channel, message["seq"], message["client_id"])
        for message in self.catching_up.pop(channel, []):
            if message["seq"] > len(received):
                self.append(channel, message["seq"], message["client_id"])

    async def stay_connected(self):
        """Connects, again and again, through any gateway, telling what was received last."""
        while True:
            if self.away:
                await asyncio.sleep(self.away)
                self.away = 0.0
            for task in list(self.tasks):
                task.cancel()
            self.catching_up = {}
            positions = {channel: len(received) for channel, received in self.received.items()}
            auth = {"token": self.http.token, "channels": positions}
            try:
                self.connection = await Connection.open(self.drill.random.choice(self.drill.gateways), auth, self.on_event)
            except (OSError, TimeoutError, Refused) as error:
                if isinstance(error, Refused):
                    self.drill.refused(error)
                await asyncio.sleep(self.drill.random.uniform(0.1, 0.6))
                continue
            self.reconnects += 1
            self.is_connected.set()
            await self.connection.closed
            self.is_connected.clear()

    async def speak(self):
        """Says what is in the outbox, one after the other, each until it is acknowledged."""
        while True:
            channel, client_id, named = await self.outbox.get()
            self.drill.ledger.intend(client_id, author=self.name, channel=channel, named=named and named.name)
            text = f"@{named.name} <{client_id}>" if named else f"<{client_id}>"
            tries = 0
            while True:
                await self.is_connected.wait()
                tries += 1
                try:
                    self.drill.in_flight += 1
                    said = {"channel_id": channel, "text": text, "client_id": client_id}
                    answer = await asyncio.wait_for(self.connection.emit("message", said), 10)
                except (ConnectionError, TimeoutError):
                    await asyncio.sleep(0.05)
                    continue
                finally:
                    self.drill.in_flight -= 1
                if answer["ok"]:
                    message = answer["message"]
                    self.drill.ledger.note(client_id, "acknowledged", id=message["id"], seq=message["seq"], tries=tries)
                    if named:
                        named.named_in.append(message["id"])
                    self.drill.repeated += tries > 1
                    break
                problem = answer["error"]
                if problem.get("status", 500) < 500:
                    self.drill.ledger.note(client_id, "refused", why=json.dumps(problem))
                    break
                await asyncio.sleep(0.2)
            self.drill.settled += 1


def is_alive(pid):
    """A process that has ended but was not waited for is a corpse, not alive."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


class ChatDrill:
    def __init__(self, options):
        self.options = options
        self.gateways = options.base_url
        self.random = random.Random(options.seed)
        self.stack = Stack(options.run, options.base_url[0])
        self.stack.mark()
        self.ledger = Ledger(pathlib.Path(tempfile.mkdtemp(prefix="madang-chat-drill-")) / "ledger.jsonl")
        self.people = []
        self.members = {}
        self.in_flight = self.settled = self.repeated = self.cuts = 0
        self.kills = []
        # From the kill until the others have found it again.
        self.windows = []
        self.refusals = Counter()
        self.wrongly_refused = Counter()

    def prepare(self):
        """Accounts, one playground, its channels, and who is where."""
        tag = secrets.token_hex(4)
        accounts = sign_up(self.gateways[0], [f"chat_{tag}_{number}" for number in range(self.options.clients)])
        self.people = [Person(name, http, self) for name, http in accounts.items()]
        owner = self.people[0].http
        playground, _ = owner.insist("POST", "/api/v1/playgrounds", {"name": f"Drill {tag}"})
        invite, _ = owner.insist("POST", f"/api/v1/playgrounds/{playground['id']}/invites", {})
        path = f"/api/v1/playgrounds/{playground['id']}/channels"
        for number in range(self.options.channels):
            channel, _ = owner.insist("POST", path, {"name": f"channel {number}", "type": "public"})
            self.members[channel["id"]] = []
        channels = list(self.members)

        def settle(indexed):
            index, person = indexed
            if index:
                person.http.insist("POST", f"/api/v1/invites/{invite['code']}/accept", {})
            for offset in range(self.options.channels_each):
                channel = channels[(index + offset * 7) % len(channels)]
                if index:
                    person.http.insist("POST", f"/api/v1/channels/{channel}/join", {})
                person.join(channel)
                self.members[channel].append(person)
            if not index:
                # The owner is in every channel, because they made it.
                for channel in channels:
                    if channel not in person.received:
                        person.join(channel)

        for indexed in enumerate(self.people):
            settle(indexed)
        # Two hear of nothing until all is over.
        for person in self.people[-2:]:
            person.sleeps = True

    async def talk(self):
        """Hands out messages at a steady rate, whether or not earlier ones were acknowledged."""
        began = time.monotonic()
        for number in range(self.options.messages):
            await asyncio.sleep(max(0, began + number / self.options.rate - time.monotonic()))
            channel = self.random.choice(list(self.members))
            speakers = [person for person in self.members[channel] if not person.sleeps]
            sleepers = [person for person in self.members[channel] if person.sleeps]
            named = self.random.choice(sleepers) if sleepers and number % 5 == 0 else None
            self.random.choice(speakers).outbox.put_nowait((channel, f"message-{number}", named))

    async def cut(self):
        while True:
            await asyncio.sleep(self.random.expovariate(self.options.cuts))
            person = self.random.choice(self.people)
            if person.is_connected.is_set():
                person.away = self.random.uniform(*self.options.away)
                person.connection.abort()
                self.cuts += 1

    async def kill(self):
        for number, name in enumerate(self.options.victims, 1):
            share = number / (len(self.options.victims) + 1)
            while self.settled < share * self.options.messages or not self.in_flight:
                await asyncio.sleep(0.005)
            busy = self.in_flight
            pid = self.stack.kill(name)
            if not pid:
                raise SystemExit(f"chat drill: {name} was to be killed, but does not run")
            self.kills.append((name, busy))
            self.windows.append([time.monotonic(), None])
            # Proof that it was this one that went: its id is nobody's any more, and another takes its place.
            await self.eventually(lambda: not is_alive(pid), 10, f"the end of {name}")
            await self.eventually(lambda: self.stack.pid(name) not in (None, pid), 60, f"the restart of {name}")
            self.windows[-1][1] = time.monotonic() + RECOVERY

    def refused(self, error):
        """A connection may be refused while something that it needs is away, and at no other time."""
        self.refusals[str(error)[:80]] += 1
        now = time.monotonic()
        if not any(began <= now and (ended is None or now <= ended) for began, ended in self.windows):
            self.wrongly_refused[str(error)[:80]] += 1

    async def eventually(self, condition, seconds, what):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise SystemExit(f"chat drill: {what} did not happen within {seconds} s")
            await asyncio.sleep(0.05)

    async def run(self):
        began = time.monotonic()
        lives = [asyncio.create_task(person.stay_connected()) for person in self.people if not person.sleeps]
        await self.eventually(
            lambda: all(person.sleeps or person.is_connected.is_set() for person in self.people), 60, "everybody's connection"
        )
        mouths = [asyncio.create_task(person.speak()) for person in self.people]
        storm = [asyncio.create_task(self.cut()), asyncio.create_task(self.kill())]
        await self.talk()
        await self.eventually(lambda: self.settled == self.options.messages, 240, "every acknowledgement")
        await asyncio.wait_for(storm[1], 120)
        storm[0].cancel()
        talked = time.monotonic() - began
        await asyncio.to_thread(self.stack.wait_quiet)
        entries = {}
        for person in self.people:
            if person.sleeps:
                entries[person] = await asyncio.to_thread(self.entries, person)
        for person in self.people:
            if person.sleeps:
                lives.append(asyncio.create_task(person.stay_connected()))
        histories = {channel: await asyncio.to_thread(self.history, channel) for channel in self.members}
        with contextlib.suppress(SystemExit):
            await self.eventually(
                lambda: all(
                    len(received) >= len(histories[channel])
                    for person in self.people
                    for channel, received in person.received.items()
                ),
                90,
                "everybody's last message",
            )
        healed = time.monotonic() - began - talked
        for task in lives + mouths:
            task.cancel()
        return self.judge(histories, entries, talked, healed)

    def entries(self, person):
        """The messages that a person's list tells of, each as often as it does."""
        path = "/api/v1/notifications?types[]=chat_mention&limit=80"
        return Counter(entry["message"]["id"] for entry in person.http.pages(path))

    def history(self, channel):
        """The client_ids of a channel by number, as its history tells."""
        http, history = self.people[0].http, []
        while True:
            page, _ = http.insist("GET", f"/api/v1/channels/{channel}/messages?after_seq={len(history)}&limit=200")
            if not page:
                return history
            for message in page:
                if message["seq"] != len(history) + 1:
                    raise SystemExit(f"chat drill: {channel} has a gap before {message['seq']}")
                history.append(message["client_id"])

    def judge(self, histories, entries, talked, healed):
        acknowledged = self.ledger.keys("acknowledged")
        stored = Counter(client_id for history in histories.values() for client_id in history)
        wrong = [
            f"{person.name} has {len(person.received[channel])} of {len(histories[channel])} messages of {channel}"
            for person in self.people
            for channel in person.received
            if person.received[channel] != histories[channel]
        ]
        violations = [violation for person in self.people for violation in person.violations]
        named = {(person.name, message) for person in entries for message in person.named_in}
        told = Counter({(person.name, message): n for person, list_ in entries.items() for message, n in list_.items()})
        numbers = {
            "messages acknowledged": len(acknowledged),
            "lost": len(acknowledged - set(stored)),
            "doubled": sum(1 for count in stored.values() if count > 1),
            "unexpected": len(set(stored) - acknowledged),
            "refused": len(self.ledger.keys("refused")),
            "channels that a client holds wrongly": len(wrong),
            "out of order, twice or foreign": len(violations),
            "entries missing": len(named - set(told)),
            "entries doubled": sum(1 for count in told.values() if count > 1),
            "entries unexpected": len(set(told) - named),
            "dead letters": self.stack.dead_letters(),
            "connections refused while all ran": sum(self.wrongly_refused.values()),
        }
        for what, number in numbers.items():
            print(f"{what}: {number}")
        for line in (wrong + violations)[:10]:
            print("  ", line)
        print("kills (requests in flight):", ", ".join(f"{name} ({busy})" for name, busy in self.kills))
        print(f"connections cut: {self.cuts}; connected {sum(person.reconnects for person in self.people)} times; ", end="")
        print(f"resyncs: {sum(person.resyncs for person in self.people)}; sent more than once: {self.repeated}")
        print(f"messages sent: {self.options.messages}; entries of who was away: {len(named)}")
        print("deliveries:", sum(len(received) for person in self.people for received in person.received.values()))
        print(f"talked for {talked:.1f} s; everybody had everything {healed:.1f} s later")
        if self.refusals:
            print("connections refused:", dict(self.refusals))
        missed = set(self.options.victims) - {name for name, busy in self.kills if busy}
        exercised = self.cuts > 0 and not missed and len(named) > 0
        if not exercised:
            print("chat drill: not exercised; not killed while messages were under way:", sorted(missed))
        clean = len(acknowledged) == self.options.messages and not any(list(numbers.values())[1:])
        return clean and exercised


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", action="append", required=True, help="a gateway; once for each")
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--short", action="store_true", help="for every run of the tests: under a minute")
    arguments.add_argument("--clients", type=int)
    arguments.add_argument("--channels", type=int)
    arguments.add_argument("--messages", type=int)
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = arguments.parse_args()
    short = options.short
    options.clients = options.clients or (40 if short else 200)
    options.channels = options.channels or (5 if short else 20)
    options.messages = options.messages or (600 if short else 5000)
    options.channels_each = 2
    options.rate = 40 if short else 50
    options.away = (0.3, 3) if short else (1, 30)
    # So many a second that about a third of the clients is away at any time.
    options.cuts = options.clients / (sum(options.away) / 2) / 2.5
    copies = sorted(file.stem for file in pathlib.Path(options.run).glob("*-2.pid"))
    options.victims = SHORT_VICTIMS if short else VICTIMS + [name for name in copies if name not in VICTIMS]
    print(
        f"chat drill: {options.clients} clients in {options.channels} channels, {options.messages} messages at "
        f"{options.rate}/s, away {options.away[0]}-{options.away[1]} s, seed {options.seed}",
        flush=True,
    )
    drill = ChatDrill(options)
    began = time.monotonic()
    try:
        drill.prepare()
    except Away as away:
        raise SystemExit(f"chat drill: nothing to talk to: {away}") from away
    print(f"prepared in {time.monotonic() - began:.1f} s", flush=True)
    passed = asyncio.run(drill.run())
    print("chat drill passed" if passed else f"chat drill FAILED; the ledger is {drill.ledger._file.name}")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
