# SPDX-License-Identifier: Apache-2.0
"""Posts and chat are killed while leaders take people into their projects: who is in a project is in its playground, nobody twice."""

import concurrent.futures
import secrets
import threading
import time
import urllib.parse

from client import Refused, sign_up
from outages import length
from stack import Failed, wait_until

PEOPLE, PROJECTS = 40, 5


def killed(stack, options):
    """SIGKILL of posts and chat at random while 200 applications are accepted and some people go out of the playgrounds again."""
    tag = secrets.token_hex(4)
    names = [f"leader_{tag}"] + [f"p{number}_{tag}" for number in range(PEOPLE)]
    clients = sign_up(stack.base_urls[0], names)
    for client in clients.values():
        client.base_urls = stack.base_urls
    leader, people = clients[names[0]], [clients[name] for name in names[1:]]
    wanted = {"publish": "true", "roles[0][name]": "iOS", "roles[0][wanted]": str(PEOPLE)}
    projects = [leader.insist("POST", "/api/v1/projects", {"title": f"마당 {number} {tag}", **wanted})[0] for number in range(PROJECTS)]
    pairs = [(project, person) for project in projects for person in people]
    with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:
        applications = list(pool.map(lambda pair: applied(*pair), pairs))
    done, in_flight, hits, kills = threading.Event(), set(), 0, 0
    rate = options.rate or len(pairs) / length(options, 40, 15)
    began, lock = time.monotonic(), threading.Lock()

    def accept(number):
        time.sleep(max(0, began + number / rate - time.monotonic()))
        with lock:
            in_flight.add(number)
        try:
            answer, _ = leader.insist("POST", f"/api/v1/applications/{applications[number]}/accept", {})
            return answer["state"]
        finally:
            with lock:
                in_flight.discard(number)

    def leave(number):
        """Somebody goes out of a playground once they are in it."""
        project, person = pairs[number]

        def out():
            shown, _ = person.insist("GET", f"/api/v1/projects/{project['id']}")
            if not shown["member"]:
                # By an act of which nobody heard.
                return True
            if not shown["playground_id"]:
                return False
            try:
                person.insist("POST", f"/api/v1/playgrounds/{shown['playground_id']}/leave", {})
                return True
            except Refused as refusal:
                # Not in yet; or out already, which the project does not know yet.
                if refusal.status != 404:
                    raise
                return False

        wait_until(out, 120, "somebody out of a playground", 0.3)

    def work():
        try:
            with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:
                states = list(pool.map(accept, range(len(pairs))))
            going = options.random.sample(range(len(pairs)), 10)
            with concurrent.futures.ThreadPoolExecutor(max_workers=10) as pool:
                list(pool.map(leave, going))
            return states, {(pairs[number][0]["id"], number % PEOPLE) for number in going}
        finally:
            done.set()

    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        worker = pool.submit(work)
        while not done.wait(options.random.uniform(0.3, 1.2)):
            name = options.random.choice(stack.copies("posts") + stack.copies("chat"))
            hits += bool(in_flight)
            kills += stack.kill(name) is not None
        states, gone = worker.result()
    stack.wait_ready(*stack.copies("posts"), *stack.copies("chat"))
    stack.wait_quiet(180)
    if not hits:
        raise Failed("not exercised: no kill came while an application was being accepted")
    identities = [person.insist("GET", "/api/v1/accounts/verify_credentials")[0]["id"] for person in people]
    own = leader.insist("GET", "/api/v1/accounts/verify_credentials")[0]["id"]
    wrong, twice, absent = 0, 0, 0
    for project in projects:
        expected = {own} | {identity for number, identity in enumerate(identities) if (project["id"], number) not in gone}
        shown, _ = leader.insist("GET", f"/api/v1/projects/{project['id']}")
        members = [each["account"]["id"] for each in leader.pages(f"/api/v1/projects/{project['id']}/members")]
        room = [each["id"] for each in leader.pages(f"/api/v1/playgrounds/{shown['playground_id']}/members?{urllib.parse.urlencode({'limit': 200})}")]
        wrong += set(members) != expected or set(room) != expected
        twice += len(members) - len(set(members)) + len(room) - len(set(room))
        absent += len(expected - set(room)) + len(set(room) - expected)
    dead = stack.dead_letters()
    passed = states == ["accepted"] * len(pairs) and not wrong and not twice and not dead
    return passed, (
        f"{len(pairs)} acceptances at {rate:.0f}/s, {len(gone)} went again, {kills} kills of posts and chat, {hits} with one in flight; "
        f"projects whose members differ {wrong}/0, people too many or too few {absent}/0, twice {twice}/0, dead letters {dead or 0}"
    )


def applied(project, person):
    """The id of the person's application to the project, made once."""
    form = {"role_id": project["roles"][0]["id"], "message": "me!"}
    try:
        return person.insist("POST", f"/api/v1/projects/{project['id']}/applications", form)[0]["id"]
    except Refused as refusal:
        # It was made by a request of which nobody heard.
        if refusal.status != 409:
            raise
        own = person.pages("/api/v1/applications?state=open")
        return next(each["id"] for each in own if each["project"]["id"] == project["id"])
