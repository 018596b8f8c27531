# SPDX-License-Identifier: Apache-2.0
"""Search is away, or killed: nothing else suffers, and what was written meanwhile is found when it is back."""

import secrets
import time
import urllib.parse

from client import Away, Refused, sign_up
from stack import wait_until


def search_down(stack, options):
    """Search is killed while people post, then away altogether: posting goes on, a search says when to come again, and every post is found in the end."""
    word = "".join(secrets.choice("가나다라마바사아자차카타파하") for _ in range(8))
    name = f"finder{secrets.token_hex(4)}"
    client = sign_up(stack.base_urls[0], [name])[name]
    written, slowest = set(), 0.0

    def write(count):
        nonlocal slowest
        for _ in range(count):
            began = time.monotonic()
            status, _ = client.call("POST", "/api/v1/statuses", {"status": f"{word} {len(written)}"})
            written.add(status["id"])
            slowest = max(slowest, time.monotonic() - began)

    def found(limit=40):
        ids, offset = set(), 0
        while True:
            query = urllib.parse.urlencode({"q": word, "type": "statuses", "limit": limit, "offset": offset})
            answer, _ = client.call("GET", f"/api/v2/search?{query}")
            page = {status["id"] for status in answer["statuses"]}
            if not page:
                return ids
            ids |= page
            offset += limit

    def quietly():
        try:
            return found()
        except (Away, Refused):
            return set()

    copies = stack.copies("search")
    for name in copies:
        write(10)
        stack.kill(name)
        write(10)
    stack.wait_ready(*copies)
    wait_until(lambda: quietly() == written, 60, "every post found after the kills")
    stack.stop(*copies)
    write(20)
    told = None
    try:
        client.call("GET", "/api/v2/search?q=a")
    except (Away, Refused) as refusal:
        told = str(refusal)
    stack.start(*copies)
    stack.wait_ready(*copies)
    began = time.monotonic()
    wait_until(lambda: quietly() == written, 60, "every post found after the outage")
    back = time.monotonic() - began
    stack.wait_quiet()
    passed = told is not None and slowest <= 1 * options.slack and back <= 10 * options.slack and not stack.dead_letters()
    return passed, f"{len(written)} posts all found, {back:.1f}/10 s after search was back, slowest post {slowest:.2f}/1 s, a search meanwhile: {told}"
