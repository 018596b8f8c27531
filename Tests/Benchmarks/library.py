# SPDX-License-Identifier: Apache-2.0
"""A shelf of some thousand records: its statistics, its newest page, a search and what has changed, each against the same SQL through
pgbench; and how long it takes to import and to export it."""

import argparse
import pathlib
import random
import sys
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from same_sql import SameSQL  # noqa: E402
from stack import ENGINES, SERVICES, Stack  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

REQUESTS = {
    "statistics": "/api/v1/shelf/statistics?year=2024&time_zone=Asia/Seoul",
    "newest books": "/api/v1/shelf?limit=20",
    "search": "/api/v1/shelf?q=%EC%B1%85%20777",
    "to read next": "/api/v1/shelf/records?state=planned&limit=20",
    "changes": "/api/v1/shelf/changes?limit=100",
}


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
        self.sql = SameSQL(options.pgbench, options.postgres_log, "posts")
        stack = Stack(options.run, options.base_url)
        self.roots = {stack.pid(name): name for name in ENGINES + SERVICES}
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
        self.sql.psql(
            "INSERT INTO reading_progress (record_id, day, account_id, page) SELECT id, ended_on - 1, account_id, 7 "
            "FROM reading_records WHERE ended_on IS NOT NULL ON CONFLICT DO NOTHING",
            "VACUUM ANALYZE reading_records, shelf_books, reading_progress",
        )
        for kind in ("csv", "json"):
            began = time.monotonic()
            size = len(self.send(f"/api/v1/shelf/export?format={kind}"))
            print(f"export as {kind}, {size >> 10} KiB: {time.monotonic() - began:.2f} s", flush=True)

    def ask(self, label, path):
        def request():
            self.reader.call("GET", path)

        script = self.sql.statements_of(request, r"reading_|shelf_|shelves|AT TIME ZONE")
        said = self.sql.beside(request, script, self.cpu, self.options.workers, self.options.seconds)
        print(f"{label}, {self.options.records} records, {said}", flush=True)


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
