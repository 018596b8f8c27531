# SPDX-License-Identifier: Apache-2.0
"""A base backup and the WAL after it become a cluster as it was at a chosen moment (F35)."""

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

from outages import length
from stack import ROOT, Failed, wait_until
from traffic import Traffic


class Tool:
    """A program of PostgreSQL that goes on until it is ended, run as whoever may run it."""

    def __init__(self, stack, log, *words):
        self.name = words[0]
        self.process = subprocess.Popen(
            [ROOT / "deploy/scripts/control", "as-postgres", *map(str, words)],
            env=environment(stack), stdout=open(log, "a"), stderr=subprocess.STDOUT,
        )  # fmt: skip

    def end(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def environment(stack):
    password = (stack.state / "secrets/postgres/superuser-password").read_text().strip()
    return {
        **os.environ, "MADANG_STATE": str(stack.state), "MADANG_PORT": str(stack.port), "PGHOST": "127.0.0.1",
        "PGPORT": str(stack.port_of("postgres")), "PGUSER": "postgres", "PGPASSWORD": password,
    }  # fmt: skip


def point_in_time(stack, options):
    """F35: everything acknowledged before the moment is there afterwards, nothing of what came after it."""
    place = pathlib.Path(stack.state) / "restore"
    shutil.rmtree(place, ignore_errors=True)
    (place / "wal").mkdir(parents=True)
    stack.control("give-to-postgres", str(place), str(place / "wal"))
    log = place / "log"
    traffic = Traffic(stack, options.random, kinds=("post", "reply")).prepare()
    moments = {}
    act = traffic.act

    def timed(number, *rest):
        """Remembers when each act was begun and when it was acknowledged."""
        began = time.time()
        act(number, *rest)
        moments[number] = (began, time.time())

    traffic.act = timed
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(options.rate or 30,), kwargs={"until": stopped.is_set})
    tools = []
    try:
        receiver = Tool(stack, log, "pg_receivewal", "-D", place / "wal", "--synchronous")
        tools.append(receiver)
        wait_until(lambda: any((place / "wal").iterdir()), 20, "the first WAL")
        worker.start()
        time.sleep(1)
        done = subprocess.run(
            [ROOT / "deploy/scripts/control", "as-postgres", "pg_basebackup", "-D", place / "base", "-X", "none", "-c", "fast"],
            env=environment(stack), capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        if done.returncode:
            raise Failed(f"pg_basebackup: {done.stderr[-500:]}")
        time.sleep(options.random.uniform(1, length(options, 10, 3)))
        text, moment = stack.psql("SELECT clock_timestamp(), extract(epoch FROM clock_timestamp())")[0]
        moment = float(moment)
        time.sleep(2)
        stopped.set()
        worker.join()
        last = stack.psql("SELECT pg_walfile_name(pg_switch_wal())")[0][0]
        wait_until(lambda: (place / "wal" / last).exists(), 30, f"the WAL {last}")
        receiver.end()
        began = time.monotonic()
        verified = stack.control("as-postgres", "pg_verifybackup", "-n", str(place / "base"))
        (place / "base/recovery.signal").touch()
        port = stack.port_of("restored-postgres")
        settings = {
            "port": port, "restore_command": f"cp {place}/wal/%f %p", "recovery_target_time": text, "recovery_target_action": "promote",
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        tools.append(Tool(stack, log, "postgres", "-D", place / "base", *words))
        wait_until(
            lambda: stack.psql("SELECT pg_is_in_recovery()", timeout=3, quiet=True, port=port) == [["f"]], 120,
            "the restored cluster", 0.5,
        )  # fmt: skip
        taken = time.monotonic() - began
        there = {row[0] for row in stack.psql("SELECT id FROM posts.posts", port=port)}
    finally:
        stopped.set()
        if worker.is_alive():
            worker.join()
        for tool in reversed(tools):
            tool.end()
    lost = extra = before = after = 0
    for key in traffic.ledger.keys("acknowledged"):
        began_at, ended_at = moments[int(key.rsplit("-", 1)[1])]
        is_there = traffic.ledger.attempted[key]["id"] in there
        if ended_at < moment:
            before += 1
            lost += not is_there
        elif began_at > moment:
            after += 1
            extra += is_there
    shutil.rmtree(place, ignore_errors=True)
    exercised = before > 0 and after > 0
    passed = exercised and not lost and not extra and "verified" in verified
    return passed, f"{before} acknowledged before T, lost {lost}/0; {after} after T, there {extra}/0; verified, restored in {taken:.1f}/1800 s"
