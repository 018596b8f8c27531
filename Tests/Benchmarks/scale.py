# SPDX-License-Identifier: Apache-2.0
"""What requests cost on a full database: 110,000 accounts, a million posts, two million entries of home timelines.

For each request: blocks that PostgreSQL touches (which does not depend on how busy the machine is), its time, functions
compiled just in time, and the size of the answer. Fails when a request touches more than its budget, a fifth above what was
measured when it was agreed on (scale_budgets.json), or when anything is compiled. `--agree` writes the budgets anew.

Then a post to 100,000 followers, and 64 posts by authors with 4,900 followers each, all at once, while others write and
home timelines are read.
"""

import argparse
import itertools
import json
import pathlib
import re
import secrets
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from stack import Stack, wait_until  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
BUDGETS = HERE / "scale_budgets.json"
ALLOWANCE = 1.2
# Statements are planned anew five times on each of two pipelined connections before a plan is kept.
WARM, COUNTED = 14, 10


def sql(text, **variables):
    """Runs statements as the superuser that the environment names; returns rows of columns."""
    options = [option for name, value in variables.items() for option in ("-v", f"{name}={value}")]
    done = subprocess.run(
        ["psql", "--no-psqlrc", "-qAtX", "-d", "madang", "-v", "ON_ERROR_STOP=1", *options],
        input=f"SET search_path = posts, public;\n{text}", capture_output=True, text=True,
    )
    if done.returncode:
        raise SystemExit(f"scale: {done.stderr.strip()}")
    return [line.split("|") for line in done.stdout.splitlines()]


def fill(accounts, posts):
    if int(sql("SELECT count(*) FROM (SELECT FROM posts LIMIT 1000) p")[0][0]) == 1000:
        return
    began = time.monotonic()
    sql((HERE / "scale.sql").read_text(), accounts=accounts, posts=posts)
    print(f"filled in {time.monotonic() - began:.0f} s", flush=True)


def readers(base_url):
    """Accounts that can sign in: three that follow what the prepared readers follow, and one that everybody follows."""
    tag = secrets.token_hex(3)
    names = {"10": 1101, "500": 1102, "5000": 1103, "popular": 1001}
    clients = sign_up(base_url, [f"scale_{tag}_{name}" for name in names])
    people = {}
    for (name, twin), (_, client) in zip(names.items(), clients.items()):
        me, _ = client.insist("GET", "/api/v1/accounts/verify_credentials")
        people[name] = client
        if name == "popular":
            sql(
                """
                INSERT INTO follows (follower_id, followee_id, id)
                SELECT follower_id, :me, id FROM follows WHERE followee_id = :twin;
                UPDATE accounts SET followers_count = (SELECT count(*) FROM follows WHERE followee_id = :me) WHERE id = :me;
                """, me=me["id"], twin=twin,
            )
        else:
            sql(
                """
                INSERT INTO follows (follower_id, followee_id, id)
                SELECT :me, followee_id, id FROM follows WHERE follower_id = :twin;
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT :me, post_id, author_id FROM timeline WHERE account_id = :twin;
                INSERT INTO favourites (account_id, post_id, id)
                SELECT :me, post_id, id FROM favourites WHERE account_id = 1101;
                UPDATE posts SET favourites_count = favourites_count + 1
                WHERE id IN (SELECT post_id FROM favourites WHERE account_id = :me);
                """, me=me["id"], twin=twin,
            )
    # As autovacuum leaves it when nobody has written for a minute.
    for table in ("accounts", "favourites", "follows", "posts", "timeline"):
        sql(f"VACUUM {table}")
    return people


