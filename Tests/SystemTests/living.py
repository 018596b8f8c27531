# SPDX-License-Identifier: Apache-2.0
"""Which processes serve the tests, so that a test can say that none of them ended."""

import os
import pathlib

import people

ROOT = pathlib.Path(__file__).resolve().parents[2]


def table(name):
    """The lines of a file under deploy/scripts, in words."""
    return [line.split() for line in (ROOT / "deploy/scripts" / name).read_text().splitlines() if not line.startswith("#")]


STORES = [name for name, *_ in table("services")]
SERVICES = [*STORES, "gateway"]


def ports():
    """How far everything's port is from the gateway's."""
    found = {name: int(offset) for name, offset in table("ports")}
    for name, first, second, *_ in table("services"):
        found |= {name: int(first), f"{name}-2": int(second)}
    return found


def pids():
    """The ids of Madang's own processes by name; MADANG_RUN names the folder in which their supervisors keep them."""
    places = [os.environ["MADANG_RUN"]] if "MADANG_RUN" in os.environ else [ROOT / ".madang" / "run"]
    found = {
        path.stem: int(path.read_text())
        for place in places
        for path in pathlib.Path(place).glob("*.pid")
        if path.stem.removesuffix("-2") in SERVICES
    }
    assert set(SERVICES) <= set(found), f"no processes under {places}: MADANG_RUN must name the run folder of {people.BASE_URL}"
    for name, pid in found.items():
        os.kill(pid, 0)
    return found
