# SPDX-License-Identifier: Apache-2.0
"""A shelf of some thousand records: its statistics, its newest page, a search and what has changed, each against the same SQL through
pgbench; and how long it takes to import and to export it."""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from stack import ENGINES, SERVICES, Stack  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

# Of each pair; the middle one counts.
ROUNDS = 3
REQUESTS = {
    "statistics": "/api/v1/shelf/statistics?year=2024&time_zone=Asia/Seoul",
    "newest books": "/api/v1/shelf?limit=20",
    "search": "/api/v1/shelf?q=%EC%B1%85%20777",
    "to read next": "/api/v1/shelf/records?state=planned&limit=20",
    "changes": "/api/v1/shelf/changes?limit=100",
}


def middle(values):
    return sorted(values)[len(values) // 2]


def table(count):
    """A shelf as a table, a tenth of it to be read next."""
    draw = random.Random(12)
    lines = ["title,author,publisher,pages,state,rating,ended_on,one_line"]
    for number in range(count):
        ended = f"{draw.randint(2015, 2024)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        state = "planned" if number % 10 == 0 else "finished"
        rating = f"{draw.randint(1, 10) / 2}"
        lines.append(f"책 {number},작가 {number % 97},출판사 {number % 31},{draw.randint(80, 900)},{state},{rating},{ended},좋다")
    return "\n".join(lines).encode()


class Bench:
    def __init__(self, options):
        self.options = options
        self.stack = Stack(options.run, options.base_url)
        self.roots = {self.stack.pid(name): name for name in ENGINES + SERVICES}
        (self.reader,) = sign_up(options.base_url, [f"shelf_{int(time.time())}"]).values()

    def cpu(self):
        return sum(cpu_seconds(self.roots).values())

    def send(self, path, body=None, kind=None):
        head = {"Authorization": f"Bearer {self.reader.token}"}
        if kind:
            head["Content-Type"] = kind
        with urllib.request.urlopen(urllib.request.Request(self.options.base_url + path, body, head), timeout=60) as answer:
            return answer.read()

    def fill(self):
        body = table(self.options.records)
        began = time.monotonic()
        report = self.send("/api/v1/shelf/import", body, "text/csv")
        took = time.monotonic() - began
        if f'"made":{self.options.records},'.encode() not in report:
            raise SystemExit(f"library: the import said {report[:300]!r}")
        print(f"import of {self.options.records} records, {len(body) >> 10} KiB: {took:.2f} s", flush=True)
        # Days on which somebody read without coming to an end.
        self.psql(
            "INSERT INTO posts.reading_progress (record_id, day, account_id, page) SELECT id, ended_on - 1, account_id, 7 "
            "FROM posts.reading_records WHERE ended_on IS NOT NULL ON CONFLICT DO NOTHING",
            "VACUUM ANALYZE posts.reading_records, posts.shelf_books, posts.reading_progress",
        )
        for kind in ("csv", "json"):
            began = time.monotonic()
            size = len(self.send(f"/api/v1/shelf/export?format={kind}"))
            print(f"export as {kind}, {size >> 10} KiB: {time.monotonic() - began:.2f} s", flush=True)

    def psql(self, *statements):
        arguments = [part for statement in statements for part in ("-c", statement)]
        subprocess.run(["psql", "--no-psqlrc", "-qAtX", "-d", "madang", *arguments], check=True, capture_output=True, text=True)

    def statements_of(self, path):
        """Those that posts runs for a request, as the database logs them, for pgbench."""
        log = pathlib.Path(self.options.postgres_log)
        self.psql("ALTER SYSTEM SET log_statement = 'all'", "SELECT pg_reload_conf()")
        time.sleep(0.5)
        start = log.stat().st_size
        self.send(path)
        time.sleep(0.5)
        self.psql("ALTER SYSTEM RESET log_statement", "SELECT pg_reload_conf()")
        with log.open() as file:
            file.seek(start)
            text = file.read()
        # An entry goes on in lines that begin with a tab.
        entries = re.findall(r"execute [^:]*: (.*(?:\n\t.*)*)\n(?:.*DETAIL: +[Pp]arameters: (.*(?:\n\t.*)*))?", text)
        entries = [entry for entry in entries if re.search(r"reading_|shelf_|shelves|AT TIME ZONE", entry[0])]
        if not entries:
            raise SystemExit("library: the statements were not logged")
        return "".join(self.script(*entry) for entry in entries)

    @staticmethod
    def script(sql, parameters):
        for number, value in sorted(re.findall(r"\$(\d+) = ('(?:[^']|'')*'|NULL)", parameters), key=lambda each: -int(each[0])):
            if re.fullmatch(r"'\{[-\d,]*\}'", value):
                value += "::bigint[]"
            elif re.fullmatch(r"'-?\d+'", value):
                value = value.strip("'")
            elif re.search(r"\d:\d", value):
                # A moment; pgbench takes what follows a colon for a name.
                value = "now()"
            sql = re.sub(rf"\${number}\b", lambda _, value=value: value, sql)
        return " ".join(re.sub(r"--.*", "", sql).split()) + ";\n"

    def pgbench(self, script, clients, seconds):
        """How often a second the statements of one request run."""
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(script)
            file.flush()
            said = subprocess.run(
                [self.options.pgbench, "-n", "-M", "prepared", "-f", file.name, "-c", str(clients), "-j", "2", "-T", str(seconds), "madang"],
                capture_output=True,
                text=True,
                env={**os.environ, "PGOPTIONS": "-c search_path=posts"},
            )
        found = re.search(r"^tps = ([0-9.]+)", said.stdout, re.MULTILINE)
        if not found:
            raise SystemExit(f"library: pgbench said {said.stderr[-800:]}")
        return float(found[1])

    def ask(self, label, path):
        workers, seconds = self.options.workers, self.options.seconds
        sql = self.statements_of(path)
        rates, raw, moments, spent = [], [], [], 0.0

        def insist(end):
            while time.monotonic() < end:
                began = time.monotonic()
                self.reader.call("GET", path)
                moments.append(1000 * (time.monotonic() - began))

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for _ in range(ROUNDS):
                asked, began, before = len(moments), time.monotonic(), self.cpu()
                list(pool.map(insist, [began + seconds] * workers))
                rates.append((len(moments) - asked) / (time.monotonic() - began))
                spent += self.cpu() - before
                raw.append(self.pgbench(sql, workers, seconds))
        moments.sort()
        ratio = middle([ours / theirs for ours, theirs in zip(rates, raw)])
        print(
            f"{label}, {self.options.records} records, {workers} at a time: {middle(rates):.0f}/s, p50 {moments[len(moments) // 2]:.1f} ms, "
            f"p99 {moments[int(len(moments) * 0.99)]:.1f} ms, {1000 * spent / len(moments):.2f} ms CPU; the same SQL "
            f"({sql.count(chr(10))} statements) through pgbench {middle(raw):.0f}/s; ratio {ratio:.2f}",
            flush=True,
        )


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--pgbench", required=True)
    arguments.add_argument("--postgres-log", required=True)
    arguments.add_argument("--records", type=int, default=5000)
    arguments.add_argument("--workers", type=int, default=8)
    arguments.add_argument("--seconds", type=int, default=3)
    bench = Bench(arguments.parse_args())
    bench.fill()
    for label, path in REQUESTS.items():
        bench.ask(label, path)


if __name__ == "__main__":
    main()
