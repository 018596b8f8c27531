# SPDX-License-Identifier: Apache-2.0
"""Both processes of auth are killed while somebody new is between an issuer and their username."""

import json
import pathlib
import sys
import urllib.error
import urllib.request

from stack import Failed, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "SystemTests"))
import issuers

PEOPLE = 3


def post(stack, path, body):
    request = urllib.request.Request(
        stack.base_urls[0] + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def insist(stack, path, body):
    """Asks again while auth is still away for a gateway; `body` makes a body for each time."""
    answers = []

    def is_answered():
        answers.append(post(stack, path, body()))
        return answers[-1][0] < 500

    wait_until(is_answered, 60, f"{path} is answered")
    return answers[-1]


def killed(stack, options):
    """What an issuer says once and what somebody holds until they have a username outlive every process; an account is made once."""
    if not issuers.PLACE:
        raise Failed("MADANG_TEST_ISSUER names no place for an issuer")
    names = [f"k{options.random.randrange(1 << 40):x}" for _ in range(PEOPLE)]
    with issuers.Issuers() as others:
        held = {}
        for name in names:
            status, told = insist(
                stack, "/api/v1/sessions/company", lambda name=name: {"id_token": others.token("company", name, name="Ada Lovelace")}
            )
            if status != 202:
                raise Failed(f"a first sign-in was answered {status}: {told}")
            held[name] = told["registration_token"]
        copies = stack.copies("auth")
        before = {name: stack.pid(name) for name in copies}
        for name in copies:
            stack.kill(name)
        wait_until(lambda: all(stack.is_new(name, before[name]) for name in copies), 60, "auth began anew")
        stack.wait_ready(*copies)
        for name in names:
            # Without the name this time.
            status, told = insist(stack, "/api/v1/sessions/company", lambda name=name: {"id_token": others.token("company", name)})
            if status != 202 or told["name"] != "Ada Lovelace":
                raise Failed(f"what was told once is lost: {status} {told}")
            wish = {"registration_token": held[name], "username": name, "agreement": True}
            status, told = insist(stack, "/api/v1/sessions/company/account", lambda wish=wish: wish)
            if status != 200:
                raise Failed(f"signing up went on with {status}: {told}")
            again, _ = post(stack, "/api/v1/sessions/company/account", wish | {"username": name + "b"})
            if again != 410:
                raise Failed(f"a second account was answered {again}")
    return True, f"{PEOPLE} people went on after {len(copies)} kills"