def requests(people):
    thread = sql("SELECT id FROM posts ORDER BY replies_count DESC LIMIT 1")[0][0]
    quiet, loud = sql("SELECT account_id, count(*) FROM posts GROUP BY 1 ORDER BY 2, 1 LIMIT 1")[0][0], "1001"
    busy = sql("SELECT account_id, count(*) FROM posts GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1")[0][0]
    for name in ("10", "500", "5000"):
        yield f"home, {name} follows", people[name], "/api/v1/timelines/home"
    yield "home, 5000 follows, forward", people["5000"], "/api/v1/timelines/home?min_id=1"
    someone = people["500"]
    yield "public", someone, "/api/v1/timelines/public"
    yield "tag", someone, "/api/v1/timelines/tag/common"
    yield "tag, all of a rare one", someone, "/api/v1/timelines/tag/common?all[]=rare"
    yield "tag, none that there are", someone, "/api/v1/timelines/tag/common?all[]=tag1"
    yield "tag, none of itself", someone, "/api/v1/timelines/tag/common?none[]=common"
    yield "account, busy", someone, f"/api/v1/accounts/{busy}/statuses"
    yield "account, quiet", someone, f"/api/v1/accounts/{quiet}/statuses"
    yield "account, busy, a tag it never used", someone, f"/api/v1/accounts/{busy}/statuses?tagged=nothing"
    yield "account, only boosts left out", someone, f"/api/v1/accounts/{busy}/statuses?exclude_reblogs=true&exclude_replies=true"
    yield "thread of 10,000", someone, f"/api/v1/statuses/{thread}/context"
    yield "favourites", someone, "/api/v1/favourites"
    yield "followers of 100,000", someone, f"/api/v1/accounts/{loud}/followers"
    yield "account search", someone, "/api/v1/accounts/search?q=scale12"
    yield "relationships", someone, "/api/v1/accounts/relationships?" + "&".join(f"id[]={1001 + n}" for n in range(40))
    yield "notifications", someone, "/api/v1/notifications"


def measure(client, path):
    # Asked for by other words each time: what is kept of the time before is not given again.
    paths = (f"{path}{'&' if '?' in path else '?'}number={number}" for number in itertools.count())
    for _ in range(WARM):
        client.insist("GET", next(paths))
    sql("SELECT pg_stat_statements_reset()")
    began = time.monotonic()
    for _ in range(COUNTED):
        answer, _ = client.insist("GET", next(paths))
    took = (time.monotonic() - began) / COUNTED * 1000
    (blocks, milliseconds, compiled), = sql(
        """
        SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0), coalesce(sum(total_exec_time), 0), coalesce(sum(jit_functions), 0)
        FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
        WHERE r.rolname IN ('posts', 'notifications') AND s.query NOT LIKE '%outbox%'
        """
    )
    return float(blocks) / COUNTED, float(milliseconds) / COUNTED, int(compiled), took, len(json.dumps(answer))


def deep_profile():
    sql(
        """
        INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at)
        SELECT n, (SELECT id FROM accounts WHERE username = 'scale66'), 'Deep ' || n, 'public', n, '2024-01-01'::timestamptz + n * interval '1 second'
        FROM generate_series(1, 100000) n ON CONFLICT DO NOTHING;
        ANALYZE posts;
        """
    )


def deep_paging(client):
    """L14: a profile of 100,000 posts, page by page to its end: every post once, none twice."""
    author = sql("SELECT id FROM accounts WHERE username = 'scale66'")[0][0]
    truth = [row[0] for row in sql("SELECT id FROM posts WHERE account_id = :author AND visibility IN ('public', 'unlisted') AND deleted_at IS NULL ORDER BY id DESC", author=author)]
    seen, took, path = [], [], f"/api/v1/accounts/{author}/statuses?limit=40"
    while path:
        began = time.monotonic()
        page, headers = client.insist("GET", path)
        took.append(time.monotonic() - began)
        seen += [entry["id"] for entry in page]
        following = re.search(r'<https?://[^/]+([^>]+)>; *rel="next"', headers.get("Link") or "")
        path = following[1] if following and page else None
    print(
        f"L14: a profile of {len(truth)} posts in {len(took)} pages: p50 {percentile(took, 0.5) * 1000:.0f} ms, "
        f"p99 {percentile(took, 0.99) * 1000:.0f} ms (at most 200), the last tenth p50 {percentile(took[-len(took) // 10:], 0.5) * 1000:.0f} ms", flush=True
    )  # fmt: skip
    return ["L14: not every post once"] * (seen != truth) + ["L14: late pages"] * (percentile(took, 0.99) > 0.2)


