#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes a backup of a running Madang at one point, and fills an empty one from it.

    backup.py [--compose] take FILE           the database, what the broker had in hand, uploaded files, and the secrets
    backup.py [--compose] secrets FILE        puts the secrets of a backup in place: the first step of a restore
    backup.py [--compose] fill FILE           fills the database, which must be empty, and the folder of files, and compares
                                              both with the backup
    backup.py show FILE                       what is in a backup

The point. An event is in the outbox of the service that tells it until the broker has it, and from then on in the broker alone
until its consumer has committed. So the relays are made to rest (this program holds their locks), the queues run empty, and
the snapshot that is taken then has every event in an outbox or in what it led to. People are served meanwhile; what they do is
told a few seconds later. After a restore the relays publish what the outboxes hold; what was applied already is known to the
inboxes and applied once.

Files. What is stored never changes, and goes an hour after nothing needs it at the earliest: it is copied after the snapshot.
What was uploaded and is not worked on yet goes when it is, so links to it are made while no upload may end.
"""

import argparse
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STORES = [
    line.split()[0] for line in (ROOT / "deploy/scripts/services").read_text().splitlines() if not line.startswith("#")
]
# The counts of a queue are up to five seconds old (the broker's tick).
SETTLE = 6
FORMAT = 2
# Those of the first have no files.
READABLE = (1, FORMAT)


class Failed(SystemExit):
    def __init__(self, why):
        super().__init__(f"backup: {why}")


class Place:
    """How the programs of PostgreSQL and RabbitMQ are reached, and where secrets lie."""

    def __init__(self, compose):
        self.compose = compose
        if compose:
            inside = ["docker", "compose", "exec", "-T"]
            self.postgres = lambda program: [*inside, "postgres", program, "-U", "postgres"]
            self.rabbitmqctl = [*inside, "rabbitmq", "rabbitmqctl", "-q"]
            self.media = "/srv/media"
        else:
            self.postgres = lambda program: [program]
            self.rabbitmqctl = [str(ROOT / "deploy/scripts/control"), "rabbitmqctl"]
            self.media = '"$MADANG_STATE/media"'

    def setup(self, *words):
        return ["docker", "compose", "run", "--rm", "--no-deps", "-T", "--entrypoint", "tar", "setup", "-C", "/secrets", *words]

    def read_secrets(self):
        """All secrets as an archive."""
        if self.compose:
            return run(self.setup("-c", "."))
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            tar.add(os.environ["MADANG_SECRETS"], arcname=".")
        return archive.getvalue()

    def write_secrets(self, archive):
        if self.compose:
            run(self.setup("-x"), archive)
            return
        folder = pathlib.Path(os.environ["MADANG_SECRETS"])
        if folder.exists() and any(folder.iterdir()):
            raise Failed(f"there are secrets in {folder} already")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            for member in tar.getmembers():
                if not (member.isdir() or member.isfile()) or ".." in pathlib.PurePath(member.name).parts:
                    raise Failed(f"{member.name} is no secret")
                member.mode, member.uid, member.gid = (0o700 if member.isdir() else 0o600), os.getuid(), os.getgid()
                tar.extract(member, folder)

    def in_media(self, script, **streams):
        """Runs a script of the shell where the files are, whether or not the service runs."""
        inside = ["docker", "compose", "run", "--rm", "--no-deps", "-T", "--entrypoint", "sh", "media", "-c"] if self.compose else ["sh", "-c"]
        streams.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run([*inside, f"set -e; umask 077; mkdir -p {self.media}; cd {self.media}; {script}"], stderr=subprocess.PIPE, **streams)
        if done.returncode:
            raise Failed(f"the files: {done.stderr.decode(errors='replace').strip()[-800:]}")

    def hold_incoming(self):
        """Links to what was uploaded and is not worked on yet."""
        self.in_media("rm -rf backup; mkdir -p incoming files backup; cp -al incoming backup/")

    def bucket(self):
        """The server of S3 that has the files instead of the folder; None without one."""
        with tempfile.TemporaryFile() as out:
            self.in_media('printf %s "${MADANG_S3_ENDPOINT:-none}"', stdout=out)
            out.seek(0)
            endpoint = out.read().decode()
        return None if endpoint == "none" else endpoint

    def read_files(self, out):
        """All files as an archive. One more or less in a folder that is being read is no harm (tar says 1): the rows know which count."""
        self.in_media("tar -cf - files -C backup incoming || [ $? = 1 ]; rm -rf backup", stdout=out)

    def write_files(self, archive):
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(archive, copy)
            copy.seek(0)
            self.in_media('[ -z "$(find files incoming -type f 2>/dev/null | head -n 1)" ] || { echo "there are files already" >&2; exit 1; }; tar -xf -', stdin=copy)

    def queues(self):
        """Messages of each queue that outlives its reader, dead letters apart."""
        found = json.loads(run([*self.rabbitmqctl, "list_queues", "--formatter", "json", "name", "messages", "durable", "exclusive"]))
        return {one["name"]: one["messages"] or 0 for one in found if one["durable"] and not one.get("exclusive")}


def run(words, given=None):
    done = subprocess.run(words, input=given, capture_output=True)
    if done.returncode:
        raise Failed(f"{' '.join(words[:6])}: {done.stderr.decode(errors='replace').strip()[-800:]}")
    return done.stdout


class Session:
    """One connection of the database's superuser, as long as it is needed."""

    END = "-- end of answer --"

    def __init__(self, place):
        self.process = subprocess.Popen(
            [*place.postgres("psql"), "--no-psqlrc", "-qAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", "madang"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    def __call__(self, sql):
        """Rows as lists of texts."""
        self.process.stdin.write(f"{sql};\n\\echo {self.END}\n")
        self.process.stdin.flush()
        rows = []
        for line in self.process.stdout:
            if line.rstrip("\n") == self.END:
                return rows
            rows.append(line.rstrip("\n").split("\t"))
        raise Failed("the database refused a statement, or is not there")

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


def lock_key(name):
    """FNV-1a, as Shared/Outbox has it."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) & (2**64 - 1)
    return value - 2**64 if value >= 2**63 else value


def hold_relays(session, patience=30):
    """Takes the lock of each relay: whoever has it loses its connection, and stands by until the lock is free again."""
    deadline = time.monotonic() + patience
    for store in STORES:
        key = lock_key(f"outbox/{store}")
        high, low = (key >> 32) & 0xFFFFFFFF, key & 0xFFFFFFFF
        while session(f"SELECT pg_try_advisory_lock({key})") != [["t"]]:
            if time.monotonic() > deadline:
                raise Failed(f"the relay of {store} does not rest")
            session(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
                "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
                f"AND classid::bigint = {high} AND objid::bigint = {low} AND pid <> pg_backend_pid()"
            )
            time.sleep(0.02)


def drain(place, patience):
    """Waits until no queue holds anything that is not a dead letter."""
    began = time.monotonic()
    while True:
        asked = time.monotonic()
        queues = place.queues()
        full = {name: count for name, count in queues.items() if count and not name.endswith(".dead")}
        if not full and asked - began >= SETTLE:
            return {name: count for name, count in queues.items() if count}
        if asked - began > patience:
            raise Failed(f"queues did not run empty within {patience} s, so no backup was taken: {full}. Are their services running?")
        time.sleep(0.5)


def counts(session):
    """The rows of each table."""
    tables = session(
        "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables "
        f"WHERE schemaname IN ({', '.join(repr(store) for store in STORES)}) ORDER BY 1"
    )
    if not tables:
        return {}
    every = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for (table,) in tables)
    return {table: int(count) for table, count in session(every)}


def take(place, file, patience):
    began = time.monotonic()
    session, gate = Session(place), Session(place)
    try:
        hold_relays(session)
        dead = drain(place, patience)
        point = session("SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")[0][0]
        gate("BEGIN")
        gate("SET LOCAL lock_timeout = '30s'")
        gate("LOCK TABLE media.uploads IN EXCLUSIVE MODE")
        session("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        snapshot = session("SELECT pg_export_snapshot()")[0][0]
        place.hold_incoming()
        gate("COMMIT")
        session("SELECT pg_advisory_unlock_all()")
        rested = time.monotonic() - began
        rows = counts(session)
        with tempfile.TemporaryFile(dir=file.parent) as dump, tempfile.TemporaryFile(dir=file.parent) as files:
            done = subprocess.run(
                [*place.postgres("pg_dump"), "-d", "madang", "-Fc", "--snapshot", snapshot, "--exclude-schema", "public"],
                stdout=dump, stderr=subprocess.PIPE,
            )  # fmt: skip
            if done.returncode:
                raise Failed(f"pg_dump: {done.stderr.decode(errors='replace')[-800:]}")
            version = session("SHOW server_version")[0][0]
            session("COMMIT")
            place.read_files(files)
            bucket = place.bucket()
            about = {"format": FORMAT, "point": point, "postgres": version, "rows": rows, "dead_letters": dead, "bucket": bucket}
            write(file, dump, files, place.read_secrets(), about)
    finally:
        session.end()
        gate.end()
    size = file.stat().st_size
    print(f"{file}: everything that was acknowledged before {point}, {sum(rows.values())} rows, {size / 2**20:.1f} MiB.")
    print(f"It took {time.monotonic() - began:.1f} s; for {rested:.1f} s of them events waited in the outboxes. The file holds every secret: keep it as one.")
    if bucket:
        print(f"Not in it: stored files, which are in the bucket at {bucket}. They never change: keep its versions, or copy it after this.")
    for name, count in dead.items():
        print(f"Not in it: {count} dead letters in {name}, which the broker alone has. Replay or drop them (deploy/dev dead-letters) and take another.")


def write(file, dump, files, secrets, about):
    """The archive as a whole or not at all, readable by its owner only."""
    large = {"database.dump": dump, "files.tar": files}
    about["sha256"] = {"secrets.tar": hashlib.sha256(secrets).hexdigest()}
    for name, content in large.items():
        content.seek(0)
        about["sha256"][name] = hashlib.file_digest(content, "sha256").hexdigest()
    part = file.with_name(file.name + ".part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        with tarfile.open(fileobj=out, mode="w") as tar:
            for name, text in (("manifest.json", json.dumps(about, indent=2).encode()), ("secrets.tar", secrets)):
                add(tar, name, io.BytesIO(text), len(text))
            for name, content in large.items():
                size = content.seek(0, io.SEEK_END)
                content.seek(0)
                add(tar, name, content, size)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def add(tar, name, content, size):
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o600, int(time.time())
    tar.addfile(member, content)


class Backup:
    """A file that `take` made; every part is compared with its hash before it is used."""

    def __init__(self, file):
        try:
            self.tar = tarfile.open(file)
            self.about = json.load(self.tar.extractfile("manifest.json"))
        except (OSError, KeyError, ValueError, tarfile.TarError) as error:
            raise Failed(f"{file} is no backup: {error}") from None
        if self.about.get("format") not in READABLE:
            raise Failed(f"{file} has format {self.about.get('format')}; this program reads {FORMAT}")
        for name, wanted in self.about["sha256"].items():
            if hashlib.file_digest(self.tar.extractfile(name), "sha256").hexdigest() != wanted:
                raise Failed(f"{name} in {file} is damaged")

    def part(self, name):
        return self.tar.extractfile(name)


def fill(place, backup):
    began = time.monotonic()
    session = Session(place)
    try:
        if there := counts(session):
            raise Failed(f"the database is not empty: it has {len(there)} tables")
        if full := {name: count for name, count in place.queues().items() if count}:
            raise Failed(f"the broker is not empty: {full}")
        process = subprocess.Popen(
            [*place.postgres("pg_restore"), "-d", "madang", "--clean", "--if-exists", "--exit-on-error", "--single-transaction"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        dump = backup.part("database.dump")
        try:
            while piece := dump.read(1 << 20):
                process.stdin.write(piece)
        except BrokenPipeError:
            pass
        _, errors = process.communicate()
        if process.returncode:
            raise Failed(f"pg_restore: {errors.decode(errors='replace')[-800:]}")
        found = counts(session)
        if backup.about["format"] > 1:
            fill_files(place, session, backup)
    finally:
        session.end()
    if found != backup.about["rows"]:
        different = {name for name in {*found, *backup.about["rows"]} if found.get(name) != backup.about["rows"].get(name)}
        raise Failed(f"the rows of {', '.join(sorted(different))} are not those of the backup")
    print(f"{sum(found.values())} rows in {len(found)} tables, as of {backup.about['point']}, in {time.monotonic() - began:.1f} s")


def fill_files(place, session, backup):
    place.write_files(backup.part("files.tar"))
    with tarfile.open(fileobj=backup.part("files.tar")) as files:
        there = {pathlib.PurePath(name).name for name in files.getnames()}
    stored = "" if backup.about.get("bucket") else "SELECT file FROM media.renditions UNION "
    wanted = session(f"{stored}SELECT id::text FROM media.uploads WHERE state = 'processing'")
    if missing := [name for (name,) in wanted if name not in there]:
        raise Failed(f"of the files that the rows name {len(missing)} are not in the backup, such as {missing[0]}")
    print(f"{len(there)} files and folders")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--compose", action="store_true", help="of the project that docker compose has in this folder")
    arguments.add_argument("--patience", type=float, default=120, help="seconds that queues have to run empty")
    arguments.add_argument("verb", choices=["take", "secrets", "fill", "show"])
    arguments.add_argument("file", type=pathlib.Path)
    options = arguments.parse_args()
    place = Place(options.compose)
    if options.verb == "take":
        return take(place, options.file.absolute(), options.patience)
    backup = Backup(options.file)
    if options.verb == "secrets":
        place.write_secrets(backup.part("secrets.tar").read())
    elif options.verb == "fill":
        fill(place, backup)
    else:
        print(json.dumps({name: value for name, value in backup.about.items() if name != "rows"}, indent=2))


if __name__ == "__main__":
    sys.exit(main())
