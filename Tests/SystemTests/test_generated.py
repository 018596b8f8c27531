# SPDX-License-Identifier: Apache-2.0
"""Thousands of generated requests over every route: no answer is a failure of ours, every refusal says so in the usual shape.

    pytest test_generated.py --requests 50000        as deploy/dev fuzz does; MADANG_TEST_SEED brings a run back
"""

import collections
import http.client
import json
import urllib.parse

import generating
import living
import people

STALE = 12  # answers 401 in a row, after which a person is somebody new


class Caller:
    """One person, or nobody, over one connection that is kept."""

    def __init__(self, name, token):
        self.name, self.token = name, token
        self.refused = 0
        self.connection = None

    def send(self, method, path, headers, body):
        """Status, headers and body. One request on a kept connection may meet its end, and is sent once more."""
        url = urllib.parse.urlsplit(people.BASE_URL)
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
            fresh = self.connection.sock is None
            try:
                self.connection.request(method, path, body=body, headers={**self.authorization(), **headers})
                answer = self.connection.getresponse()
                if answer.getheader("Content-Type", "").startswith("text/event-stream") and answer.status == 200:
                    # Without an end.
                    self.close()
                    return answer.status, answer.headers, b""
                return answer.status, answer.headers, answer.read()
            except (http.client.HTTPException, ConnectionError):
                self.close()
                if fresh or attempt == 2:
                    raise

    def close(self):
        self.connection.close()
        self.connection = None

    def authorization(self):
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def fault(method, path, status, headers, body):
    """What is wrong with an answer, or None."""
    if status >= 500 or status < 200:
        return "a failure of ours"
    if status < 400:
        return None
    plain = path.split("?")[0]
    if "json" not in headers.get("Content-Type", ""):
        pages = ("/auth/", "/oauth/authorize", "/assets", "/v1/assets", "/socket.io", "/terms-of-service", "/appeal")
        return None if plain == "/" or plain.startswith(pages) else f"no problem, but {headers.get('Content-Type')}"
    said = json.loads(body)
    if plain.startswith("/v1/"):
        # A target that cannot be read or is too long is nobody's: it is refused before it is known whose it might be.
        is_unread = (status, said.get("code")) in ((400, "bad-request"), (414, "uri-too-long"))
        if plain.startswith(("/v1/gifs", "/v1/stickers", "/v1/text", "/v1/randomid", "/v1/trending/searches", "/v1/tags/related")):
            return None if is_unread or said.get("meta", {}).get("status") == status else "no problem of GIPHY"
        return None if "errorCode" in said or is_unread else "no problem of Buddy Buddy"
    if plain.startswith("/socket.io"):
        return None if {"code", "message"} <= set(said) or "error" in said else "no problem of Engine.IO"
    if not (isinstance(said.get("error"), str) and said["error"]):
        return "a problem without an error"
    if not plain.startswith("/oauth/") and not (said.get("status") == status and said.get("code") and said.get("request_id")):
        return "a problem without its members"
    text = body.decode().lower()
    return "a cause that nobody should read" if "postgres" in text or "swift" in text or "select " in text else None


def newcomer(generator):
    """Somebody with something of everything, whose ids are known to the generator from the start."""
    person = people.member("gen")

    def ask(method, path, **body):
        answer = person.http.request(method, path, json=body or None)
        assert answer.ok, answer.text
        generator.learn(path, answer.json())
        return answer.json()

    place = ask("POST", "/api/v1/playgrounds", name="A place", open=True)
    channel = ask("POST", f"/api/v1/playgrounds/{place['id']}/channels", name="talk")
    for number in range(3):
        ask("POST", f"/api/v1/channels/{channel['id']}/messages", text=f"Message {number}")
        ask("POST", "/api/v1/statuses", status=f"Post {number} #tea")
    ask("POST", f"/api/v1/playgrounds/{place['id']}/invites", max_uses=5)
    ask("GET", "/api/v1/accounts/verify_credentials")
    return person.token


def test_generated_requests(dice, request):
    wanted = request.config.getoption("--requests")
    generator = generating.Generator(dice)
    assert len(generator.routes) > 200, "the routes were not found in the code"
    named = sum(bool(names) for names in generator.known.values())
    assert named > 100, f"only {named} routes have parameters that were found in the code"
    callers = [Caller("nobody", None), Caller("an app", people.app_token()), Caller("a stranger", "x" * 43)]
    callers += [Caller("a person", newcomer(generator)) for _ in range(5)]
    before = living.pids()
    statuses, wrong = collections.Counter(), []
    for number in range(wanted):
        caller = dice.choices(callers, [1, 1, 1, 6, 6, 6, 6, 6])[0]
        method, path, headers, body = generator.request()
        try:
            status, said, text = caller.send(method, path, headers, body)
        except (OSError, http.client.HTTPException) as error:
            wrong.append(f"{number}: {caller.name} {method} {path[:200]} {headers} {body!r:.300}: {error!r}")
            continue
        statuses[status] += 1
        if found := fault(method, path, status, said, text):
            wrong.append(f"{number}: {caller.name} {method} {path[:300]} {headers} {body!r:.400}: {status} {text[:300]!r}: {found}")
            assert len(wrong) < 20, "\n".join(wrong)
        elif status < 300 and "json" in said.get("Content-Type", ""):
            generator.learn(path, json.loads(text or b"null"))
        if caller.name == "a person":
            caller.refused = caller.refused + 1 if status == 401 else 0
            if caller.refused >= STALE:
                # It ended its own session, or changed its password.
                caller.token, caller.refused = newcomer(generator), 0
    ended = {name for name, pid in living.pids().items() if before[name] != pid}
    print(f"{wanted} requests, {dict(sorted(statuses.items()))}")
    assert not wrong, "\n".join(wrong)
    assert not ended, f"ended: {ended}"
    # A grammar that is only ever refused proves little.
    assert statuses[200] > wanted / 10, statuses
