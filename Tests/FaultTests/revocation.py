# SPDX-License-Identifier: Apache-2.0
"""Tokens are revoked while their sockets are open (S5)."""

import asyncio
import itertools
import statistics
import time

from client import sign_up
from sockets import Connection, Refused
from stack import Failed

PEOPLE = 20
# DESIGN 7: a revoked token is dropped within a second of the event; S5 gives every stream five.
MEDIAN, SLOWEST = 1, 5


def tokens(stack, options):
    """S5: sockets at every gateway end soon after their token was revoked at another, and nobody comes back with it."""
    name = f"s5{options.random.randrange(1 << 32):x}"
    people = sign_up(stack.base_urls[0], [f"{name}n{number}" for number in range(PEOPLE)]).values()
    ends = asyncio.run(revoke_all(stack, list(people)))
    median, slowest = statistics.median(ends), max(ends)
    passed = median <= MEDIAN * options.slack and slowest <= SLOWEST * options.slack
    return passed, f"{len(ends)} sockets ended {median * 1000:.0f} ms (median) and {slowest * 1000:.0f} ms (slowest) after the answer"


async def revoke_all(stack, people):
    """Seconds from the answer to a revocation until the socket's end, by socket."""
    gateways = itertools.cycle(stack.base_urls)
    sockets = [(person, await Connection.open(next(gateways), {"token": person.token}, lambda *_: None)) for person in people]
    ends = []
    for person, socket in sockets:
        form = {"client_id": person.app["client_id"], "client_secret": person.app["client_secret"], "token": person.token}
        await asyncio.to_thread(person.insist, "POST", "/oauth/revoke", form)
        answered = time.monotonic()
        try:
            await asyncio.wait_for(asyncio.shield(socket.closed), 60)
        except TimeoutError as error:
            raise Failed("a socket outlived its token by a minute") from error
        ends.append(time.monotonic() - answered)
        for gateway in stack.base_urls:
            # Each hears of it by itself, so one may be a moment behind the other: what it lets in by then ends as the first did.
            try:
                late = await Connection.open(gateway, {"token": person.token}, lambda *_: None)
            except Refused:
                continue
            try:
                await asyncio.wait_for(asyncio.shield(late.closed), 60)
            except TimeoutError as error:
                raise Failed("a revoked token opened a socket that stays") from error
            ends.append(time.monotonic() - answered)
            try:
                await Connection.open(gateway, {"token": person.token}, lambda *_: None)
            except Refused:
                continue
            raise Failed("a revoked token opened a socket where it had been dropped")
    return ends