def percentile(times, share):
    return sorted(times)[min(int(len(times) * share), len(times) - 1)]


class Meanwhile:
    """Repeats a request until the end and keeps how long each took, in seconds."""

    def __init__(self, client, method, path, form=lambda number: None):
        self.took, self._end = [], threading.Event()
        self._thread = threading.Thread(target=self._run, args=(client, method, path, form))

    def _run(self, client, method, path, form):
        while not self._end.is_set():
            began = time.monotonic()
            client.insist(method, path, form(len(self.took)))
            self.took.append(time.monotonic() - began)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()

    def __str__(self):
        middle, late = percentile(self.took, 0.5) * 1000, percentile(self.took, 0.99) * 1000
        return f"p50 {middle:.0f} ms, p99 {late:.0f} ms, slowest {max(self.took) * 1000:.0f} ms of {len(self.took)}"


def told(stack, began, seconds):
    """Waits until every follower is told, seen twice 2 s apart: the broker's counts are up to a second old."""
    quiet = None
    while time.monotonic() - began < seconds:
        if sql("SELECT count(*) FROM fanouts")[0][0] != "0" or stack.backlog() != 0:
            quiet = None
        elif quiet is None:
            quiet = time.monotonic()
        elif time.monotonic() - quiet > 2:
            return quiet - began
        time.sleep(0.2)
    raise SystemExit(f"scale: not everybody was told within {seconds} s")


def fanouts_of(post):
    """What is still to be told of a post: its place in the fan-out, and events not yet published."""
    return int(sql("SELECT (SELECT count(*) FROM fanouts WHERE post_id = :post) + (SELECT count(*) FROM outbox WHERE subject = :'post')", post=post)[0][0])


def large_post(stack, people):
    """L4: one post to 100,000 followers, while somebody else writes."""
    followers = sql("SELECT max(followers_count) FROM accounts")[0][0]
    me, _ = people["popular"].insist("GET", "/api/v1/accounts/verify_credentials")
    people["10"].insist("POST", f"/api/v1/accounts/{me['id']}/follow")
    told(stack, time.monotonic(), 60)
    with Meanwhile(people["500"], "POST", "/api/v1/statuses", lambda number: {"status": f"meanwhile {number}"}) as writes:
        began = time.monotonic()
        post, _ = people["popular"].insist("POST", "/api/v1/statuses", {"status": f"to {followers} followers"})
        answered = time.monotonic() - began
        # Others write on, so that nothing is ever quiet: only what this post still has to go is looked at.
        wait_until(lambda: fanouts_of(post["id"]), 30, "the fan-out's beginning", 0.05)
        wait_until(lambda: not fanouts_of(post["id"]), 120, "the fan-out's end", 0.1)
        took = time.monotonic() - began
    home, _ = people["10"].insist("GET", "/api/v1/timelines/home")
    print(f"L4: a post to {followers} followers is answered in {answered * 1000:.0f} ms (at most 250), all told after {took:.1f} s (30)")
    print(f"L4: others' posts meanwhile: {writes} (p99 at most 300 ms)", flush=True)
    late = answered > 0.25 or took > 30 or percentile(writes.took, 0.99) > 0.3
    return ["L4"] * late + ["L4: the post is not in a follower's home timeline"] * (post["id"] not in [entry["id"] for entry in home])


