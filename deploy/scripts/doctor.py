#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says in one screen what is wrong with a running Madang and what to do about it; exit code 1 when something is.

Reads from standard input what is not in force: `program NAME`, or `setting NAME MADANG_…`, a line each.
"""

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATE = pathlib.Path(os.environ["MADANG_STATE"])
PORT = int(os.environ["MADANG_PORT"])
RUN, LOGS = STATE / "run", STATE / "logs"

# What counts as wrong.
DISK_SHARE, DISK_BYTES = 0.10, 2 * 2**30
QUEUED = 1000
WAITED_SECONDS = 60
ENDED_SECONDS = 600
AHEAD_SECONDS = 5


def table(name):
    return [line.split() for line in (ROOT / "deploy/scripts" / name).read_text().splitlines() if not line.startswith("#")]


STORES = [name for name, *_ in table("services")]
PORTS = {name: int(offset) for name, offset in table("ports")}
for _name, _first, _second, *_ in table("services"):
    PORTS |= {_name: int(_first), f"{_name}-2": int(_second)}
SERVICES = [*STORES, "gateway"]
ENGINES = ["postgres", "rabbitmq"]

wrong = []
# What is not turned on, which nobody need mind.
off = []


def complain(what, remedy):
    wrong.append((what, remedy))


def is_alive(name):
    try:
        pid = int((RUN / f"{name}.pid").read_text())
        os.kill(pid, 0)
        return True
    except (OSError, ValueError):
        return False


def processes():
    """Those that should run; a second process of a service is one if it was started."""
    return [*ENGINES, *SERVICES, *(f"{name}-2" for name in SERVICES if (RUN / f"{name}-2.supervisor").exists())]


def get(name, path):
    """Status and text; (None, '') without an answer."""
    port = PORT + PORTS[{"gateway": "admin", "gateway-2": "admin-2"}.get(name, name) if path == "/metrics" else name]
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=3) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")
    except OSError:
        return None, ""


def last_lines(name, count=400):
    path = LOGS / f"{name}.log"
    if not path.exists():
        return []
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - 200 * count))
        return file.read().decode(errors="replace").splitlines()[-count:]


def reason(name):
    """The last thing that a process was unhappy about."""
    for line in reversed(last_lines(name)):
        try:
            entry = json.loads(line)
        except ValueError:
            if line.startswith(f"{name.removesuffix('-2')}:"):
                return line[:200]
            continue
        if entry.get("level") == "critical":
            return str(entry.get("reason") or entry.get("cause") or entry.get("message"))[:200]
    return "its log says no more"


def check_processes():
    down = []
    for name in processes():
        if is_alive(name):
            continue
        down.append(name)
        code = RUN / f"{name}.code"
        if code.exists() and code.read_text().strip() == "78":
            complain(f"{name} refuses to run and is not tried again: {reason(name)}", "Correct that, then: deploy/dev up")
        else:
            complain(f"{name} does not run.", f"Start it with deploy/dev up; deploy/dev logs {name} says why it ended.")
    for name in processes():
        path = LOGS / f"{name}.log"
        if name in down or not path.exists() or time.time() - path.stat().st_mtime > ENDED_SECONDS:
            continue
        ends, recent = 0, False
        for line in reversed(last_lines(name)):
            if moment := re.search(r'"time":"([^"]+)"', line):
                recent = time.time() - seconds_of(moment[1]) < ENDED_SECONDS
                if not recent:
                    break
            if '"message":"process ended"' in line and '"code":0' not in line and '"code":78' not in line:
                ends += 1
        if ends:
            complain(f"{name} ended {ends} times by itself in the last minutes and was started again: {reason(name)}", f"See deploy/dev logs {name}.")
    return down


def seconds_of(text):
    try:
        return time.mktime(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S")) - time.timezone
    except ValueError:
        return 0.0


def check_readiness(down):
    for name in processes():
        if name in ENGINES or name in down:
            continue
        status, text = get(name, "/health/ready")
        if status != 200:
            complain(f"{name} is not ready ({status or 'no answer'} {text.strip()[:120]}).", "It becomes ready by itself when what it names is there again.")


def check_disk():
    usage = shutil.disk_usage(STATE)
    if usage.free < usage.total * DISK_SHARE or usage.free < DISK_BYTES:
        complain(
            f"The disk under {STATE} has {usage.free / 2**30:.1f} GiB left of {usage.total / 2**30:.0f}.",
            "Make room: without it the database refuses to write and the broker takes nothing.",
        )  # fmt: skip


def check_secrets():
    open_to_others = [
        path for path in [STATE / "secrets", *(STATE / "secrets").rglob("*")] if stat.S_IMODE(path.lstat().st_mode) & 0o077 and not path.is_dir()
    ]
    if open_to_others:
        complain(
            f"{len(open_to_others)} secrets can be read by others, such as {open_to_others[0]}.",
            f"chmod -R go-rwx {STATE / 'secrets'}, and change them if others have been on this machine: deploy/dev rotate passwords",
        )  # fmt: skip


def check_in_force(lines):
    settings = defaultdict(list)
    for line in lines:
        kind, name, *rest = line.split()
        if kind == "program":
            complain(f"{name} runs a program that was built anew since.", "deploy/dev up replaces it.")
        else:
            settings[rest[0]].append(name)
    for setting, names in settings.items():
        complain(f"{setting} has another value here than where {', '.join(sorted(names))} was started.", "deploy/dev up applies the settings of this shell; unset it if it is not meant.")


def psql(sql):
    try:
        done = subprocess.run(
            ["psql", "--no-psqlrc", "-qAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", "madang", "-c", sql],
            capture_output=True, text=True, timeout=10, env={**os.environ, "PGCONNECT_TIMEOUT": "3"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return [line.split("\t") for line in done.stdout.splitlines()] if done.returncode == 0 else None


def check_database():
    if psql("SELECT 1") is None:
        complain("PostgreSQL runs but does not answer.", "See deploy/dev logs postgres.")
        return
    for store in STORES:
        rows = psql(
            "SELECT count(*), coalesce(round(extract(epoch FROM clock_timestamp() - min(recorded_at))), 0), "
            f"(SELECT count(*) FROM {store}.unpublished), (SELECT count(*) FROM {store}.waiting_events), "
            f"coalesce(round(extract(epoch FROM max(recorded_at) - clock_timestamp())), 0) FROM {store}.outbox"
        )
        if rows is None:
            complain(f"The tables of {store} are not as its program needs them.", f"deploy/dev up migrates them; see deploy/dev logs {store}.")
            continue
        depth, age, refused, waiting, ahead = (int(float(value)) for value in rows[0])
        if age > WAITED_SECONDS:
            complain(f"{depth} events of {store} have not been told for up to {age} s.", f"Is RabbitMQ there and free to take them? See deploy/dev logs {store}.")
        if refused:
            complain(f"The broker refused {refused} events of {store}.", f"SERVICE={store} deploy/dev dead-letters list shows why; replay or drop them.")
        if waiting:
            complain(f"{waiting} events wait in {store} for a release that knows them.", f"Normal during an upgrade; SERVICE={store} deploy/dev dead-letters list shows them.")
        if ahead > AHEAD_SECONDS:
            complain(f"The clock is {ahead} s behind what {store} has written: it was set back.", "Let a time service (chrony) keep it; ids wait until the time is reached again.")
    if psql("SELECT since FROM search.term_upgrades"):
        complain("Search looks for what was written before an update as the release before did, which is slower.", "When all processes are of this release: deploy/dev rebuild search")
    moment = psql("SELECT extract(epoch FROM clock_timestamp())")
    if moment and abs(float(moment[0][0]) - time.time()) > AHEAD_SECONDS:
        complain("The database's clock and this machine's differ by more than five seconds.", "Let a time service (chrony) keep both.")


def check_broker():
    done = subprocess.run(
        [ROOT / "deploy/scripts/control", "rabbitmqctl", "list_queues", "--formatter", "json", "name", "messages", "consumers", "durable"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if done.returncode:
        complain("RabbitMQ runs but does not answer.", "See deploy/dev logs rabbitmq.")
        return
    queues = [one for one in json.loads(done.stdout) if one["durable"]]
    for one in queues:
        name, count = one["name"], one["messages"] or 0
        service = name.split(".")[0]
        if name.endswith(".dead"):
            if count:
                complain(
                    f"{count} messages could not be handled and lie in {name}.",
                    f"SERVICE={service} deploy/dev dead-letters list says why; when the cause is gone: SERVICE={service} deploy/dev dead-letters replay",
                )  # fmt: skip
        elif not one["consumers"]:
            complain(f"Nobody takes what lies in {name} ({count} messages).", f"{service} takes it when it reaches the broker: see deploy/dev logs {service}.")
        elif count > QUEUED:
            complain(f"{count} messages wait in {name}.", f"{service} is behind: wait, or see deploy/dev logs {service}.")


def metrics(name):
    """(name, labels, value) of everything that a process measures."""
    found = []
    for line in get(name, "/metrics")[1].splitlines():
        head, _, value = line.rpartition(" ")
        if head and not line.startswith("#"):
            metric, _, labels = head.partition("{")
            found.append((metric, labels.rstrip("}"), float(value)))
    return found


def check_metrics(down):
    names = [name for name in processes() if name not in ENGINES and name not in down]
    seen = {name: metrics(name) for name in names}
    again = None
    relays = defaultdict(int)
    senders = defaultdict(bool)
    reports = 0
    for name, found in seen.items():
        for metric, labels, value in found:
            if metric == "madang_relay_holder":
                relays[name.removesuffix("-2")] += int(value)
            elif metric == "madang_consumer_paused" and value:
                complain(f"{name} takes nothing of {labels}: what it needs for it is away.", "It goes on by itself when the database is there again.")
            elif metric == "madang_broker_connected" and not value:
                complain(f"{name} does not reach the broker.", f"Are its address and password right, and does RabbitMQ run? See deploy/dev logs {name}.")
            elif metric == "madang_broker_blocked" and value:
                complain(f"The broker takes nothing from {name}: it is short of memory or disk.", "Make room; what people do waits in the outboxes meanwhile.")
            elif metric == "madang_gateway_breaker" and value == 2:
                complain(f"{name} does not ask {labels} at the moment: it failed too often.", "It asks again by itself; see the log of that service.")
            elif metric == "madang_auth_issuer_answers" and not value:
                complain(f"{name} got no answer from an issuer ({labels}): nobody can sign in with it.", "Are its address and this machine's way out right? It is asked again by itself.")
            elif metric == "madang_auth_issuers" and not value and name == "auth":
                off.append("signing in with others (MADANG_ISSUERS names no issuer)")
            elif metric == "madang_auth_issuer_pages" and not value and name == "auth":
                off.append(f"the page of an issuer, and giving back what it gave ({labels}: MADANG_ISSUER_APPLE_KEY is missing)")
            elif metric == "madang_mail_on" and not value and name == "auth":
                off.append("mail, and with it setting a forgotten password (MADANG_SMTP_URL names no server)")
            elif metric == "madang_mail_oldest_seconds" and value > 1800:
                complain(
                    f"{name} has had letters for {int(value / 60)} minutes that no server of mail takes.",
                    f"deploy/dev logs {name} says what it said; are its address, user, password and certificate right (deploy/docs/operations.md, Mail)?",
                )  # fmt: skip
            elif metric == "madang_gateway_live" and not value:
                complain(f"{name} hears nothing live: streams and chat get no news.", "It goes on by itself when the broker is there again.")
            elif metric == "madang_push_misconfigured" and value:
                complain(
                    f"{name} may not send by {labels.split(chr(34))[1]}: the provider does not accept the keys or the names of them.",
                    f"deploy/dev logs {name} says what it said; check the files and names (deploy/docs/operations.md, Push).",
                )  # fmt: skip
            elif metric == "madang_media_gif_key_refused" and value:
                provider = labels.split(chr(34))[1]
                complain(
                    f"{name} finds no GIFs at {provider}: it refuses the key.",
                    f"Is MADANG_{provider.upper()}_KEY the one that {provider} gave, and still in force? It is tried again by itself.",
                )  # fmt: skip
            elif metric == "madang_reports_waiting":
                # Each process counts the same ones.
                reports = max(reports, int(value))
            elif metric == "madang_push_senders":
                senders[labels.split('"')[1]] |= value == 1
            elif metric == "madang_database_waiting" and value:
                if again is None:
                    time.sleep(1)
                    again = {other: dict((m, v) for m, _, v in metrics(other)) for other in names}
                if again[name].get("madang_database_waiting"):
                    complain(f"In {name} {int(value)} statements wait for a connection to the database.", "The database is slow or there is more to do than it can: see deploy/dev logs postgres.")
    if reports:
        complain(f"{reports} reports have waited for longer than a day.", "Somebody who moderates looks at them: GET /api/v1/moderation/reports (decision 0028).")
    if senders:
        used, unused = ([name for name in sorted(senders) if senders[name] == wanted] for wanted in (True, False))
        print(f"Push goes out by {', '.join(used) or 'nobody'}{'; without a key: ' + ', '.join(unused) if unused else ''}.")
    for service, count in relays.items():
        if count != 1:
            complain(f"{count} processes of {service} publish its events instead of one.", "It settles within seconds; if not, see its log.")


def main():
    not_in_force = sys.stdin.read().splitlines()
    check_disk()
    check_secrets()
    down = check_processes()
    if "postgres" not in down:
        check_database()
    if "rabbitmq" not in down:
        check_broker()
    check_readiness(down)
    check_metrics(down)
    check_in_force(not_in_force)
    if off:
        print(f"Off: {'; '.join(off)}.")
    if not wrong:
        print(f"Nothing is wrong: {len(processes())} processes run, and all are ready.")
        return 0
    for what, remedy in wrong:
        print(f"- {what}\n  {remedy}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
