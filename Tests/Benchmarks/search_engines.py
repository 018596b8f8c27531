#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The queries of search_posts.py through tantivy (PyPI `tantivy`), in processes of this program and over sockets: nobody's visibility. And
through what PostgreSQL has by itself, by pgbench.

    search_engines.py build POSTS FOLDER                      an index of posts
    search_engines.py query QUERIES FOLDER SECONDS            each kind by two processes: the best 20 by BM25 with their texts; and
                                                              the same two asked over sockets by 16 clients
    search_engines.py judged FIXTURES                         recall of the judged set
    search_engines.py postgres PGBENCH PSQL POSTS QUERIES SECONDS  the newest 20 by pg_trgm and by to_tsvector, 16 clients; PG* say where

Words are folded to lower case; runs of Hangul, kana and Han are single characters in one field and pairs, with positions, in another, so
that a longer run is a phrase of pairs. The last word of a query that is still being typed is a beginning.
"""

import collections
import json
import multiprocessing
import os
import re
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time

try:
    import tantivy
except ImportError:
    tantivy = None

RUN = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]+|[a-z0-9]+")


def is_word(run):
    return run[0] < "\u3000"


def pairs(run):
    return [run[i : i + 2] for i in range(len(run) - 1)]


def schema():
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", stored=True, fast=True, indexed=False)
    builder.add_text_field("single", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("pairs", tokenizer_name="whitespace", index_option="position")
    builder.add_bytes_field("text", stored=True, indexed=False)
    return builder.build()


SCHEMA = schema() if tantivy else None


def build(texts, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    writer = tantivy.Index(SCHEMA, path=folder).writer(256_000_000, 1)
    for number, text in enumerate(texts):
        single, double = [], []
        for run in RUN.findall(text.lower()):
            single += [run] if is_word(run) else run
            # A sign between runs keeps a phrase from going on in the next.
            double += [run, "|"] if is_word(run) else pairs(run) + ["|"]
        document = tantivy.Document()
        document.add_integer("id", number)
        document.add_text("single", " ".join(single))
        document.add_text("pairs", " ".join(double))
        document.add_bytes("text", text.encode())
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def query(text):
    query, parts = tantivy.Query, []
    runs = RUN.findall(text.lower())
    for place, run in enumerate(runs):
        if is_word(run) and place == len(runs) - 1 and not text.endswith(" "):
            parts.append(query.regex_query(SCHEMA, "single", run + ".*"))
        elif is_word(run) or len(run) == 1:
            parts.append(query.term_query(SCHEMA, "single", run, "freq"))
        elif len(run) == 2:
            parts.append(query.term_query(SCHEMA, "pairs", run, "freq"))
        else:
            parts.append(query.phrase_query(SCHEMA, "pairs", pairs(run)))
    if len(parts) == 1:
        return parts[0]
    return query.boolean_query([(tantivy.Occur.Must, part) for part in parts])


def searcher(folder):
    index = tantivy.Index.open(folder)
    index.reload()
    return index.searcher()


def ask(searcher, text, limit=20):
    return [searcher.doc(address) for _, address in searcher.search(query(text), limit, count=False).hits]


def measure(folder, texts, seconds, place, answers):
    found = searcher(folder)
    for text in texts:
        ask(found, text)
    times, number, hits = [], place * 31, 0
    busy, end = time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        hits += len(ask(found, texts[number % len(texts)]))
        times.append(time.perf_counter() - start)
        number += 1
    answers.put((times, time.process_time() - busy, hits))


def kinds_of(queries):
    kinds = collections.defaultdict(list)
    with open(queries, encoding="utf-8") as lines:
        for line in lines:
            kind, text = line.rstrip("\n").split("\t")
            if kind != "worst":
                kinds[kind].append(text)
    return kinds


def tell(kind, times, busy, hits, seconds):
    times.sort()
    print(
        f"tantivy, {kind}: p50 {times[len(times) // 2] * 1000:.2f} ms, p95 {times[len(times) * 95 // 100] * 1000:.2f} ms,"
        f" p99 {times[len(times) * 99 // 100] * 1000:.2f} ms, {len(times) / seconds:.0f}/s,"
        f" {busy / len(times) * 1000:.3f} ms of CPU, {hits / len(times):.1f} found",
        flush=True,
    )


def run(queries, folder, seconds):
    kinds = kinds_of(queries)
    for kind, texts in kinds.items():
        answers = multiprocessing.Queue()
        workers = [multiprocessing.Process(target=measure, args=(folder, texts, seconds, place, answers)) for place in range(2)]
        for worker in workers:
            worker.start()
        times, busy, hits = [], 0.0, 0
        for _ in workers:
            some, cpu, count = answers.get()
            times, busy, hits = times + some, busy + cpu, hits + count
        for worker in workers:
            worker.join()
        tell(f"2 processes, {kind}", times, busy, hits, seconds)
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    servers = [multiprocessing.Process(target=serve, args=(folder, listener), daemon=True) for listener in listeners]
    for server in servers:
        server.start()
    clients = [socket.create_connection(listeners[number % 2].getsockname()) for number in range(16)]
    ticks = os.sysconf("SC_CLK_TCK")

    def processor_time():
        total = time.process_time()
        for server in servers:
            with open(f"/proc/{server.pid}/stat", encoding="utf-8") as stat:
                total += sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13])) / ticks
        return total

    for kind, texts in kinds.items():
        ask_over(clients, texts, 0.5)
        before = processor_time()
        times, hits = ask_over(clients, texts, seconds)
        tell(f"16 clients, {kind}", times, processor_time() - before, hits, seconds)
    for server in servers:
        server.terminate()


def serve(folder, listener):
    """Lines of queries; each is answered by a line of JSON."""
    found = searcher(folder)
    waiting = selectors.DefaultSelector()
    waiting.register(listener, selectors.EVENT_READ, None)
    while True:
        for key, _ in waiting.select():
            if key.data is None:
                connection = listener.accept()[0]
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                waiting.register(connection, selectors.EVENT_READ, "client")
                continue
            # A client waits for its answer, so what is there is one line.
            line = key.fileobj.recv(65536)
            if not line:
                waiting.unregister(key.fileobj)
                continue
            answers = ask(found, line.decode()[:-1])
            key.fileobj.sendall((json.dumps([(answer["id"][0], answer["text"][0].decode()) for answer in answers]) + "\n").encode())


def ask_over(clients, texts, seconds):
    """Each client asks, waits and asks again."""
    waiting = selectors.DefaultSelector()
    times, hits, began, end = [], 0, {}, time.perf_counter() + seconds

    def send(client, number):
        began[client] = (time.perf_counter(), number, b"")
        client.sendall((texts[number % len(texts)] + "\n").encode())

    for place, client in enumerate(clients):
        waiting.register(client, selectors.EVENT_READ)
        send(client, place * 31)
    while began:
        for key, _ in waiting.select():
            client = key.fileobj
            start, number, part = began[client]
            part += client.recv(1 << 20)
            began[client] = (start, number, part)
            if not part.endswith(b"\n"):
                continue
            times.append(time.perf_counter() - start)
            hits += len(json.loads(part))
            if time.perf_counter() < end:
                send(client, number + 1)
            else:
                del began[client]
    return times, hits


PLAIN = """
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE IF NOT EXISTS plain (id bigserial PRIMARY KEY, language text, body text);
"""
PLAIN_INDEXES = {
    "pg_trgm": "CREATE INDEX plain_trigrams ON plain USING gin (body gin_trgm_ops)",
    "tsvector": "CREATE INDEX plain_words ON plain USING gin (to_tsvector('simple', body))",
}
# Of the session so far, in seconds.
PROCESSOR_TIME = r"""
SELECT round((line[12]::numeric + line[13]::numeric) / 100, 1)
FROM regexp_split_to_array(regexp_replace(pg_read_file('/proc/self/stat', 0, 4096), '^.*\) ', ''), ' ') AS line
"""
PLAIN_SIZES = """
SELECT c.relname || ': ' || pg_relation_size(c.oid) / 1048576 || ' MiB, '
    || round(pg_relation_size(c.oid)::numeric / (SELECT sum(octet_length(body)) FROM plain), 1) || ' of the text'
