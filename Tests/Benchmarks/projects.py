# SPDX-License-Identifier: Apache-2.0
"""The board with some ten thousand projects: its orders and filters, each against the same SQL through pgbench."""

import argparse
import pathlib
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from same_sql import SameSQL  # noqa: E402
from stack import ENGINES, SERVICES, Stack  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

REQUESTS = {
    "newest": {},
    "next deadline": {"sort": "deadline"},
    "most applied": {"sort": "applications"},
    "a category of every tenth": {"category": "c3"},
    "a tag of every hundredth, by deadline": {"tag": "tag33", "sort": "deadline"},
    "a role, a place and a category": {"role": "iOS", "place": "online", "category": "c4", "sort": "applications"},
}


class Bench:
    def __init__(self, options):
        self.options = options
        self.sql = SameSQL(options.pgbench, options.postgres_log, "posts")
        stack = Stack(options.run, options.base_url)
        self.roots = {stack.pid(name): name for name in ENGINES + SERVICES}
        tag = int(time.time())
        self.reader, *leaders = sign_up(options.base_url, [f"board_{tag}"] + [f"leader_{tag}_{number}" for number in range(20)]).values()
        self.leaders = [leader.call("GET", "/api/v1/accounts/verify_credentials")[0]["id"] for leader in leaders]

    def cpu(self):
        return sum(cpu_seconds(self.roots).values())

    def fill(self):
        """Projects past the routes, as years would bring them; beside those of an earlier run."""
        leaders, count = ",".join(self.leaders), self.options.projects
        first = int(time.time() * 1000) << 16
        self.sql.psql(
            f"""INSERT INTO projects (id, leader_id, state, title, summary, body, category, labels, tags, roles, place, deadline, created_at,
                published_at, applications_count)
            SELECT {first} + i, (ARRAY[{leaders}]::bigint[])[i % 20 + 1], 'recruiting', 'Project ' || i, 'A summary of it',
                repeat('What it is about. ', 40), 'c' || i % 10, ARRAY ['tag' || i % 100], ARRAY ['tag' || i % 100],
                jsonb_build_array(jsonb_build_object('id', '1', 'name', CASE hashint4(i) % 3 WHEN 0 THEN 'iOS' ELSE 'server' END, 'wanted', 3)),
                CASE hashint4(i + {count}) % 2 WHEN 0 THEN 'online' ELSE 'region ' || i % 17 END,
                CASE WHEN i % 3 > 0 THEN now() + (2 + i % 90) * interval '1 day' END, now(), now(), abs(hashint4(-i) % 40)
            FROM generate_series(1, {count}) i""",
            f"""INSERT INTO project_facets (project_id, facet, state, deadline, applications_count)
            SELECT p.id, f, p.state, coalesce(p.deadline, 'infinity'), p.applications_count
            FROM projects p, unnest(ARRAY ['', 'c:' || p.category, 't:' || p.tags[1], 'p:' || p.place, 'r:' || lower(p.roles -> 0 ->> 'name')]) f
            WHERE p.id > {first}""",
            f"""INSERT INTO project_members (project_id, account_id, since, joined_at)
            SELECT id, leader_id, 1, created_at FROM projects WHERE id > {first}""",
            f"INSERT INTO project_views (project_id, views) SELECT id, id % 1000 FROM projects WHERE id > {first}",
            "VACUUM ANALYZE projects, project_facets, project_members, project_views",
        )

    def ask(self, label, query):
        path = "/api/v1/projects?" + urllib.parse.urlencode({"limit": 20, **query})
        found, _ = self.reader.call("GET", path)
        if len(found) != 20:
            raise SystemExit(f"projects: {label} found {len(found)}")

        def request():
            self.reader.call("GET", path)

        script = self.sql.statements_of(request, "project_facets")
        said = self.sql.beside(request, script, self.cpu, self.options.workers, self.options.seconds)
        print(f"board, {label}, {self.options.projects} projects, {said}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--pgbench", required=True)
    arguments.add_argument("--postgres-log", required=True)
    arguments.add_argument("--projects", type=int, default=50_000)
    arguments.add_argument("--workers", type=int, default=8)
    arguments.add_argument("--seconds", type=int, default=3)
    bench = Bench(arguments.parse_args())
    bench.fill()
    for label, query in REQUESTS.items():
        bench.ask(label, query)


if __name__ == "__main__":
    main()
