# SPDX-License-Identifier: Apache-2.0
"""An account that used everything is deleted while processes of every service are killed: afterwards nothing of it is left in any table
of any schema, nor on the disk, and what 24 others have is as it was."""

import re
import secrets
import time
from collections import Counter

from client import Client, Refused, sign_up
from uploads import Uploads
from stack import Failed, wait_until
from uploading import differences

OTHERS = 24
STORES = ("auth", "posts", "chat", "media", "notifications", "search")
# Says by a number that there was somebody, and what became of it; words go when the index comes by.
NUMBERS = {
    *(f"{store}.erasures" for store in STORES), "auth.audit", "auth.departures", "auth.departure_answers", "auth.sign_in_attempts",
}  # fmt: skip
LATER = {"search.words"}
# Where others wrote the name; their words stay theirs.
WORDS = {"posts.posts", "posts.post_edits", "notifications.posts", "notifications.messages", "search.documents", "chat.messages"}


class Leaver:
    """Somebody whose every text has a mark that nobody else's has."""

    def __init__(self, stack, client, name, tag):
        self.stack, self.http, self.name, self.mark = stack, client, name, f"mark{tag}"
        self.id = client.insist("GET", "/api/v1/accounts/verify_credentials")[0]["id"]

    def say(self, path, form, method="POST"):
        return self.http.insist(method, path, form)[0]

    def use_everything(self, others):
        """What a person of many habits has after a year."""
        first, second = others[0], others[1]
        ids = [other.insist("GET", "/api/v1/accounts/verify_credentials")[0]["id"] for other in others]
        self.say("/api/v1/accounts/update_credentials", {"display_name": self.mark, "note": f"note {self.mark}", "discoverable": "true"}, "PATCH")
        for other, number in zip(others[:8], ids[:8]):
            self.say(f"/api/v1/accounts/{number}/follow", {})
            other.insist("POST", f"/api/v1/accounts/{self.id}/follow", {})
        self.say(f"/api/v1/accounts/{ids[9]}/mute", {})
        self.say(f"/api/v1/accounts/{ids[10]}/block", {})
        others[11].insist("POST", f"/api/v1/accounts/{self.id}/block", {})
        uploads = Uploads(self.stack, self.http)
        media = wait_until(lambda: uploads.upload(0), 60, "an upload")
        if not uploads.is_there(media):
            raise Failed("a picture is not shown")
        post = self.say("/api/v1/statuses", {"status": f"{self.mark} #reading", "media_ids[]": media})
        for number in range(30):
            self.say("/api/v1/statuses", {"status": f"{number} {self.mark}"})
        self.say(f"/api/v1/statuses/{post['id']}", {"status": f"edited {self.mark}"}, "PUT")
        theirs = first.insist("POST", "/api/v1/statuses", {"status": f"for @{self.name}"})[0]
        for act in ("favourite", "reblog", "bookmark"):
            self.say(f"/api/v1/statuses/{theirs['id']}/{act}", {})
            first.insist("POST", f"/api/v1/statuses/{post['id']}/{act}", {})
        first.insist("POST", "/api/v1/statuses", {"status": "an answer", "in_reply_to_id": post["id"]})
        self.say("/api/v1/statuses", {"status": f"an answer {self.mark}", "in_reply_to_id": theirs["id"]})
        self.talk(first, second, ids)
        self.work_together(first)
        self.read()
        self.http.insist("GET", f"/api/v2/search?q={self.mark}")
        self.say("/api/v1/markers", {"home[last_read_id]": post["id"]})
        # What was made of it elsewhere is there by then.
        self.stack.wait_quiet(120)

    def talk(self, first, second, ids):
        playground = self.say("/api/v1/playgrounds", {"name": f"with others {secrets.token_hex(3)}", "open": "true"})
        for other in (first, second):
            other.insist("POST", f"/api/v1/playgrounds/{playground['id']}/join", {})
        self.say("/api/v1/playgrounds", {"name": f"alone {self.mark}", "open": "false"})
        room = playground["default_channel_id"]
        for number in range(20):
            self.say(f"/api/v1/channels/{room}/messages", {"text": f"{number} {self.mark}"})
        said = first.insist("POST", f"/api/v1/channels/{room}/messages", {"text": "said there"})[0]
        self.http.insist("PUT", f"/api/v1/messages/{said['id']}/reactions/%F0%9F%91%8D")
        direct = self.say("/api/v1/direct_channels", {"account_ids[]": ids[0]})
        self.say(f"/api/v1/channels/{direct['id']}/messages", {"text": f"between us {self.mark}"})
        first.insist("POST", f"/api/v1/channels/{direct['id']}/messages", {"text": "between us"})

    def work_together(self, first):
        wanted = {"publish": "true", "roles[0][name]": "iOS", "roles[0][wanted]": "2"}
        mine = self.say("/api/v1/projects", {"title": f"project {self.mark}", **wanted})
        theirs = first.insist("POST", "/api/v1/projects", {"title": "of another", **wanted})[0]
        apply = {"message": f"me {self.mark}"}
        self.say(f"/api/v1/projects/{theirs['id']}/applications", {"role_id": theirs["roles"][0]["id"], **apply})
        first.insist("POST", f"/api/v1/projects/{mine['id']}/applications", {"role_id": mine["roles"][0]["id"], "message": "me"})

    def read(self):
        record = {"book[title]": f"book {self.mark}", "state": "reading", "review": f"review {self.mark}", "visibility": "public"}
        self.say("/api/v1/shelf/records", record)
        self.say("/api/v1/shelf/goals/2026", {"books": "12"}, "PUT")

    def session(self):
        """Signs in as the own app does, which alone may delete an account."""
        form = {"username": self.name, "password": f"correct horse {self.name}", "device_name": self.mark}
        answer, _ = Client(self.stack.base_urls).insist("POST", "/api/v1/sessions", form)
        return Client(self.stack.base_urls, answer["access_token"]), answer

    def leave(self):
        return self.session()[0].insist("DELETE", "/api/v1/account", {"password": f"correct horse {self.name}"})[0]


