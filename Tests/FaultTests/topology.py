# SPDX-License-Identifier: Apache-2.0
"""deploy/rabbitmq/apply.sh on a running broker that has the topology of an older release."""

import json
import urllib.parse

from shortages import management
from stack import wait_until
from traffic import Traffic


def declared(stack):
    """What the definitions of this release say, and what the broker has of it, in the same words."""
    said = json.loads((stack.state / "secrets/rabbitmq/definitions.json").read_text())
    has = management(stack, "GET", "definitions")
    names = {one["name"] for one in said["exchanges"] + said["queues"]}

    def words(document):
        return {
            "bindings": {(one["source"], one["routing_key"], one["destination"]) for one in document["bindings"] if one["source"] in names},
            "queues": {(one["name"], one["durable"], json.dumps(one["arguments"], sort_keys=True)) for one in document["queues"] if one["name"] in names},
            "exchanges": {(one["name"], one["type"], one["durable"]) for one in document["exchanges"] if one["name"] in names},
            "policies": {(one["name"], one["pattern"], json.dumps(one["definition"], sort_keys=True)) for one in document["policies"]},
            "permissions": {
                (one["user"], one["configure"], one["write"], one["read"])
                for one in document["permissions"] if one["user"] != "madang-tests"
            },
        }  # fmt: skip

    return words(said), words(has)


def apply_topology(stack, options):
    """The older topology lacks a queue, a binding and a right, and has a binding, a policy and messages of its own."""
    wanted, found = declared(stack)
    clean_before = wanted == found
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    stack.wait_quiet()
    # With nobody there to take it, so that what waits can be counted.
    consumers = stack.copies("notifications")
    stack.stop(*consumers)
    traffic.run(options.rate or 20, count=20)
    wait_until(lambda: (stack.queues() or {}).get("notifications.activity", (0, 0))[0] >= 20, 60, "twenty events in a queue", 0.3)
    waiting = stack.queues()["notifications.activity"][0]

    def binding(verb, key, queue):
        place = f"bindings/%2F/e/events/q/{queue}"
        management(stack, verb, place if verb == "POST" else f"{place}/{urllib.parse.quote(key, safe='')}", {"routing_key": key} if verb == "POST" else None)

    binding("DELETE", "posts.PostEdited.v1", "notifications.activity")
    binding("POST", "posts.AccountMuted.v0", "notifications.chat")
    management(stack, "DELETE", "queues/%2F/chat.dead")
    management(stack, "DELETE", "policies/%2F/posts%20queues")
    management(stack, "PUT", "permissions/%2F/posts", {"configure": "", "write": "", "read": ""})
    _, old = declared(stack)
    steps = []
    for _ in range(2):
        stack.control("topology")
        wanted, found = declared(stack)
        wrong = [kind for kind in wanted if wanted[kind] != found[kind]]
        steps.append(", ".join(f"{kind} {wanted[kind] ^ found[kind]}"[:300] for kind in wrong) or "as declared")
    kept = stack.queues()["notifications.activity"][0]
    stack.start(*consumers)
    stack.wait_ready(*consumers)
    stack.wait_quiet(120)
    clean, dead = traffic.verdicts(("posts", "notifications", "homes")), stack.dead_letters()
    passed = clean_before and old != wanted and steps == ["as declared"] * 2 and kept >= waiting and clean and not dead
    return passed, f"before {'as declared' if clean_before else 'NOT as declared'}, applied twice: {steps}, {kept}/{waiting} messages kept, dead {dead}/0"
