# SPDX-License-Identifier: Apache-2.0
"""What a post costs the index, against what posting it costs, and whether the index keeps up.

Posts in three languages through the gateway of a running stack, by authors whom everybody may find, as fast as they are
accepted. CPU is that of a service's process and of its role's sessions in PostgreSQL; what all share (the broker, the
write-ahead log, the checkpointer) is printed beside it and belongs to nobody.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import time
import urllib.parse

from search_posts import Posts
from timelines import TICK, Bench

SHARED = "shared"


def ticks_by_role(postmaster):
    """Processor seconds of the sessions of each role, and of PostgreSQL's own processes as `shared`."""
    used = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            title = (entry / "cmdline").read_bytes().split(b"\0")[0].decode()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) != postmaster:
            continue
        # "postgres: ROLE DATABASE HOST(PORT) STATE", or "postgres: checkpointer ".
        words = title.split()
        role = words[1] if len(words) > 3 and "(" in words[3] else SHARED
        used[role] = used.get(role, 0) + (int(fields[11]) + int(fields[12])) / TICK
    return used


class Indexing(Bench):
    def parts(self):
        """Processor seconds of each service, process and sessions together; of what all share, too."""
        spent = self.spent()
        roles = ticks_by_role(self.stack.pid("postgres"))
        parts = {name: spent[name] + roles.get(name, 0) for name in self.names if name not in ("postgres", "rabbitmq")}
        return parts | {"postgres (shared)": roles.get(SHARED, 0), "rabbitmq": spent["rabbitmq"]}

    def lag(self, client, word):
        """Seconds until somebody finds a post that was just accepted and has a word of its own."""
        began = time.monotonic()
        query = urllib.parse.urlencode({"q": word, "type": "statuses"})
        while True:
            found, _ = client.call("GET", f"/api/v2/search?{query}")
            if found["statuses"]:
                return time.monotonic() - began
            if time.monotonic() - began > 120:
                raise SystemExit("not found within two minutes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--posts", type=int, default=6000)
    arguments = parser.parse_args()
    bench = Indexing(arguments.base_url, arguments.run)
    authors = bench.sign_up("indexed", 16)
    for author in authors:
        author.call("PATCH", "/api/v1/accounts/update_credentials", {"indexable": "true", "discoverable": "true"})
    corpus = Posts(7)
    texts = [text[:480] for _, text in (corpus.post() for _ in range(arguments.posts))]

    def write(number, text=None):
        form = {"status": text or texts[number], "visibility": "public"}
        authors[number % len(authors)].call("POST", "/api/v1/statuses", form)

    # Plans, connections and caches are there before anything is counted, and the plans are those of tables that are not empty,
    # for which autovacuum would need a minute.
    for number in range(min(1000, len(texts))):
        write(number)
    bench.stack.wait_quiet(60)
    bench.stack.psql("ANALYZE")
    bench.measure_idle()
    bench.settle()
    before, began = bench.parts(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(authors)) as pool:
        list(pool.map(write, range(len(texts))))
    accepted = time.monotonic() - began
    last = f"last{time.time_ns()}"
    write(0, last)
    behind = bench.lag(authors[0], last)
    bench.settle()
    after = bench.parts()
    each = {name: 1000 * (after[name] - before[name]) / len(texts) for name in after}
    print("CPU ms a post: " + ", ".join(f"{name} {value:.2f}" for name, value in each.items() if value >= 0.005))
    posting, indexing = each["gateway"] + each["auth"] + each["posts"], each["search"]
    print(f"posting {posting:.2f} ms, indexing {indexing:.2f} ms: {indexing / posting:.2f} of it (goal: less than 0.25)")
    print(f"accepted {len(texts) / accepted:.0f} posts/s; the index knew the last one {behind:.2f} s after it was accepted")
    if indexing >= 0.25 * posting:
        sys.exit("indexing a post costs a quarter of posting it, or more")


if __name__ == "__main__":
    main()
