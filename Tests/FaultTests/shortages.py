# SPDX-License-Identifier: Apache-2.0
"""Something that is needed is full or missing for a while (F13, F16, F26, F27)."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections import Counter

from client import Away, Client
from outages import length
from stack import Failed, wait_until
from traffic import Traffic


@contextlib.contextmanager
def busy(traffic, rate):
    """People go on meanwhile, each insisting until it is answered."""
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(rate,), kwargs={"until": stopped.is_set})
    worker.start()
    try:
        yield
    finally:
        stopped.set()
        worker.join()


def management(stack, method, path, body=None):
    """The broker's own interface, as the user of the tests."""
    url = f"http://127.0.0.1:{stack.port_of('management')}/api/{path}"
    request = urllib.request.Request(url, method=method, data=json.dumps(body).encode() if body is not None else None)
    request.add_header("Authorization", "Basic " + base64.b64encode(b"madang-tests:madang-tests").decode())
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def waiting_events(stack):
    return sum((stack.outboxes() or {"": 0}).values())


# The broker.


def binding_removed(stack, options):
    """F13: what nobody is bound to any more stays in the outbox, which is told, and goes out once the binding is back."""
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    stack.wait_quiet()
    key = "posts.ReplyCreated.v1"
    bindings = [
        one
        for exchange in ("events", "plain", "reached")
        for one in management(stack, "GET", f"exchanges/%2F/{exchange}/bindings/source")
        if one["routing_key"] == key
    ]
    for one in bindings:
        place = f"bindings/%2F/e/{one['source']}/q/{one['destination']}/{urllib.parse.quote(one['properties_key'], safe='')}"
        management(stack, "DELETE", place)
    began = time.monotonic()
    number = traffic.run(options.rate or 10, count=20)

    def told():
        return any("no queue takes an event" in line for _, line in stack.lines("posts", "posts-2"))

    try:
        wait_until(told, 30, "a line in the log of posts that says so")
        told_after = time.monotonic() - began
        traffic.run(options.rate or 10, seconds=length(options, 15, 5), first=number)
        waiting = waiting_events(stack)
    finally:
        stack.control("topology")
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(("posts", "notifications", "homes")), stack.dead_letters()
    sent = len(traffic.ledger.attempted)
    passed = clean and not dead and bindings and waiting >= sent
    return passed, f"{len(bindings)} bindings removed, told after {told_after:.1f}/30 s, {waiting} of {sent} waited in the outbox, dead {dead}/0"


def dead_letters_away(stack, options):
    """F16: twenty events that fail while there is no queue for dead letters stay where they are; replay brings all back."""
    seconds = length(options, 120, 10)
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    stack.wait_quiet()
    rows = "SELECT count(*) FROM notifications.dead_letters"
    before = int(stack.psql(rows)[0][0])
    stack.control("rabbitmqctl", "delete_queue", "notifications.dead")
    # Every mention fails, by no fault of the database's being away.
    stack.psql(
        "CREATE FUNCTION notifications.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''a drill''; END'; "
        "CREATE TRIGGER refuse BEFORE INSERT ON notifications.notifications FOR EACH ROW EXECUTE FUNCTION notifications.refuse()"
    )
    try:
        number = traffic.run(options.rate or 10, count=20)
        wait_until(lambda: int(stack.psql(rows)[0][0]) - before == 20, 120, "the end of every attempt", 0.5)
    finally:
        stack.psql("DROP FUNCTION notifications.refuse() CASCADE")
    # The others go on meanwhile.
    traffic.run(options.rate or 5, seconds=seconds, first=number)
    wait_until(lambda: waiting_events(stack) == 0, 60, "an empty outbox")
    others = len(traffic.ledger.attempted) - 20
    wait_until(lambda: sum(traffic.observed_notifications().values()) == others, 60, f"{others} notifications meanwhile", 1)
    stack.control("topology")
    # The broker tries anew every three minutes.
    dead = wait_until(lambda: (stack.queues() or {}).get("notifications.dead", (0, 0))[0] == 20, 400, "twenty dead letters", 1)
    said = stack.control("dead-letters", "notifications", "replay")
    wait_until(lambda: (stack.queues() or {}).get("notifications.dead", (1, 1)) == (0, 0), 60, "no dead letters any more", 1)
    stack.wait_quiet(180)
    clean = traffic.verdicts(("posts", "notifications", "homes"))
    # What is noted of a death stays for a while after its replay.
    left = stack.dead_letters() - 20
    passed = clean and dead and "replayed 20 of 20" in said and not left
    return passed, f"no queue for {seconds:g} s, {said.strip().splitlines()[-1]}, {others} others went on, dead {left}/0"


def broker_alarm(stack, options):
    """F26: the broker's disk alarm blocks who publishes; writing and consuming go on, and nobody restarts."""
    seconds = length(options, 300, 15)
    traffic = Traffic(stack, options.random, kinds=("reply", "post")).prepare()
    stack.wait_quiet()
    pids = {name: stack.pid(name) for name in stack.processes}
    # What waits in a queue by then is consumed in spite of the alarm.
    for name in stack.copies("notifications"):
        stack.stop(name)
    number = traffic.run(options.rate or 20, count=40)
    wait_until(lambda: waiting_events(stack) == 0, 60, "an empty outbox")
    stack.control("rabbitmqctl", "set_disk_free_limit", "100000GB")
    stack.start(*stack.copies("notifications"))
    stack.wait_ready(*stack.copies("notifications"))
    wait_until(lambda: sum((stack.queues() or {}).get("notifications.activity", (1, 1))) == 0, 60, "consuming during the alarm")
    try:
        traffic.run(options.rate or 10, seconds=seconds, retry=False, first=number)
        waiting = waiting_events(stack)
    finally:
        stack.control("rabbitmqctl", "set_disk_free_limit", "512MB")
    began = time.monotonic()
    stack.wait_quiet(180)
    drained = time.monotonic() - began
    clean, dead = traffic.verdicts(("posts", "notifications", "homes")), stack.dead_letters()
    lived = [name for name in pids if not name.startswith("notifications") and stack.pid(name) != pids[name]]
    failures = sum(traffic.failures.values())
    passed = clean and not dead and not failures and not lived and waiting > 0
    return passed, (
        f"alarm for {seconds:g} s, failures {failures}/0, {waiting} events waited and went out in {drained:.1f} s, "
        f"restarted {lived or 0}, dead {dead}/0"
    )


