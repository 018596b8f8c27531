# SPDX-License-Identifier: Apache-2.0
"""A running stack from the outside: its processes, its database, its broker and its logs."""

import base64
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]


def table(name):
    """The lines of a file under deploy/scripts, in words."""
    return [line.split() for line in (ROOT / "deploy/scripts" / name).read_text().splitlines() if not line.startswith("#")]


STORES = [name for name, *_ in table("services")]
SERVICES = STORES + ["gateway"]
SECONDS = [f"{service}-2" for service in SERVICES]
ENGINES = ["postgres", "rabbitmq"]
PORTS = {name: int(offset) for name, offset in table("ports")}
for _name, _first, _second, *_ in table("services"):
    PORTS |= {_name: int(_first), f"{_name}-2": int(_second)}


class Failed(SystemExit):
    """Ends a drill with what went wrong."""

    def __init__(self, why):
        super().__init__(f"drill: {why}")


def wait_until(condition, seconds, what, pause=0.1):
    """The first true value of `condition()`."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise Failed(f"{what} did not happen within {seconds:g} s")
        time.sleep(pause)
    return value


class Stack:
    """The processes of a running stack, by the files that their supervisors keep."""

    def __init__(self, run, base_url):
        self.run = pathlib.Path(run)
        self.state = self.run.parent
        self.port = int(base_url.rsplit(":", 1)[1])
        self.is_wide = (self.run / "wide").exists()
        self.services = SERVICES + (SECONDS if self.is_wide else [])
        self.processes = self.services + ENGINES
        self.base_urls = [f"http://localhost:{self.port_of(name)}" for name in self.services if name.startswith("gateway")]
        self._marks = {}
        self._buried = 0
        self.mark_logs()

    def port_of(self, name):
        return self.port + PORTS[name]

    def copies(self, service):
        return [name for name in self.services if name.removesuffix("-2") == service]

    # Processes.

    def pid(self, name):
        try:
            return int((self.run / f"{name}.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def signal(self, name, number):
        """The id that was signalled, or None when there was none."""
        pid = self.pid(name)
        try:
            if pid:
                os.kill(pid, number)
                return pid
        except ProcessLookupError:
            pass
        return None

    def kill(self, name):
        """SIGKILL; returns the id that was killed, or None when it was down already."""
        return self.signal(name, signal.SIGKILL)

    def is_new(self, name, old):
        """Whether another process than `old` runs under the name."""
        pid = self.pid(name)
        if pid in (None, old):
            return False
        try:
            os.kill(pid, 0)
            return True
        except ProcessLookupError:
            return False

    def is_ready(self, name):
        if name == "postgres":
            return self.psql("SELECT 1", timeout=3, quiet=True) == [["1"]]
        if name == "rabbitmq":
            return self.queues() is not None
        return self.get(name, "/health/ready") is not None

    def get(self, name, path, timeout=3):
        """The text of a 200, or None."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port_of(name)}{path}", timeout=timeout) as answer:
                return answer.read().decode()
        except OSError:
            return None

    def metric(self, name, metric, **labels):
        """The sum of a metric's values that have all these labels."""
        total = 0.0
        port = {"gateway": "admin", "gateway-2": "admin-2"}.get(name, name)
        for line in (self.get(port, "/metrics") or "").splitlines():
            head, _, value = line.rpartition(" ")
            if head.split("{")[0] == metric and all(f'{key}="{wanted}"' in head for key, wanted in labels.items()):
                total += float(value)
        return total

    def control(self, *arguments, timeout=180, **environment):
        """deploy/scripts/control, which knows how each process is started and stopped."""
        done = subprocess.run(
            [ROOT / "deploy/scripts/control", *arguments],
            env={**os.environ, "MADANG_STATE": str(self.state), "MADANG_PORT": str(self.port), **environment},
            capture_output=True, text=True, timeout=timeout,
        )  # fmt: skip
        if done.returncode:
            raise Failed(f"control {' '.join(arguments)}: {done.stdout[-500:]}{done.stderr[-1500:]}")
        return done.stdout

    def begin(self, *arguments):
        """The same, without waiting for its end; what it says is in `stdout`."""
        return subprocess.Popen(
            [ROOT / "deploy/scripts/control", *arguments],
            env={**os.environ, "MADANG_STATE": str(self.state), "MADANG_PORT": str(self.port)},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def start(self, *names, **options):
        return self.control("start", *names, **options)

    def stop(self, *names, **options):
        return self.control("stop", *names, **options)

    def wait_ready(self, *names, seconds=60):
        for name in names or self.processes:
            wait_until(lambda: self.is_ready(name), seconds, f"readiness of {name}")

    # The sources of truth.

    def psql(self, sql, timeout=20, quiet=False, port=None, database="madang"):
        """Rows as lists of texts; None when the database does not answer and `quiet`."""
        environment = {
            **os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(port or self.port_of("postgres")), "PGUSER": "postgres",
            "PGPASSWORD": (self.state / "secrets/postgres/superuser-password").read_text().strip(),
            "PGDATABASE": database, "PGCONNECT_TIMEOUT": "3",
        }  # fmt: skip
        try:
            done = subprocess.run(
                ["psql", "--no-psqlrc", "-qAtF", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql],
                env=environment, capture_output=True, text=True, timeout=timeout,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            if quiet:
                return None
            raise
        if done.returncode:
            if quiet:
                return None
            raise Failed(f"psql: {done.stderr.strip()[:300]}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def require_durability(self):
        """A kill proves nothing on a database that was told not to write."""
        found = self.psql("SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('full_page_writes')")
        if found != [["on", "on", "on"]]:
            raise Failed(f"the database is not durable: fsync, synchronous_commit, full_page_writes are {found}")

    def outboxes(self):
        """Rows that wait in each schema's outbox; None when nobody can know."""
        counts = ", ".join(f"(SELECT count(*) FROM {store}.outbox)" for store in STORES)
        rows = self.psql(f"SELECT {counts}", quiet=True)
        return dict(zip(STORES, map(int, rows[0]))) if rows else None

    def dead_rows(self):
        counts = " + ".join(f"(SELECT count(*) FROM {store}.dead_letters)" for store in STORES)
        return int(self.psql(f"SELECT {counts}")[0][0])

    def queues(self):
        """(ready, unacknowledged) of each durable queue, as the broker counts; None when it does not answer."""
        counts = self.counts()
        return None if counts is None else {name: tuple(count or 0 for count in pair) for name, pair in counts.items()}

    def counts(self):
        """The same, with None for what the broker has not counted yet since it began."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port_of('management')}/api/queues/%2F")
        request.add_header("Authorization", "Basic " + base64.b64encode(b"madang-tests:madang-tests").decode())
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                found = json.load(answer)
        except (OSError, urllib.error.URLError, ValueError):
            return None
        return {one["name"]: (one.get("messages_ready"), one.get("messages_unacknowledged")) for one in found if one.get("durable")}

    def mark(self):
        """What an earlier drill left is not the next one's."""
        self.mark_logs()
        self._buried += self.dead_letters()

    def dead_letters(self):
        """Messages and rows of dead letters since the mark."""
        queues = wait_until(self.queues, 30, "an answer of the broker")
        return sum(sum(counts) for name, counts in queues.items() if name.endswith(".dead")) + self.dead_rows() - self._buried

    def backlog(self):
        """Events in outboxes and messages in queues; None while a source does not answer."""
        outboxes, queues = self.outboxes(), self.counts()
        if outboxes is None or queues is None:
            return None
        waiting = [count for name, pair in queues.items() if not name.endswith(".dead") for count in pair]
        return None if None in waiting else sum(outboxes.values()) + sum(waiting)

    def wait_quiet(self, seconds=120):
        """Waits until nothing is under way, seen twice 2 s apart: the broker's counts are up to a second old."""
        began = time.monotonic()
        while True:
            wait_until(lambda: self.backlog() == 0, seconds, f"draining (outboxes {self.outboxes()}, queues {self.queues()})", 0.3)
            drained = time.monotonic() - began
            time.sleep(2)
            if self.backlog() == 0:
                return drained

    # Logs.

    def mark_logs(self):
        self._marks = {path: path.stat().st_size for path in (self.state / "logs").glob("*.log")}

    def lines(self, *names):
        """(process, line) of what these wrote since the mark."""
        for name in names:
            path = self.state / "logs" / f"{name}.log"
            if path.exists():
                with open(path, errors="replace") as file:
                    file.seek(self._marks.get(path, 0))
                    for line in file:
                        yield name, line

    def log_lines(self):
        """(process, line) of every error since the mark."""
        for path in sorted((self.state / "logs").glob("*.log")):
            with open(path, errors="replace") as file:
                file.seek(self._marks.get(path, 0))
                for line in file:
                    if '"level":"error"' in line or '"level":"critical"' in line:
                        yield path.stem, line

    def errors(self):
        """Errors by (process, message) since the mark; each end of a process is told as `process ended`."""
        found = Counter()
        for process, line in self.log_lines():
            try:
                message = json.loads(line).get("message", line)
            except ValueError:
                message = line
            found[process, str(message)[:100]] += 1
        return found

    def unexpected_ends(self, kills: Counter):
        """Services that ended more often than they were killed."""
        ends = Counter()
        for (process, message), count in self.errors().items():
            if message == "process ended" and process in self.services:
                ends[process] += count
        return {process: count - kills[process] for process, count in ends.items() if count > kills[process]}
