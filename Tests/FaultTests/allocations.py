# SPDX-License-Identifier: Apache-2.0
"""What a request asks of the allocator, against what it asked when the budgets were written (L17).

MADANG_WRITE_FIXTURES=1 writes allocations.json anew, for the configuration of the programs that run.
"""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

from client import Client
from stack import SERVICES, Failed
from traffic import Traffic

HERE = pathlib.Path(__file__).parent
BUDGETS = HERE / "allocations.json"
WARM, COUNTED = 100, 400
SLACK = 1.1


def budgets(stack, options):
    """L17: allocations of five requests, each in the gateway and in the service behind it, within a tenth of their budgets."""
    configuration = os.environ.get("MADANG_CONFIGURATION", "release")
    reader, paths = prepare(stack, options)
    with counted(stack) as allocations:
        found = {name: allocations(reader, path, ("gateway", service)) for name, (service, path) in paths.items()}
    known = json.loads(BUDGETS.read_text()) if BUDGETS.exists() else {}
    if os.environ.get("MADANG_WRITE_FIXTURES"):
        known[configuration] = {name: {process: round(count) for process, count in counts.items()} for name, counts in found.items()}
        BUDGETS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    wanted = known.get(configuration)
    if not wanted:
        raise Failed(f"allocations.json has no budgets of {configuration} programs")
    over = [
        f"{name} in {process} {count:.0f} of {wanted.get(name, {}).get(process)}"
        for name, counts in found.items()
        for process, count in counts.items()
        if count > wanted.get(name, {}).get(process, 0) * SLACK
    ]
    shown = ", ".join(f"{name} " + "+".join(f"{count:.0f}" for count in counts.values()) for name, counts in found.items())
    return not over, f"allocations a request ({configuration}): {shown}; over budget: {over or 0}"


def prepare(stack, options):
    """Somebody who reads; by name the service and the path of requests whose answers are as long in every run."""
    traffic = Traffic(stack, options.random).prepare()
    traffic.run(50, count=240)
    stack.wait_quiet()
    reader = Client(stack.base_urls[0], traffic.accounts[traffic.names[0]].token)
    paths = {
        "home": ("posts", "/api/v1/timelines/home?limit=15"),
        "post": ("posts", f"/api/v1/statuses/{traffic.roots[traffic.names[1]]}"),
        "self": ("posts", "/api/v1/accounts/verify_credentials"),
        "notifications": ("notifications", "/api/v1/notifications?limit=5"),
        "messages": ("chat", f"/api/v1/channels/{traffic.channel}/messages?limit=40"),
    }
    for name, count in (("home", 15), ("notifications", 5), ("messages", 40)):
        if len(reader.insist("GET", paths[name][1])[0]) != count:
            raise Failed(f"{paths[name][1]} is not full")
    return reader, paths


def ask(reader, path, times):
    for _ in range(times):
        reader.call("GET", path)


@contextlib.contextmanager
def counted(stack):
    """One process of each service, whose allocations are counted."""
    library = stack.state / "allocations.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, HERE / "allocations.c"], check=True)
    counts = stack.state / "allocations"

    def total(processes):
        return [int.from_bytes(pathlib.Path(f"{counts}.{stack.pid(name)}").read_bytes(), sys.byteorder) for name in processes]

    def allocations(reader, path, processes):
        """By process, what one of many requests takes beyond what the process does anyway."""
        ask(reader, path, WARM)
        idle = rates(processes, lambda: time.sleep(1))
        began = time.monotonic()
        busy = rates(processes, lambda: ask(reader, path, COUNTED))
        seconds = time.monotonic() - began
        return {name: (busy[name] - idle[name]) * seconds / COUNTED for name in processes}

    def rates(processes, act):
        """Allocations a second while `act` runs."""
        began, before = time.monotonic(), total(processes)
        act()
        after, seconds = total(processes), time.monotonic() - began
        return {name: (now - then) / seconds for name, then, now in zip(processes, before, after)}

    stack.stop(*stack.services)
    stack.start(*SERVICES, LD_PRELOAD=str(library), MADANG_ALLOCATIONS=str(counts))
    try:
        stack.wait_ready(*SERVICES)
        yield allocations
    finally:
        stack.stop(*SERVICES)
        for file in stack.state.glob("allocations.*"):
            file.unlink()
        stack.start(*stack.services)
        stack.wait_ready()