# The database's disk.


class SmallDisk:
    """A folder of the database on a file system of its own that can be filled, while the database is down."""

    def __init__(self, stack, folder, room):
        self.stack = stack
        self.place = stack.state / "postgres" / folder
        self.kept = self.place.with_name(folder.replace("/", "_") + ".kept")
        self.ballast = self.place / "ballast"
        self.room = room

    def __enter__(self):
        size = int(subprocess.check_output(["du", "-sk", self.place]).split()[0]) // 1024 + self.room
        self.place.rename(self.kept)
        self.place.mkdir()
        self.run("mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", self.place)
        self.run("cp", "-a", f"{self.kept}/.", self.place)
        shutil.rmtree(self.kept)
        return self

    def __exit__(self, *_):
        """Back where it was, with the database down."""
        self.free()
        self.stack.stop("postgres")
        self.run("cp", "-a", self.place, self.kept)
        self.run("umount", self.place)
        self.place.rmdir()
        self.kept.rename(self.place)

    @staticmethod
    def run(*words):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{words[0]}: {done.stderr.strip()}")

    def fill(self):
        with open(self.ballast, "ab", buffering=0) as file:
            for piece in (1 << 20, 4096):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(piece))

    def free(self):
        self.ballast.unlink(missing_ok=True)


def ask(stack, account, method, path, form=None):
    """The status of one answer, 0 when there was none; never asked again."""
    try:
        Client(stack.base_urls[0], account.token).call(method, path, form)
        return 200
    except Away as away:
        first = str(away)[:3]
        return int(first) if first.isdigit() else 0


def full(stack, options, folder, room, reads, exhaust=None):
    """Fills the file system of one folder of the database, frees it, and says what was answered meanwhile."""
    seconds = length(options, 30, 10)
    stack.stop("postgres")
    with SmallDisk(stack, folder, room) as disk:
        stack.start("postgres")
        stack.wait_ready()
        traffic = Traffic(stack, options.random, kinds=("reply", "post", "message"), patience=seconds + 180).prepare()
        account = traffic.accounts[traffic.names[0]]
        pids = {name: stack.pid(name) for name in stack.services}
        written, read = Counter(), Counter()
        with busy(traffic, options.rate or 10):
            time.sleep(2)
            disk.fill()
            if exhaust:
                exhaust(stack)
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                disk.fill()
                written[ask(stack, account, "POST", "/api/v1/statuses", {"status": "x" * 450})] += 1
                read[ask(stack, account, "GET", "/api/v1/timelines/home")] += 1
                time.sleep(0.2)
            disk.free()
            began = time.monotonic()
            wait_until(lambda: ask(stack, account, "POST", "/api/v1/statuses", {"status": "Again"}) == 200, 90, "a write after it was freed")
            healed = time.monotonic() - began
            time.sleep(2)
        stack.wait_quiet(180)
        clean, dead = traffic.verdicts(), stack.dead_letters()
        restarted = [name for name, pid in pids.items() if stack.pid(name) != pid]
        check_trees(stack)
    stack.start("postgres")
    stack.wait_ready()
    allowed = (200, 503)
    wrong = [status for status in [*written, *read] if status not in allowed]
    passed = clean and not dead and not restarted and not wrong and written[503] > 0 and (not reads or set(read) == {200})
    return passed, (
        f"{folder} full {seconds:g} s: writes {dict(written)}, reads {dict(read)}, healed in {healed:.1f} s, "
        f"amcheck clean, dead {dead}/0, restarted {restarted or 0}"
    )


def check_trees(stack):
    """Every table and index, by the database's own checker."""
    environment = {
        "PGHOST": "127.0.0.1", "PGPORT": str(stack.port_of("postgres")), "PGUSER": "postgres",
        "PGPASSWORD": (stack.state / "secrets/postgres/superuser-password").read_text().strip(),
    }  # fmt: skip
    stack.control("as-postgres", "pg_amcheck", "--install-missing", "--heapallindexed", "-d", "madang", **environment)
    stack.psql("DROP EXTENSION amcheck")


def exhaust_log(stack):
    """Uses up the files of the log that were made beforehand, until the database can write none."""
    for _ in range(2000):
        if stack.psql("CREATE TEMPORARY TABLE one (two int); SELECT pg_switch_wal()", timeout=10, quiet=True) is None:
            return
    raise Failed("the log never came to its end")


def disk_full(stack, options):
    """F27: PostgreSQL's disk is full for a while: its tables' first, then its log's."""
    if os.geteuid() != 0:
        raise Failed("F27 mounts a small file system, which only root may do; nothing was tried")
    tables, said = full(stack, options, "base", 24, reads=True)
    # Without its log the database is down: no reads either.
    log, also = full(stack, options, "pg_wal", 24, reads=False, exhaust=exhaust_log)
    return tables and log, f"{said}; {also}"
