# SPDX-License-Identifier: Apache-2.0
"""What an operator does at the command line, and what people notice of it."""

import os
import pathlib
import subprocess
import urllib.parse

import people
from living import ROOT
from pages import Browser
from test_sign_in import authorize_address, exchange
from waiting import eventually


def dev(*arguments):
    """deploy/dev on the stack that runs, from a shell that was set up for programs built otherwise."""
    run = pathlib.Path(os.environ.get("MADANG_RUN", ROOT / ".madang/run"))
    started = (run.parent / "configuration").read_text().strip()
    settings = {name: value for name, value in os.environ.items() if not name.startswith("MADANG_")}
    settings |= {
        "MADANG_STATE": str(run.parent), "MADANG_PORT": str(urllib.parse.urlsplit(people.BASE_URL).port),
        "MADANG_CONFIGURATION": "debug" if started == "release" else "release",
    }  # fmt: skip
    return subprocess.run([ROOT / "deploy/dev", *arguments], env=settings, capture_output=True, text=True, timeout=120)


def administered(name, verb, *role):
    done = dev("admin", verb, name, *role)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_other_commands_go_by_the_programs_that_run():
    done = dev("doctor")
    assert "built anew" not in done.stdout and "No such file" not in done.stderr, done.stdout + done.stderr


def test_who_may_administer_no_longer_cannot_within_a_second():
    person = people.member("boss")
    scopes = "read admin:read"
    app = people.Api().post(
        "/api/v1/apps", data={"client_name": "Desk", "redirect_uris": people.OUT_OF_BAND, "scopes": "read admin"}
    ).json()  # fmt: skip
    assert administered(person.name, "promote") == f"{person.name} is now admin"
    browser = Browser(people.BASE_URL).authorize(authorize_address(app, people.OUT_OF_BAND, scope=scopes), person)
    token = exchange(app, browser.code, people.OUT_OF_BAND).json()
    assert token["scope"] == scopes
    desk = people.Api(token["access_token"])
    own = desk.get("/api/v1/accounts/verify_credentials").json()
    assert own["role"] == {"id": "2", "name": "Admin", "color": "", "permissions": "1048575", "highlighted": False}
    assert desk.post("/api/v1/statuses", data={"status": "x"}).status_code == 403

    assert administered(person.name, "demote") == f"{person.name} is now user"
    eventually(lambda: desk.get("/api/v1/accounts/verify_credentials").status_code == 401, "the token ends", seconds=1)
    # The other apps stay.
    assert person.http.get("/api/v1/accounts/verify_credentials").json()["role"]["permissions"] == "0"
    assert administered(person.name, "demote") == f"{person.name} was already user"
    assert dev("admin", "demote", "nobody_at_all").returncode != 0
    for verb, role in (("demote", "admin"), ("promote", "user"), ("promote", "emperor")):
        assert dev("admin", verb, person.name, role).returncode != 0, f"{verb} to {role}"
    assert person.http.get("/api/v1/accounts/verify_credentials").json()["role"]["permissions"] == "0"
