# SPDX-License-Identifier: Apache-2.0
"""The statements that a service runs for a request, as the database logs them, run again by pgbench."""

import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import threading
import time

# Of each pair; the middle one counts.
ROUNDS = 3


def middle(values):
    return sorted(values)[len(values) // 2]


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Session:
    """A session of psql that stays open, one for each thread."""

    def __init__(self, schema):
        self.schema, self.own = schema, threading.local()

    def run(self, command):
        """Returns when the command has ended; ends the bench where it failed."""
        if not hasattr(self.own, "psql"):
            self.own.psql = subprocess.Popen(
                ["psql", "--no-psqlrc", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", "madang", "-f", "-"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "PGOPTIONS": f"-c search_path={self.schema}"},
            )
        psql = self.own.psql
        psql.stdin.write(f"{command};\n\\echo done\n")
        psql.stdin.flush()
        for line in psql.stdout:
            if line == "done\n":
                return
        raise SystemExit(f"{self.schema}: {command} failed")


class SameSQL:
    """Of one service: `schema` is its own."""

    def __init__(self, pgbench, postgres_log, schema):
        self.pgbench, self.log, self.schema = pgbench, pathlib.Path(postgres_log), schema

    def psql(self, *commands):
        arguments = [part for command in commands for part in ("-c", command)]
        return subprocess.run(
            ["psql", "--no-psqlrc", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", "madang", *arguments],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PGOPTIONS": f"-c search_path={self.schema}"},
        ).stdout

    def statements_of(self, request, pattern):
        """A script of the statements that match during a request, with its values."""
        # Values are not logged otherwise.
        logged = {"log_statement": "all", "log_parameter_max_length": "-1", "log_error_verbosity": "default"}
        self.psql(*[f"ALTER SYSTEM SET {name} = '{value}'" for name, value in logged.items()], "SELECT pg_reload_conf()")
        time.sleep(0.5)
        start = self.log.stat().st_size
        request()
        time.sleep(0.5)
        self.psql(*[f"ALTER SYSTEM RESET {name}" for name in logged], "SELECT pg_reload_conf()")
        with self.log.open() as file:
            file.seek(start)
            text = file.read()
        # An entry goes on in lines that begin with a tab.
        entries = re.findall(r"execute [^:]*: (.*(?:\n\t.*)*)\n(?:.*DETAIL: +[Pp]arameters: (.*(?:\n\t.*)*))?", text)
        entries = [entry for entry in entries if re.search(pattern, entry[0])]
        if not entries:
            raise SystemExit(f"{self.schema}: no statement was logged that matches {pattern}")
        return "".join(script(place, *entry) for place, entry in enumerate(entries))

    def rate(self, script, clients, seconds):
        """How often a second the script runs."""
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(script)
            file.flush()
            said = subprocess.run(
                [self.pgbench, "-n", "-M", "prepared", "-f", file.name, "-c", str(clients), "-j", "2", "-T", str(seconds), "madang"],
                capture_output=True,
                text=True,
                # Planned once for all values, as the services' statements are.
                env={**os.environ, "PGOPTIONS": f"-c search_path={self.schema} -c plan_cache_mode=force_generic_plan"},
            )
        found = re.search(r"^tps = ([0-9.]+)", said.stdout, re.MULTILINE)
        if not found:
            raise SystemExit(f"{self.schema}: pgbench said {said.stderr[-800:]}")
        return float(found[1])

    def beside(self, request, script, cpu, workers, seconds):
        """How fast a request is answered and its statements run, in turns, because what else runs on the machine moves single runs.

        `cpu` says how many seconds of processor time the stack has used."""
        rates, raw, moments, spent, spent_raw, runs = [], [], [], 0.0, 0.0, 0

        def insist(end):
            while time.monotonic() < end:
                began = time.monotonic()
                request()
                moments.append(1000 * (time.monotonic() - began))

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for _ in range(ROUNDS):
                asked, began, before = len(moments), time.monotonic(), cpu()
                list(pool.map(insist, [began + seconds] * workers))
                rates.append((len(moments) - asked) / (time.monotonic() - began))
                spent += cpu() - before
                before, clients = cpu(), cpu_of_children()
                raw.append(self.rate(script, workers, seconds))
                time.sleep(1)  # What a session used counts once it has ended.
                spent_raw += cpu() - before + cpu_of_children() - clients
                runs += raw[-1] * seconds
        count = script.count(";\n")
        return (
            f"{workers} at a time: {middle(rates):.0f}/s, p50 {share(moments, 0.5):.1f} ms, p99 {share(moments, 0.99):.1f} ms, "
            f"{1000 * spent / len(moments):.2f} ms CPU; the same SQL ({count} statement{'s' * (count != 1)}) through pgbench "
            f"{middle(raw):.0f}/s, {1000 * spent_raw / runs:.2f} ms CPU, client and server; ratio of rates "
            f"{middle([ours / theirs for ours, theirs in zip(rates, raw)]):.2f}, of CPU {spent / len(moments) * runs / spent_raw:.2f}"
        )


def cpu_of_children():
    """Processor seconds of those that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def script(place, sql, parameters):
    """One statement: numbers stay parameters, so that it is planned as the service's own; pgbench has no others."""
    numbers = []
    for number, value in sorted(re.findall(r"\$(\d+) = ('(?:[^']|'')*'|NULL)", parameters), key=lambda each: -int(each[0])):
        if re.fullmatch(r"'-?\d+'", value):
            numbers.append(f"\\set p{place}_{number} {value.strip(chr(39))}\n")
            value = f":p{place}_{number}"
        elif re.fullmatch(r"'\{[-\d,]*\}'", value):
            value += "::bigint[]"
        elif ":" in value:
            # What follows a colon would be the name of a parameter.
            moment = re.match(r"'\d{4,}-\d\d-\d\d[ T]\d\d:", value)
            value = "(" + value.replace(":", "' || chr(58) || '") + ")" + ("::timestamptz" if moment else "")
        sql = re.sub(rf"\${number}\b", lambda _, value=value: value, sql)
    return "".join(numbers) + " ".join(re.sub(r"--.*", "", sql).split()) + ";\n"