def held(client, name):
    """What somebody has that is nobody else's: texts of posts and messages, projects."""
    number = client.insist("GET", "/api/v1/accounts/verify_credentials")[0]["id"]
    # Who was named by a link is named by the same words without it.
    written = [post for post in client.pages(f"/api/v1/accounts/{number}/statuses?limit=40") if not post.get("reblog")]
    posts = [(post["id"], re.sub("<[^>]+>", "", post["content"])) for post in written]
    messages = []
    for playground in client.insist("GET", "/api/v1/playgrounds")[0]:
        room = playground["default_channel_id"]
        found = client.insist("GET", f"/api/v1/channels/{room}/messages")[0]
        messages += sorted((one["id"], one["text"]) for one in found if one["account"]["username"] == name)
    return posts, messages


def tables(stack):
    rows = stack.psql(
        "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        f"WHERE c.relkind IN ('r', 'p') AND n.nspname IN {STORES} ORDER BY 1, 2"
    )
    return [f"{schema}.{table}" for schema, table in rows]


def left(stack, leaver):
    """Tables that have something of somebody, and what."""
    found = {}
    for table in tables(stack):
        words = {leaver.mark: table not in LATER, leaver.id: table not in NUMBERS, leaver.name: table not in WORDS}
        words[f"{leaver.name}@example.org"] = True
        for word, counts in words.items():
            if counts and (rows := int(stack.psql(f"SELECT count(*) FROM {table} t WHERE CAST(t AS text) LIKE '%{word}%'", timeout=60)[0][0])):
                found.setdefault(table, []).append(f"{word} in {rows}")
    return found


def killed(stack, options):
    """SIGKILL of processes of every service while everything of an account is erased."""
    tag = secrets.token_hex(4)
    name, names = f"leaver_{tag}", [f"o{number}_{tag}" for number in range(OTHERS)]
    clients = sign_up(stack.base_urls[0], [name] + names)
    for client in clients.values():
        client.base_urls = stack.base_urls
    others = [clients[each] for each in names]
    for index, other in enumerate(others):
        other.insist("POST", "/api/v1/statuses", {"status": f"{index} of {names[index]}"})
    leaver = Leaver(stack, clients[name], name, tag)
    leaver.use_everything(others)
    before = {each: held(clients[each], each) for each in names}
    used = left(stack, leaver)

    # Who signs in during the grace stays.
    leaver.leave()
    _, answer = leaver.session()
    if not answer.get("deletion_stopped"):
        raise Failed(f"signing in did not stop the deletion: {answer}")
    leaver.leave()
    began, kills = time.monotonic(), Counter()
    stack.psql(f"UPDATE auth.departures SET deletion_at = now(), due_at = now() WHERE account_id = {leaver.id}")

    def is_erased():
        return stack.psql(f"SELECT erased_at IS NOT NULL FROM auth.departures WHERE account_id = {leaver.id}", quiet=True) == [["t"]]

    victims = [each for store in STORES for each in stack.copies(store)]
    while not is_erased():
        if time.monotonic() - began > 300:
            rows = stack.psql(f"SELECT service FROM auth.departure_answers WHERE account_id = {leaver.id}")
            raise Failed(f"not erased after 300 s: only {sorted(service for (service,) in rows)} answered")
        each = options.random.choice(victims)
        kills[each.removesuffix("-2")] += stack.kill(each) is not None
        time.sleep(options.random.uniform(0.2, 0.8))
    took = time.monotonic() - began
    stack.wait_ready(*victims)
    stack.wait_quiet(180)
    # What came after a service had answered goes with its next round.
    wait_until(lambda: not left(stack, leaver) or None, 60, f"nothing being left: {left(stack, leaver)}", 1)
    stack.control("media", "gc")

    wrong = [f"{table}: {', '.join(what)}" for table, what in left(stack, leaver).items()]
    after = {each: held(clients[each], each) for each in names}
    wrong += [f"{each} had {before[each]}, and has {after[each]}" for each in names if before[each] != after[each]]
    wrong += [f"files: {count} {kind}" for kind, count in differences(stack).items() if count]
    try:
        leaver.session()
        wrong.append("who is gone can sign in")
    except Refused as refusal:
        if refusal.status != 401:
            wrong.append(f"who is gone is answered {refusal.status}")
    try:
        sign_up(stack.base_urls[0], [name])
        wrong.append("the name was given to somebody else")
    except Refused:
        pass
    for line in wrong[:10]:
        print(f"  {line}", flush=True)
    if not sum(kills.values()):
        raise Failed("not exercised: no process was killed")
    if len(used) < 30:
        raise Failed(f"not exercised: only {len(used)} tables had something of the account")
    dead = stack.dead_letters()
    return not wrong and not dead, (
        f"an account in {len(used)} tables erased in {took:.0f} s, {sum(kills.values())} kills ({dict(kills)}); left {len(wrong)}/0, "
        f"{OTHERS} others as before, dead letters {dead}"
    )
