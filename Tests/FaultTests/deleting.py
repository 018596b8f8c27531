# SPDX-License-Identifier: Apache-2.0
"""An account that used everything is deleted while processes of every service are killed: afterwards nothing of it is left in any table
of any schema, nor on the disk, and what 24 others have is as it was."""

import pathlib
import re
import secrets
import sys
import tempfile
import time
from collections import Counter

from client import Client, Refused, sign_up
from uploads import Uploads, form_of, moving, picture
from stack import Failed, wait_until
from uploading import differences

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "SystemTests"))
import issuers

OTHERS = 24
STORES = ("auth", "posts", "chat", "media", "notifications", "search")
# Says by a number that there was somebody, and what became of it: which letters were sent, whom an answer answered.
NUMBERS = {
    "auth.letters", "media.subjects", "notifications.posts",
    *(f"{store}.erasures" for store in STORES), "auth.audit", "auth.departures", "auth.departure_answers", "auth.sign_in_attempts",
}  # fmt: skip
# Words go when the index comes by.
INDEXED = {"search.words"}
# What a person of many habits is in before they leave; a table that is missing here was not exercised.
USED = {
    "auth": "accounts sessions identities consents audit",
    "posts": (
        "accounts follows blocks mutes posts post_edits favourites bookmarks projects applications reading_records reading_goals reports"
    ),
    "chat": "accounts blocks playgrounds playground_members channels channel_members messages reactions",
    "media": "uploads gif_favourites gif_collections exports",
    "notifications": "accounts posts acts silences notifications markers devices push_preferences projects applications",
    "search": "accounts documents names shelved_books",
}  # fmt: skip
# Where others wrote the name; their words stay theirs.
WORDS = {"posts.report_things", "posts.posts", "posts.post_edits", "notifications.posts", "notifications.messages", "search.documents", "chat.messages"}


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
        profile = "/api/v1/accounts/update_credentials"
        self.say(profile, {"display_name": self.mark, "note": f"note {self.mark}", "discoverable": "true"}, "PATCH")
        self.http.insist("PATCH", profile, *form_of("avatar", picture(int(self.id) % 1000, 400, 400)))
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
        self.report(first, post, theirs)
        self.sign_in_elsewhere()
        self.collect()
        # What was made of it elsewhere is there by then.
        self.stack.wait_quiet(120)

    def report(self, first, post, theirs):
        """One report by them and one about them."""
        author = theirs["account"]["id"]
        self.say("/api/v1/reports", {"account_id": author, "status_ids[]": theirs["id"], "comment": f"by {self.mark}"})
        first.insist("POST", "/api/v1/reports", {"account_id": self.id, "status_ids[]": post["id"], "comment": "about them"})

    def sign_in_elsewhere(self):
        """What only the own app may: a phone with what is wanted there, another way in, and everything that is theirs."""
        own, _ = self.session()
        device = own.insist("POST", "/api/v1/devices", {"platform": "firebase", "token": f"fcm-{self.mark}", "language": "ko"})[0]
        wishes = {"kinds[favourite]": "false", "preview": "sender", "devices[0][device_id]": device["id"], "devices[0][preview]": "none"}
        own.insist("PUT", "/api/v1/push/preferences", wishes)
        with issuers.Issuers() as others:
            proof = {"password": f"correct horse {self.name}"}
            token = others.token("company", self.mark, email=f"{self.mark}@example.org")
            own.insist("POST", "/api/v1/account/identities", {"issuer": "company", "id_token": token, **proof})
        export = own.insist("POST", "/api/v1/exports", {})[0]["id"]
        wait_until(lambda: own.insist("GET", f"/api/v1/exports/{export}")[0]["state"] == "ready", 180, "everything of theirs being ready")

    def collect(self):
        """A GIF of the catalogue among their favourites and in a collection."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "kept.gif").write_bytes(moving(secrets.token_bytes(3)))
            self.stack.control("import-gifs", folder)
        gif = self.http.insist("GET", "/api/v1/gifs/search?q=kept&limit=1")[0]["data"][0]["id"]
        self.say(f"/api/v1/gifs/favourites/{gif}", {})
        collection = self.say("/api/v1/gifs/collections", {"name": f"kept {self.mark}"})
        self.say(f"/api/v1/gifs/collections/{collection['id']}/gifs/{gif}", {})

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


def left(stack, leaver, numbered=NUMBERS):
    """Tables that have something of somebody, and what; in those that are `numbered` the number alone does not count."""
    found = {}
    for table in tables(stack):
        words = {leaver.mark: True, leaver.id: table not in numbered, leaver.name: table not in WORDS}
        words[f"{leaver.name}@example.org"] = True
        for word, counts in words.items():
            if counts and (rows := int(stack.psql(f"SELECT count(*) FROM {table} t WHERE CAST(t AS text) LIKE '%{word}%'", timeout=60)[0][0])):
                found.setdefault(table, []).append(f"{word} in {rows}")
    return found


def expect_nothing_left(stack, leaver, seconds, besides=frozenset()):
    try:
        wait_until(lambda: not set(left(stack, leaver)) - besides or None, seconds, "nothing being left", 1)
    except Failed as failure:
        raise Failed(f"{failure}: {left(stack, leaver)}") from failure


def killed(stack, options):
    """SIGKILL of processes of every service while everything of an account is erased."""
    if not issuers.PLACE:
        raise Failed("MADANG_TEST_ISSUER names no place for an issuer")
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
    used = left(stack, leaver, numbered=())

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
    # What came after a service had answered goes with its next round, and words with the next of the index.
    expect_nothing_left(stack, leaver, 60, besides=INDEXED)
    expect_nothing_left(stack, leaver, 180)
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
    unused = {f"{store}.{table}" for store, names in USED.items() for table in names.split()} - set(used)
    if unused:
        raise Failed(f"not exercised: nothing of the account was in {sorted(unused)}")
    dead = stack.dead_letters()
    return not wrong and not dead, (
        f"an account in {len(used)} tables erased in {took:.0f} s, {sum(kills.values())} kills ({dict(kills)}); left {len(wrong)}/0, "
        f"{OTHERS} others as before, dead letters {dead}"
    )
