# SPDX-License-Identifier: Apache-2.0
"""The `toot` command, as a person uses it in a terminal."""

import os
import pathlib
import re
import select
import subprocess
import sys
import threading

import pytest

import people
from pages import Browser
from waiting import eventually

TOOT = str(pathlib.Path(sys.executable).with_name("toot"))


class Terminal:
    """A person's toot, with a configuration of its own."""

    def __init__(self, person, folder):
        self.person = person
        # Only to `true`: no browser is to open by itself.
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "BROWSER": "true", "NO_COLOR": "1"}

    def run(self, *arguments, text=None):
        done = subprocess.run(
            [TOOT, "--no-color", *arguments], env=self.environment, input=text, capture_output=True, text=True,
            timeout=60,
        )
        assert done.returncode == 0, f"toot {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done.stdout

    def log_in(self):
        """`toot login`: opens the address that it prints, and types in the code that the page shows."""
        toot = subprocess.Popen(
            [TOOT, "login", "--instance", people.BASE_URL], env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        watchdog = threading.Timer(60, toot.kill)
        watchdog.start()
        try:
            said = self._read_until(toot, r"https?://\S+/oauth/authorize\S+\s")
            address = re.search(r"https?://\S+/oauth/authorize\S+", said)[0]
            browser = Browser(people.BASE_URL).authorize(address, self.person)
            assert browser.code, browser.text[:300]
            said, _ = toot.communicate(f"n\n{browser.code}\n".encode())
            assert toot.returncode == 0, said.decode()
        finally:
            watchdog.cancel()
            toot.kill()

    @staticmethod
    def _read_until(process, pattern):
        said = ""
        while not re.search(pattern, said):
            select.select([process.stdout], [], [], 60)
            chunk = os.read(process.stdout.fileno(), 4096).decode()
            assert chunk, f"toot ended: {said}"
            said += chunk
        return said


@pytest.fixture
def terminal(tmp_path, newcomer):
    terminal = Terminal(newcomer, tmp_path)
    terminal.log_in()
    return terminal


def test_toot(terminal, another):
    person = terminal.person
    assert person.name in terminal.run("auth")
    assert person.name in terminal.run("whoami")
    terminal.run("instance")

    terminal.run("post", "From a terminal #madangtoot")
    [post] = person.http.get(f"/api/v1/accounts/{person.id}/statuses").json()
    assert "From a terminal" in terminal.run("timelines", "account", "--no-pager", person.name)

    another.client.status_reply(another.client.status(post["id"]), "Read in a browser")
    eventually(lambda: "Read in a browser" in terminal.run("notifications"), "the reply is told")

    terminal.run("post", "--reply-to", post["id"], "And answered there")
    assert "And answered there" in terminal.run("thread", post["id"])
    terminal.run("favourite", post["id"])
    terminal.run("reblog", post["id"])
    terminal.run("bookmark", post["id"])

    def home():
        return terminal.run("timelines", "home", "--no-pager")

    eventually(lambda: "And answered there" in home(), "it is in the home timeline")
    assert "From a terminal" in terminal.run("timelines", "public", "--no-pager", "--local")
    terminal.run("pin", post["id"])
    [pinned] = person.http.get(f"/api/v1/accounts/{person.id}/statuses?pinned=true").json()
    assert pinned["id"] == post["id"] and pinned["pinned"] is True
    terminal.run("unpin", post["id"])
    assert person.http.get(f"/api/v1/accounts/{person.id}/statuses?pinned=true").json() == []
    terminal.run("delete", post["id"])
    terminal.run("notifications", "--clear")
    assert "Read in a browser" not in terminal.run("notifications")
