# SPDX-License-Identifier: Apache-2.0
"""Projections that are rebuilt while people write (F20)."""

import threading
import time

from stack import Failed
from traffic import Traffic

# Of each service that keeps what others own: a table whose rows are seen all the while, and damage that a rebuild mends.
DAMAGE = {
    "notifications": (
        "notifications.notifications",
        [
            """UPDATE notifications.accounts SET snapshot = snapshot || '{"display_name": "damaged"}' WHERE id % 2 = 0""",
            """UPDATE notifications.posts SET snapshot = snapshot || '{"text": "damaged"}' WHERE id % 2 = 0 AND snapshot IS NOT NULL""",
            """INSERT INTO notifications.accounts SELECT 17, version, snapshot || '{"display_name": "damaged"}' FROM notifications.accounts LIMIT 1""",
        ],
        """SELECT (SELECT count(*) FROM notifications.accounts WHERE snapshot ->> 'display_name' = 'damaged')
            + (SELECT count(*) FROM notifications.posts WHERE snapshot ->> 'text' = 'damaged')""",
    ),
    "chat": (
        "chat.accounts",
        ["""UPDATE chat.accounts SET snapshot = snapshot || '{"display_name": "damaged"}' WHERE id % 2 = 0"""],
        "SELECT count(*) FROM chat.accounts WHERE snapshot ->> 'display_name' = 'damaged'",
    ),
    "search": (
        "search.documents",
        ["UPDATE search.documents SET source = 'damaged' WHERE id % 2 = 0 AND NOT gone"],
        "SELECT count(*) FROM search.documents WHERE source = 'damaged'",
    ),
}


class Delays:
    """How long it takes from an answer's acknowledgement until its notification is in the list, again and again."""

    def __init__(self, traffic):
        self.traffic = traffic
        self.found = []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self):
        one, other = self.traffic.names[0], self.traffic.names[1]
        while not self.stopped.is_set():
            form = {"status": "how long", "in_reply_to_id": self.traffic.roots[other]}
            made, _ = self.traffic.accounts[one].insist("POST", "/api/v1/statuses", form)
            began = time.monotonic()
            while not self.stopped.is_set():
                listed, _ = self.traffic.accounts[other].insist("GET", "/api/v1/notifications?limit=40&types[]=mention")
                if any(each["status"]["id"] == made["id"] for each in listed):
                    self.found.append(time.monotonic() - began)
                    break
                time.sleep(0.02)
            # The ledger knows nothing of it.
            self.traffic.accounts[one].insist("DELETE", f"/api/v1/statuses/{made['id']}")
            self.stopped.wait(0.2)

    def stop(self):
        """The 50th and the 99th of a hundred, in milliseconds."""
        self.stopped.set()
        self.thread.join()
        ordered = sorted(self.found) or [0.0]
        return [1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.99)]


def number(stack, sql):
    return int(stack.psql(sql, timeout=120)[0][0])


def fill(stack, count):
    """Posts past the commands, as time would bring them: an owner tells them again all the same."""
    stack.psql(
        f"""INSERT INTO posts.posts (id, account_id, text, visibility, conversation_id, created_at)
        SELECT id, account_id, 'Post number ' || n || ' of many, as long as most', 'public', id, now()
        FROM (
            SELECT n, (SELECT max(id) FROM posts.posts) + n AS id, a.account_id
            FROM generate_series(1, {count}) n
            JOIN (SELECT id AS account_id, row_number() OVER (ORDER BY id) AS place, count(*) OVER () AS people FROM posts.accounts) a
                ON a.place = n % a.people + 1
        ) new""",
        timeout=300,
    )


def while_serving(stack, options):
    """F20: what is kept of others is rebuilt under load, damaged as it is, while asker and owner are killed."""
    rate = options.rate or (20 if options.short else 100)
    posts = options.times or (2_000 if options.short else 20_000)
    traffic = Traffic(stack, options.random).prepare()
    after = traffic.run(rate, count=int(rate * 3))
    fill(stack, posts)
    stack.wait_quiet(180)
    notes, passed = [], True
    services = [name for name in DAMAGE if number(stack, f"SELECT count(*) FROM {name}.rebuilds")]
    stopped = threading.Event()
    worker = threading.Thread(target=lambda: traffic.run(rate, until=stopped.is_set, first=after))
    worker.start()
    try:
        delays = Delays(traffic)
        time.sleep(options.seconds or (3 if options.short else 15))
        before = delays.stop()
        for service in services:
            table, damages, damaged = DAMAGE[service]
            for damage in damages:
                stack.psql(damage, timeout=60)
            least = start = number(stack, f"SELECT count(*) FROM {table}")
            delays = Delays(traffic) if service == services[0] else None
            began, kills = time.monotonic(), 0
            command = stack.begin("rebuild", service)
            victims = [*stack.copies(service), *stack.copies("posts")]
            while command.poll() is None:
                time.sleep(0.3)
                least = min(least, number(stack, f"SELECT count(*) FROM {table}"))
                told = number(stack, f"SELECT coalesce(sum(applied), 0) FROM {service}.rebuild_owners")
                # In the middle, each once.
                if kills < len(victims) and told > posts * (kills + 1) / (len(victims) + 2):
                    kills += 1 if stack.kill(victims[kills]) else 0
                if time.monotonic() - began > 900:
                    command.kill()
                    raise Failed(f"the rebuild of {service} does not end: {stack.psql(f'SELECT * FROM {service}.rebuilds')}")
            took = time.monotonic() - began
            meanwhile = delays.stop() if delays else None
            left, said = number(stack, damaged), command.stdout.read().decode().splitlines()
            good = command.returncode == 0 and left == 0 and least >= start * 0.9
            passed = passed and good
            notes.append(
                f"{service}: {took:.0f} s, {posts / max(took, 0.1):.0f} posts/s, {kills} kills, damaged {left}/0, "
                f"rows never below {least} of {start}; {said[-1] if said else 'nothing said'}"
            )
            if meanwhile:
                notes.append(f"notified after p50 {before[0]:.0f} p99 {before[1]:.0f} ms, while rebuilding p50 {meanwhile[0]:.0f} p99 {meanwhile[1]:.0f} ms")
            for name in stack.services:
                stack.wait_ready(name)
    finally:
        stopped.set()
        worker.join()
    stack.wait_quiet(300)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    return passed and clean and not dead, f"{'; '.join(notes)}; {len(traffic.ledger.attempted)} writes, dead letters {dead}/0"