def burst(stack, base_url, people):
    """64 posts by authors with 4,900 followers each, while a home timeline is read."""
    tag = secrets.token_hex(3)
    authors = list(sign_up(base_url, [f"burst_{tag}_{number}" for number in range(64)]).values())
    with ThreadPoolExecutor(8) as pool:
        ids = [account["id"] for account, _ in pool.map(lambda client: client.insist("GET", "/api/v1/accounts/verify_credentials"), authors)]
    sql(
        """
        INSERT INTO follows (follower_id, followee_id, id)
        SELECT f.follower_id, a.id, f.id
        FROM unnest(string_to_array(:'ids', ',')::bigint[]) WITH ORDINALITY a (id, n) JOIN follows f ON f.followee_id = 1001 + a.n;
        """, ids=",".join(ids),
    )
    reader = people["500"]
    with Meanwhile(reader, "GET", "/api/v1/timelines/home") as before:
        time.sleep(3)
    with Meanwhile(reader, "GET", "/api/v1/timelines/home") as during:
        began = time.monotonic()
        with ThreadPoolExecutor(64) as pool:
            posts = list(pool.map(lambda client: client.insist("POST", "/api/v1/statuses", {"status": "all at once"})[0]["id"], authors))
        took = told(stack, began, 300)
    entries = int(sql("SELECT count(*) FROM timeline WHERE post_id = ANY (string_to_array(:'ids', ',')::bigint[])", ids=",".join(posts))[0][0])
    print(f"burst: 64 posts to 4,900 followers each, {entries} entries, all told after {took:.1f} s")
    print(f"burst: home before: {before}")
    print(f"burst: home meanwhile: {during} (slowest at most 2 s)", flush=True)
    # The next run finds the database as it was.
    sql(
        """
        DELETE FROM timeline WHERE post_id = ANY (string_to_array(:'posts', ',')::bigint[]);
        DELETE FROM follows WHERE followee_id = ANY (string_to_array(:'ids', ',')::bigint[]);
        """, posts=",".join(posts), ids=",".join(ids),
    )
    sql("VACUUM timeline, follows")
    return ["burst: home stalls"] * (max(during.took) > 2) + ["burst: entries are missing"] * (entries < 64 * 4900)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--accounts", type=int, default=110_000)
    arguments.add_argument("--posts", type=int, default=1_000_000)
    arguments.add_argument("--quick", action="store_true", help="only what requests cost")
    arguments.add_argument("--agree", action="store_true", help="write what was measured as the budgets")
    options = arguments.parse_args()
    fill(options.accounts, options.posts)
    sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA posts")
    deep_profile()
    people = readers(options.base_url)
    sql("ANALYZE follows; ANALYZE timeline; ANALYZE favourites")
    budgets = json.loads(BUDGETS.read_text()) if BUDGETS.exists() else {}
    found, over = {}, []
    print(f"{'request':38} {'blocks':>8} {'budget':>8} {'SQL ms':>8} {'ms':>8} {'KB':>8}")
    for name, client, path in requests(people):
        blocks, milliseconds, compiled, took, size = measure(client, path)
        found[name] = round(blocks)
        budget = budgets.get(name)
        print(f"{name:38} {blocks:8.0f} {budget or '-':>8} {milliseconds:8.2f} {took:8.2f} {size / 1000:8.1f}", flush=True)
        if compiled:
            over.append(f"{name}: {compiled} functions were compiled")
        if not options.agree and (budget is None or blocks > budget * ALLOWANCE + 5):
            over.append(f"{name}: {blocks:.0f} blocks, {'no budget' if budget is None else f'budget {budget}'}")

    if not options.quick:
        stack = Stack(options.run, options.base_url)
        over += deep_paging(people["500"])
        over += large_post(stack, people)
        over += burst(stack, options.base_url, people)
    if options.agree:
        BUDGETS.write_text(json.dumps(found, indent=2) + "\n")
    for line in over:
        print("over:", line)
    print("scale passed" if not over else "scale FAILED")
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
