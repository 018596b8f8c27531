# SPDX-License-Identifier: Apache-2.0
"""People who reply, post and chat at a steady rate, and everything that must be seen of it afterwards.

Each acknowledged reply is one post and one notification; each acknowledged post is once in the home timeline of every follower;
each acknowledged message is once in its channel, whose numbers have no gap.
"""

import concurrent.futures
import re
import secrets
import threading
import time
from collections import Counter, defaultdict

from client import Away, Refused, sign_up
from ledger import Ledger, is_clean, judge

# Of a home timeline so many are looked at: older ones may be gone from it by right.
HOME = 400


class Traffic:
    def __init__(self, stack, random, people=12, kinds=("reply", "reply", "post", "message"), patience=90):
        self.stack = stack
        self.random = random
        self.kinds = kinds
        self.patience = patience
        self.size = people
        self.ledger = Ledger()
        self.in_flight = 0
        self.latencies = []
        self.failures = Counter()
        self._lock = threading.Lock()

    def prepare(self):
        """Accounts, each of which follows the three after it, posts to reply to, and a channel."""
        tag = secrets.token_hex(4)
        self.accounts = sign_up(self.stack.base_urls, [f"drill_{tag}_{number}" for number in range(self.size)])
        self.names = list(self.accounts)
        self.ids, self.roots, self.followees = {}, {}, {}
        for name, account in self.accounts.items():
            self.ids[name] = account.insist("GET", "/api/v1/accounts/verify_credentials")[0]["id"]
            self.roots[name] = account.insist("POST", "/api/v1/statuses", {"status": f"root of {name}"})[0]["id"]
        for number, name in enumerate(self.names):
            self.followees[name] = [self.names[(number + step) % self.size] for step in (1, 2, 3)]
            for other in self.followees[name]:
                self.accounts[name].insist("POST", f"/api/v1/accounts/{self.ids[other]}/follow", {})
        owner = self.accounts[self.names[0]]
        playground, _ = owner.insist("POST", "/api/v1/playgrounds", {"name": f"Drill {tag}", "open": "true"})
        for name in self.names[1:]:
            self.accounts[name].insist("POST", f"/api/v1/playgrounds/{playground['id']}/join", {})
        channels, _ = owner.insist("GET", f"/api/v1/playgrounds/{playground['id']}/channels")
        self.channel = channels[0]["id"]
        return self

    def act(self, number, kind=None, retry=True, queued=None):
        """One act; insists with its key until the outcome is known. Without `retry` whatever fails is noted as unknown.

        A post that is `queued`, as every other one is, shows a link and comes into timelines by way of the queue; others are in them once
        they are stored.
        """
        kind = kind or self.kinds[number % len(self.kinds)]
        queued = number // len(self.kinds) % 2 == 1 if queued is None else queued
        author = self.names[number % self.size]
        target = self.names[(number * 7 + 1) % self.size]
        if author == target:
            target = self.names[(number + 1) % self.size]
        key = f"{kind}-{number}"
        self.ledger.intend(key, kind=kind, author=author, target=target)
        path, form, headers = "/api/v1/statuses", {"status": f"<{key}>"}, {"Idempotency-Key": f"{self.roots[author]}-{key}"}
        if kind == "reply":
            form["in_reply_to_id"] = self.roots[target]
        elif kind == "post" and queued:
            form["status"] += " http://127.0.0.1/"
        elif kind == "message":
            path, form, headers = f"/api/v1/channels/{self.channel}/messages", {"text": key, "client_id": key}, {}
        with self._lock:
            self.in_flight += 1
        began = time.monotonic()
        try:
            account = self.accounts[author]
            if retry:
                made, _ = account.insist("POST", path, form, headers, seconds=self.patience)
            else:
                made, _ = account.call("POST", path, form, headers)
            self.ledger.note(key, "acknowledged", id=made["id"])
        except Refused as refusal:
            self.ledger.note(key, "refused", why=str(refusal))
            self.failures[str(refusal)[:100]] += 1
        except Away as away:
            self.ledger.note(key, "unknown", why=str(away))
            self.failures[str(away)[:100]] += 1
        finally:
            with self._lock:
                self.in_flight -= 1
                self.latencies.append(time.monotonic() - began)

    def run(self, rate, seconds=None, count=None, until=None, retry=True, first=0):
        """Acts come at their time, whether or not earlier ones were answered. Returns the number after the last."""
        began, number = time.monotonic(), first
        with concurrent.futures.ThreadPoolExecutor(max_workers=96) as pool:
            sent = []
            while (count is None or number - first < count) and (seconds is None or time.monotonic() - began < seconds):
                if until and until():
                    break
                time.sleep(max(0, began + (number - first) / rate - time.monotonic()))
                sent.append(pool.submit(self.act, number, None, retry))
                number += 1
            for future in sent:
                future.result()
        return number

    def percentile(self, share):
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0

    # What is seen afterwards, through the public interface.

    def of_kind(self, *kinds):
        return {key for key, what in self.ledger.attempted.items() if what["kind"] in kinds}

    def observed_posts(self):
        seen = Counter()
        for name, account in self.accounts.items():
            for post in account.pages(f"/api/v1/accounts/{self.ids[name]}/statuses?limit=40"):
                if key := marker(post):
                    seen[key] += 1
        return seen

    def observed_notifications(self):
        seen = Counter()
        for account in self.accounts.values():
            for notification in account.pages("/api/v1/notifications?limit=80&types[]=mention"):
                seen[marker(notification["status"]) or f"unmarked {notification['id']}"] += 1
        return seen

    def observed_messages(self):
        seen, last = Counter(), 0
        while True:
            path = f"/api/v1/channels/{self.channel}/messages?after_seq={last}&limit=200"
            page, _ = self.accounts[self.names[0]].insist("GET", path)
            if not page:
                return seen
            for message in page:
                seen["gap" if message["seq"] != last + 1 else message["text"]] += 1
                last = message["seq"]

    def judge_homes(self):
        """The newest entries of each home timeline against the posts that the followed have made."""
        by_author = defaultdict(dict)
        for key in self.of_kind("post") & self.ledger.keys("acknowledged"):
            what = self.ledger.attempted[key]
            by_author[what["author"]][key] = int(what["id"])
        numbers = Counter()
        for name, account in self.accounts.items():
            seen, count, oldest = Counter(), 0, 0
            for post in account.pages("/api/v1/timelines/home?limit=40"):
                count += 1
                key = marker(post)
                if key and key.startswith("post-"):
                    seen[key] += 1
                if count == HOME:
                    oldest = int(post["id"])
                    break
            wanted = {
                key for author in [name, *self.followees[name]] for key, id in by_author[author].items() if id >= oldest
            }
            numbers["expected"] += len(wanted)
            numbers["lost"] += len(wanted - set(seen))
            numbers["duplicated"] += sum(1 for times in seen.values() if times > 1)
            numbers["unexpected"] += len({key for key in seen if key in self.ledger.attempted} - wanted)
        return {"what": "home timelines", **{name: numbers[name] for name in ("expected", "lost", "duplicated", "unexpected")}}

    def verdicts(self, places=("posts", "notifications", "messages", "homes")):
        """What must be clean, each printed."""
        all_of = {
            "posts": lambda: judge(self.ledger, self.observed_posts(), "posts", self.of_kind("reply", "post")),
            "notifications": lambda: judge(self.ledger, self.observed_notifications(), "notifications", self.of_kind("reply")),
            "messages": lambda: judge(self.ledger, self.observed_messages(), "chat messages", self.of_kind("message")),
            "homes": self.judge_homes,
        }
        found = [all_of[place]() for place in places]
        for verdict in found:
            print("  " + ", ".join(f"{name} {value}" for name, value in verdict.items()).replace("what ", "", 1))
        for (outcome, why), count in self.ledger.why.most_common(5):
            print(f"  {outcome} {count} times: {why}")
        return all(map(self.passes, found))

    @staticmethod
    def passes(verdict):
        if "expected" in verdict:
            return not any(verdict[name] for name in ("lost", "duplicated", "unexpected"))
        return is_clean(verdict)


def marker(post):
    found = re.search(r"&lt;((?:reply|post)-\d+)&gt;", post["content"])
    return found[1] if found else None
