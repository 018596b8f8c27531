# SPDX-License-Identifier: Apache-2.0
"""Each alert of deploy/observability fires when what it is for is made to happen, and none before.

A Prometheus of the drill's own asks every second. Of the rules only times are shortened, and how much memory is much.
"""

import contextlib
import json
import pathlib
import re
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

from cryptography.hazmat.primitives.asymmetric import ec

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "SystemTests"))
import push_services  # noqa: E402
from client import sign_up  # noqa: E402
from pushing import Device  # noqa: E402
from shortages import busy, management  # noqa: E402
from stack import ROOT, SERVICES, Failed, wait_until  # noqa: E402
from traffic import Traffic  # noqa: E402

QUEUE = "notifications.activity"
FOREIGN = "posts.Unheard.v1"


class Prometheus:
    """A Prometheus that watches the stack with the alerts as they are, only sooner."""

    def __init__(self, stack, place):
        self.url = f"http://127.0.0.1:{stack.port_of('restored-postgres')}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        rules = (ROOT / "deploy/observability/rules.yml").read_text()
        self.alerts = set(re.findall(r"alert: (\w+)", rules))
        rules = re.sub(r"\bfor: \w+", "for: 1s", rules)
        rules = re.sub(r"\[\d+m\]", "[1m]", rules).replace("> 400e6", "> 4e6")
        (place / "rules.yml").write_text(rules)
        jobs = [
            {"job_name": service, "static_configs": [{"targets": [self.target(stack, name) for name in stack.copies(service)]}]}
            for service in SERVICES
        ]
        settings = {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": ["rules.yml"], "scrape_configs": jobs}
        # JSON is YAML.
        (place / "prometheus.yml").write_text(json.dumps(settings))
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={place}/prometheus.yml", f"--storage.tsdb.path={place}/data",
             f"--web.listen-address={self.url[7:]}", "--log.level=error"],
            stdout=subprocess.DEVNULL, stderr=open(place / "log", "w"),
        )  # fmt: skip
        wait_until(lambda: self.ask("targets") and all(one["health"] == "up" for one in self.ask("targets")["activeTargets"]), 60, "every process watched")

    @staticmethod
    def target(stack, name):
        return f"127.0.0.1:{stack.port_of({'gateway': 'admin', 'gateway-2': 'admin-2'}.get(name, name))}"

    def ask(self, what):
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{what}", timeout=5) as answer:
                return json.load(answer)["data"]
        except OSError:
            return None

    def firing(self):
        """What fires, with what an operator reads."""
        found = self.ask("alerts") or {"alerts": []}
        return {one["labels"]["alertname"]: one["annotations"]["summary"] for one in found["alerts"] if one["state"] == "firing"}

    def end(self):
        self.process.terminate()
        self.process.wait(30)


def every_alert(stack, options):
    """Makes one thing after another go wrong."""
    place = pathlib.Path(stack.state) / "alerts"
    traffic = Traffic(stack, options.random, kinds=("reply", "post")).prepare()
    watch = Prometheus(stack, place)
    seen = {}

    def expect(*names, seconds=60):
        def all_fire():
            seen.update({name: text for name, text in watch.firing().items() if name not in seen})
            return set(names) <= set(seen)

        wait_until(all_fire, seconds, f"the alerts {[name for name in names if name not in seen]}", 0.5)

    try:
        # The lowered one alone; the rest must be still where all is well.
        expect("MadangMemory")
        if early := set(seen) - {"MadangMemory"}:
            raise Failed(f"{early} fire though nothing is wrong: {seen}")
        with busy(traffic, options.rate or 20):
            database(stack, expect)
            locks(stack, expect)
            broker(stack, expect)
        events(stack, expect)
        pushes(stack, expect)
        processes(stack, expect)
    finally:
        watch.end()
        stack.start("postgres", "rabbitmq", *stack.services)
    stack.wait_quiet()
    for name, text in sorted(seen.items()):
        print(f"  {name}: {text}")
    shutil.rmtree(place, ignore_errors=True)
    missing = watch.alerts - set(seen)
    return not missing, f"{len(seen)} of {len(watch.alerts)} alerts fired when caused" + (f", not {sorted(missing)}" if missing else "")


def database(stack, expect):
    """Away, while people write; then every slot for ids is somebody else's."""
    stack.stop("postgres")
    # Something to be handled is there, whatever was under way.
    publish("", QUEUE, strange(), stack)
    expect("MadangConsumerPaused", "MadangRelay", "MadangErrors", "MadangBreakerOpen")
    stack.start("postgres")
    stack.wait_ready()
    stack.psql("UPDATE chat.id_slots SET holder = 'drill', held_until = now() + interval '1 hour'")
    expect("MadangNoIDs")
    stack.psql("UPDATE chat.id_slots SET holder = NULL, held_until = 'epoch'")


@contextlib.contextmanager
def locked(stack, table):
    """Nobody else gets at a table meanwhile."""
    name = f"drill {uuid.uuid4()}"
    sql = f"SET application_name = '{name}'; BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(300)"
    holder = threading.Thread(target=lambda: stack.psql(sql, timeout=400, quiet=True))
    holder.start()
    try:
        yield
    finally:
        stack.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'")
        holder.join()


def locks(stack, expect):
    """Writers wait for a table, until no connection is left."""
    with locked(stack, "posts.posts"):
        expect("MadangPoolFull", "MadangSlow")


