# SPDX-License-Identifier: Apache-2.0
"""A big backlog: how fast the relay empties the outbox, and how fast a consumer with its inbox empties the queue (L5, L6).

The outbox of posts is filled by SQL with favourites of 1,000 posts while posts is stopped; then posts is started and tells
them to the queue notifications.activity, while notifications is stopped; then that is started and handles them. Beside it, in
the same run: a plain C program that publishes as many messages of the same size with confirms, and pgbench with the statements
that such an event costs its consumer. Fails when an event is lost, or when a process's memory grows with the backlog.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from stack import Stack  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
QUEUE = "notifications.activity"
# What a process may grow by: buffers of full batches, not the backlog (about 2 KB an event).
MEMORY = 64 << 20


def sql(text):
    done = subprocess.run(
        ["psql", "--no-psqlrc", "-qAtX", "-d", "madang", "-v", "ON_ERROR_STOP=1"], input=text, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"backlog: {done.stderr.strip()}")
    return done.stdout.strip()


def fill(events, tag):
    """Rows as the service writes them, each a favourite by somebody else."""
    envelope = json.loads((HERE.parent / "Fixtures/events/posts.PostLiked.v1.json").read_text())
    envelope["id"], envelope["subject"], envelope["version"] = "@event", "@post", "@version"
    data = envelope["data"]
    data["actor"].update(id="@actor", username="reader")
    data["post"].update(id="@post", version="@version")
    # What happened long ago is notified to nobody.
    envelope["time"] = data["liked_at"] = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    text = json.dumps(envelope, ensure_ascii=False).replace('"@version"', "@version").replace("'", "''")
    sql(
        f"""
        INSERT INTO posts.outbox (event_id, type, subject, audience, envelope)
        SELECT event, 'posts.PostLiked.v1', post::text, 'events', convert_to(replace(replace(replace(replace(
            '{text}', '@event', event::text), '@post', post::text), '@actor', ({tag} + 1000000 + n)::text), '@version', n::text), 'UTF8')
        FROM (
            SELECT n, {tag} + n % 1000 AS post, (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0')
                || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid AS event
            FROM generate_series(1, {events}) n
        ) e ORDER BY n;
        ANALYZE posts.outbox;
        """
    )
    return int(sql("SELECT avg(length(envelope))::bigint FROM posts.outbox"))


def resident(stack, name):
    return int(pathlib.Path(f"/proc/{stack.pid(name)}/statm").read_text().split()[1]) * 4096


def drain(stack, name, left, total):
    """Runs until `left` is 0; returns events a second, the memory at the first look and the most."""
    began, first, most = None, None, 0
    while (rest := left()) > 0:
        memory = resident(stack, name)
        # Starting is not counted: the clock runs from the first event that is seen to be gone.
        if began is None and rest < total:
            began, begun, first = time.monotonic(), rest, memory
        most = max(most, memory)
        time.sleep(0.25)
    return begun / (time.monotonic() - began), first, most


def raw_publisher(program, port, management, size, events):
    queue = f"http://madang-tests:madang-tests@127.0.0.1:{management}/api/queues/%2F/bench"
    subprocess.run(["curl", "-sS", "-o", "/dev/null", "-X", "DELETE", queue], check=True)
    subprocess.run(
        ["curl", "-fsS", "-X", "PUT", queue, "-H", "Content-Type: application/json", "-d", '{"durable": true, "arguments": {"x-queue-type": "quorum"}}'],
        check=True,
    )  # fmt: skip
    words = [program, "127.0.0.1", str(port), "madang-tests", "madang-tests", "/", "bench", "500", str(events), str(size)]
    line = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    subprocess.run(["curl", "-sS", "-o", "/dev/null", "-X", "DELETE", queue], check=True)
    return line["per_second"]


def raw_statements(pgbench, batch, seconds, tag):
    """The rows that such an event makes at its consumer, in transactions of as many events, on one connection."""
    actor = json.loads((HERE.parent / "Fixtures/events/posts.PostLiked.v1.json").read_text())["data"]["actor"]
    # pgbench takes the minutes of a time for a variable.
    snapshot = re.sub(r":(\d)", r"-\1", json.dumps(actor)).replace("'", "''")
    one = rf"""
INSERT INTO inbox (consumer, event_id) VALUES ('bench', gen_random_uuid()) ON CONFLICT DO NOTHING;
\set n random(1, 1000000000000)
INSERT INTO accounts (id, version, snapshot) VALUES (:n::bigint, 1, '{snapshot}') ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot WHERE excluded.version > accounts.version;
INSERT INTO posts (id, version, author_id, snapshot) VALUES ({tag} + :n::bigint % 1000, :n::bigint, 1, '{snapshot}') ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot WHERE excluded.version > posts.version;
INSERT INTO acts (kind, subject_id, actor_id, version, active, at) VALUES ('favourite', {tag} + :n::bigint % 1000, :n::bigint, 1, true, now()) ON CONFLICT (kind, subject_id, actor_id) DO UPDATE SET version = excluded.version WHERE excluded.version > acts.version;
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at) VALUES (:n::bigint, 1, 'favourite', :n::bigint, {tag} + :n::bigint % 1000, 1, now()) ON CONFLICT DO NOTHING;
"""
    script = "BEGIN;\nSET LOCAL search_path = notifications;\n" + one * batch + "COMMIT;\n"
    words = [pgbench, "-n", "-M", "prepared", "-c", "1", "-T", str(seconds), "-f", "-", "madang"]
    done = subprocess.run(words, input=script, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"backlog: {done.stderr[-500:]}")
    rate = next(line for line in done.stdout.splitlines() if line.startswith("tps = "))
    return float(rate.split()[2]) * batch


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--publisher", required=True, help="messaging.c, compiled")
    arguments.add_argument("--pgbench", required=True)
    arguments.add_argument("--events", type=int, default=100_000)
    options = arguments.parse_args()
    stack = Stack(options.run, options.base_url)
    tag = uuid.uuid4().int % (1 << 50)
    total, over = options.events, []

    stack.wait_quiet(120)
    stack.stop("posts", "notifications")
    size = fill(total, tag)
    before = sql("SELECT count(*) FROM notifications.inbox")
    stack.start("posts")
    rate, first, most = drain(stack, "posts", lambda: int(sql("SELECT count(*) FROM posts.outbox")), total)
    raw = raw_publisher(options.publisher, stack.port_of("rabbitmq"), stack.port_of("management"), size, total)
    print(f"L5: relay, {total} events of {size} bytes: {rate:.0f}/s; C publisher: {raw}/s; ratio {rate / raw:.2f}", flush=True)
    print(f"L5: memory of posts {first >> 20} MB at the first event, at most {most >> 20} MB")
    if rate < 3000:
        over.append(f"L5: {rate:.0f} events a second, at least 3,000")
    if most - first > MEMORY:
        over.append("L5: memory grows with the backlog")

    handled = lambda: total - (int(sql("SELECT count(*) FROM notifications.inbox")) - int(before))  # noqa: E731
    stack.start("notifications")
    rate, first, most = drain(stack, "notifications", handled, total)
    raw = raw_statements(options.pgbench, 64, 10, tag)
    print(f"L6: consumer with inbox, {total} events: {rate:.0f}/s; pgbench, the same rows in batches of 64: {raw:.0f}/s; ratio {rate / raw:.2f}")
    print(f"L6: memory of notifications {first >> 20} MB at the first event, at most {most >> 20} MB", flush=True)
    if rate < 1500:
        over.append(f"L6: {rate:.0f} events a second, at least 1,500")
    if most - first > MEMORY:
        over.append("L6: memory grows with the backlog")
    made = int(sql(f"SELECT count(*) FROM notifications.acts WHERE actor_id BETWEEN {tag + 1000001} AND {tag + 1000000 + total}"))
    if made != total:
        over.append(f"L6: {made} of {total} favourites are known")
    stack.wait_quiet(120)
    if dead := stack.dead_letters():
        over.append(f"dead letters: {dead}")
    sql(
        f"""
        DELETE FROM notifications.inbox WHERE consumer = 'bench';
        DELETE FROM notifications.notifications WHERE subject_id BETWEEN {tag} AND {tag} + 999;
        DELETE FROM notifications.acts WHERE subject_id BETWEEN {tag} AND {tag} + 999;
        """
    )
    for line in over:
        print("over:", line)
    print("backlog passed" if not over else "backlog FAILED")
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