FROM pg_class c WHERE c.relname IN ('plain', 'plain_trigrams', 'plain_words') ORDER BY c.relname
"""


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def pg_trgm(text):
    likes = " AND ".join(f"body ILIKE {literal('%' + word + '%')}" for word in text.split())
    return f"SELECT id, body FROM plain WHERE {likes} ORDER BY id DESC LIMIT 20;"


def tsvector(text):
    query = "websearch_to_tsquery('simple', %s)" % literal(text)
    if not text.endswith(" "):
        query = "to_tsquery('simple', %s)" % literal(" & ".join(RUN.findall(text.lower())) + ":*")
    return f"SELECT id, body FROM plain WHERE to_tsvector('simple', body) @@ {query} ORDER BY id DESC LIMIT 20;"


def load_plain(psql, posts):
    def told(what, statement, stdin=None):
        start = time.time()
        took = subprocess.run([psql, "-qAtX", "-c", statement, "-c", PROCESSOR_TIME], stdin=stdin, check=True, capture_output=True, text=True)
        print(f"{what} in {time.time() - start:.0f} s, {took.stdout.strip()} s of CPU", flush=True)

    subprocess.run([psql, "-qAtX", "-c", PLAIN], check=True)
    with open(posts, "rb") as lines:
        told("plain texts copied", "COPY plain (language, body) FROM STDIN", lines)
    for name, statement in PLAIN_INDEXES.items():
        told(f"{name} indexed", statement)
    subprocess.run([psql, "-qAtX", "-c", "VACUUM ANALYZE plain", "-c", PLAIN_SIZES], check=True)


def postgres(pgbench, psql, posts, queries, seconds):
    load_plain(psql, posts)
    ask_plain(pgbench, queries, seconds)


def ask_plain(pgbench, queries, seconds):
    asked = [("a statement of nothing", "", ["SELECT 1;"])]
    for kind, texts in kinds_of(queries).items():
        asked += [(kind, engine.__name__ + ", ", [engine(text) for text in texts[:40]]) for engine in (pg_trgm, tsvector)]
    for kind, engine, statements in asked:
        with tempfile.TemporaryDirectory() as folder:
            command = [pgbench, "-n", "-M", "prepared", "-c", "16", "-j", "2", "-T", seconds, "--log"]
            for number, statement in enumerate(statements):
                path = f"{folder}/{number}.sql"
                with open(path, "w", encoding="utf-8") as script:
                    script.write(statement.replace(":*'", "' || ':*'"))
                command += ["-f", path]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            times = []
            for name in os.listdir(folder):
                if name.startswith("pgbench_log"):
                    with open(f"{folder}/{name}", encoding="utf-8") as log:
                        times += [int(line.split()[2]) / 1000 for line in log]
            times.sort()
            print(
                f"{engine}{kind}: p50 {times[len(times) // 2]:.2f} ms, p99 {times[len(times) * 99 // 100]:.2f} ms,"
                f" {len(times) / float(seconds):.0f}/s",
                flush=True,
            )


def judged(folder):
    def lines(name):
        with open(f"{folder}/{name}.tsv", encoding="utf-8") as text:
            return [line.rstrip("\n").split("\t") for line in text if line.strip()]

    found = {}
    for isPost in (True, False):
        documents = [row for row in lines("documents") if (row[1] == "post") == isPost]
        place = tempfile.mkdtemp()
        build([row[3] for row in documents], place)
        found[isPost] = (documents, searcher(place))
    scores = collections.defaultdict(list)
    for language, kind, text, relevant in lines("queries"):
        relevant = set(relevant.split(","))
        documents, index = found[kind == "post"]
        # As if the query had been typed to its end where that finds nothing.
        answers = (ask(index, text, 10) or ask(index, text + " ", 10)) if RUN.search(text.lower()) else []
        names = {documents[answer["id"][0]][0] for answer in answers}
        scores[language].append(len(relevant & names) / min(10, len(relevant)))
    for language, recalls in scores.items():
        print(f"tantivy, judged {language}: recall@10 {sum(recalls) / len(recalls):.3f}")


def main():
    if sys.argv[1] == "build":
        start = time.time()
        with open(sys.argv[2], encoding="utf-8") as lines:
            build((line.rstrip("\n").split("\t")[1] for line in lines), sys.argv[3])
        size = sum(os.path.getsize(f"{sys.argv[3]}/{name}") for name in os.listdir(sys.argv[3]))
        print(f"tantivy: indexed in {time.time() - start:.0f} s, {size >> 20} MiB with the texts")
    elif sys.argv[1] == "query":
        run(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "postgres":
        postgres(*sys.argv[2:7])
    else:
        judged(sys.argv[2])


if __name__ == "__main__":
    main()