def broker(stack, expect):
    """Short of disk, then away for more than a minute."""
    stack.control("rabbitmqctl", "set_disk_free_limit", "100000GB")
    expect("MadangBrokerBlocked")
    stack.control("rabbitmqctl", "set_disk_free_limit", "512MB")
    stack.stop("rabbitmq")
    expect("MadangBrokerAway", "MadangLiveAway", "MadangLinksLost", "MadangOutboxLag", seconds=120)
    stack.start("rabbitmq")
    stack.wait_ready()
    # What waited in the outboxes is old when it is put into the index.
    expect("MadangLiveLost", "MadangSearchLag")


def publish(exchange, key, message, stack):
    body, headers = message
    place = urllib.request.quote(exchange or "amq.default", safe="")
    management(
        stack, "POST", f"exchanges/%2F/{place}/publish",
        {"properties": {"headers": headers}, "routing_key": key, "payload": body, "payload_encoding": "string"},
    )  # fmt: skip


def strange():
    """A well-formed event of a type that no release has."""
    return json.dumps({"id": str(uuid.uuid4()), "source": "/posts", "type": FOREIGN}), {"madang-type": FOREIGN}


def events(stack, expect):
    """That nobody can read, that nobody knows, that the broker refuses, and more than are taken."""
    with locked(stack, "notifications.waiting_events"), ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: publish("", QUEUE, strange(), stack), range(1400)))
        expect("MadangQueueLag")
    expect("MadangEventsWait")
    publish("", QUEUE, ("nonsense", {}), stack)
    publish("live", "gateway.PresenceChanged.v1", ("nonsense", {}), stack)
    stack.psql(
        "INSERT INTO posts.outbox (event_id, type, subject, audience, envelope) "
        "VALUES (gen_random_uuid(), 'chat.Forged.v1', 'drill', 'events', '{}')"
    )
    stack.psql("INSERT INTO posts.fanouts (post_id, author_id, after_id, attempts, due_at) VALUES (1, 1, 0, 9, now() + interval '1 hour')")
    stack.psql(
        "INSERT INTO auth.letters (id, recipient, language, kind, created_at, expires_at, due_at) VALUES "
        "(gen_random_uuid(), '', 'en', 'drill', now() - interval '1 hour', now() + interval '1 hour', now() + interval '1 hour')"
    )
    expect("MadangDeadLetters", "MadangLiveDropped", "MadangEventsRefused", "MadangFanoutsStuck", "MadangMailWaits")
    stack.psql("DELETE FROM posts.fanouts WHERE post_id = 1")
    stack.psql("DELETE FROM auth.letters WHERE kind = 'drill'")
    stack.psql("DELETE FROM posts.unpublished WHERE type = 'chat.Forged.v1'")
    wait_until(lambda: (stack.queues() or {QUEUE: (1,)})[QUEUE][0] == 0, 120, "an empty queue")
    stack.psql(f"DELETE FROM notifications.waiting_events WHERE type = '{FOREIGN}'")
    stack.control("dead-letters", "notifications", "drop")


def pushes(stack, expect):
    """Apple knows our key no more; then more waits for browsers than goes out."""
    if not push_services.PLACE:
        raise Failed("no place for providers: MADANG_TEST_PUSH is not set")
    with push_services.PushServices() as services:
        services.apple_key = ec.generate_private_key(ec.SECP256R1()).public_key()
        tag = secrets.token_hex(4)
        clients = sign_up(stack.base_urls[0], [f"teller_{tag}", f"told_{tag}"], scopes="read write follow push")
        for client in clients.values():
            # Whose app has asked who it is can be named in a post.
            client.insist("GET", "/api/v1/accounts/verify_credentials")
        Device(services, clients[f"told_{tag}"], 0, "apple")
        clients[f"teller_{tag}"].insist("POST", "/api/v1/statuses", {"status": f"@told_{tag} hello"})
        expect("MadangPushMisconfigured")
    stack.psql(
        "INSERT INTO notifications.deliveries (device_id, platform, kind, state, made_at, not_before, due_at, expires_at) "
        "SELECT 0, 'web', 'drill', 'waiting', now(), t, t, t FROM generate_series(1, 1100), LATERAL (SELECT now() + interval '1 hour' AS t) s"
    )
    expect("MadangPushLag")
    stack.psql("DELETE FROM notifications.deliveries WHERE kind = 'drill' OR platform = 'apple'")


def processes(stack, expect):
    """Ended, ended again and again, and one that takes no more connections."""
    for _ in range(4):
        old = stack.kill("chat-2")
        wait_until(lambda: stack.is_new("chat-2", old), 30, "another process")
        stack.wait_ready("chat-2")
        # Prometheus looks once a second.
        began = time.time()
        wait_until(lambda: time.time() - began > 2, 5, "a look at it")
    expect("MadangRestarts")
    stack.stop("chat-2")
    expect("MadangProcessDown")
    stack.start("chat-2")
    stack.stop("gateway-2")
    stack.start("gateway-2", MADANG_CONNECTIONS_ADDRESS="1")
    stack.wait_ready("gateway-2")
    with contextlib.ExitStack() as sockets:
        began = time.time()
        while time.time() - began < 3:
            sockets.enter_context(socket.create_connection(("127.0.0.1", stack.port_of("gateway-2"))))
            time.sleep(0.1)
        expect("MadangConnectionsRefused")
    stack.stop("gateway-2")
