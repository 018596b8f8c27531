#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a social graph (an edge list, one `a b` pair a line) into a running Madang through its public interface.

Every number becomes an account, every edge a follow both ways; everybody posts, and answers posts of people they
follow. What the server acknowledged is kept in a state file, so that an interrupted load goes on where it stopped and
nothing is made twice. At the end every acknowledged reply must have exactly one notification.
"""

import argparse
import base64
import collections
import concurrent.futures
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import random
import re
import secrets
import sys
import threading
import time
import urllib.parse

RETRIED = {429, 503}
WORDS = """morning tea river library window bridge garden letter market lantern rain winter bicycle orchard
harbour""".split()


class Stop(Exception):
    """Why the load cannot go on, in one line."""


def read_edges(path, most_accounts):
    """Accounts in order of appearance and for each its neighbours; ignores repeated edges and loops."""
    neighbours = collections.OrderedDict()
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            fields = re.split(r"[\s,]+", line.strip())
            if fields == [""] or line.lstrip().startswith(("#", "%")):
                continue
            if len(fields) < 2 or not (fields[0].isdecimal() and fields[1].isdecimal()):
                raise Stop(f"{path}:{number}: expected two numbers, found {line.strip()[:60]!r}")
            a, b = int(fields[0]), int(fields[1])
            for one in (a, b):
                if one not in neighbours and (most_accounts is None or len(neighbours) < most_accounts):
                    neighbours[one] = {}
            if a != b and a in neighbours and b in neighbours:
                neighbours[a][b] = neighbours[b][a] = True
    if not neighbours:
        raise Stop(f"{path} has no edges")
    return {account: list(others) for account, others in neighbours.items()}


class State:
    """What the server acknowledged, one JSON line each, appended as it happens."""

    def __init__(self, folder, graph, base_url):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        digest = hashlib.sha256(pathlib.Path(graph).read_bytes()).hexdigest()[:16]
        place = re.sub(r"[^a-z0-9]+", "-", base_url.lower()).strip("-")
        self.path = folder / f"{pathlib.Path(graph).stem}-{digest}-{place}.jsonl"
        self.lock = threading.Lock()
        self.accounts, self.follows, self.posts, self.replies = {}, set(), {}, {}
        self.app = self.key = None
        if self.path.exists():
            self._read()
        self.file = open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8")
        if self.key is None:
            self.keep("load", secrets.token_hex(16))

    def _read(self):
        whole = self.path.read_bytes()
        # A load that was killed while it wrote leaves half a line.
        complete = whole[: whole.rfind(b"\n") + 1]
        if complete != whole:
            os.truncate(self.path, len(complete))
        for line in complete.splitlines():
            self._take(*json.loads(line))

    def _take(self, kind, *value):
        match kind:
            case "load":
                self.key = value[0]
            case "app":
                self.app = value[0]
            case "account":
                self.accounts[value[0]] = {"id": value[1], "token": value[2]}
            case "follow":
                self.follows.add((value[0], value[1]))
            case "post":
                self.posts[value[0], value[1]] = value[2]
            case "reply":
                self.replies[value[0], value[1]] = {"id": value[2], "recipient": value[3]}

    def keep(self, kind, *value):
        with self.lock:
            self._take(kind, *value)
            self.file.write(json.dumps([kind, *value]) + "\n")
            self.file.flush()

    def password(self, name):
        """Known only to whoever holds the state file."""
        return base64.urlsafe_b64encode(hmac.digest(self.key.encode(), name.encode(), "sha256")).decode()[:32]


class Server:
    """The public interface over a connection for each thread."""

    def __init__(self, base_url):
        self.url = urllib.parse.urlsplit(base_url)
        if self.url.scheme not in ("http", "https") or not self.url.hostname:
            raise Stop(f"{base_url} is no http or https address")
        self.local = threading.local()
        self.stopping = threading.Event()
        self.requests = 0
        self.waiting = 0

    def _exchange(self, method, path, body, headers):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
            connection = self.local.connection = kind(self.url.hostname, self.url.port, timeout=60)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            self.local.connection = None
            raise

    def call(self, method, path, form=None, token=None, key=None, accept=()):
        """The decoded answer, its headers and its status; repeats while the server is busy or the connection breaks.

        Statuses in `accept` are answers too; any other than 2xx ends the load.
        """
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        body = None
        if form is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(form)
        broken = 0
        delay = 0.2
        while not self.stopping.is_set():
            try:
                status, head, content = self._exchange(method, path, body, headers)
            except (OSError, http.client.HTTPException) as error:
                broken += 1
                if broken > 5:
                    raise Stop(f"{method} {path}: {error or type(error).__name__}") from error
                self._pause(delay)
                delay = min(delay * 2, 5)
                continue
            self.requests += 1
            if status in RETRIED:
                self._pause(self._wanted_pause(head, delay))
                delay = min(delay * 2, 30)
                continue
            if 200 <= status < 300 or status in accept:
                try:
                    return (json.loads(content) if content else None), head, status
                except ValueError:
                    raise Stop(f"{method} {path}: the answer is not JSON: {content[:80]!r}") from None
            raise Stop(f"{method} {path}: {status} {content[:200].decode(errors='replace')}")
        raise Stop("stopped")

    @staticmethod
    def _wanted_pause(headers, delay):
        wanted = headers.get("Retry-After", "")
        return min(float(wanted), 300) if wanted.isdecimal() and int(wanted) > 0 else delay * random.uniform(0.7, 1.3)

    def _pause(self, seconds):
        self.waiting += 1
        self.stopping.wait(seconds)
        self.waiting -= 1


class Progress:
    """One phase's bar on a terminal, and a line every few seconds elsewhere."""

    def __init__(self, name, total, server, shown=True):
        self.shows = shown
        self.name, self.total, self.server = name, total, server
        self.done = 0
        self.lock = threading.Lock()
        self.began = self.shown = time.monotonic()
        self.terminal = sys.stderr.isatty()
        self.every = 0.1 if self.terminal else 5

    def step(self):
        with self.lock:
            self.done += 1
            if self.shows and time.monotonic() - self.shown >= self.every:
                self._show()

    def _show(self):
        self.shown = time.monotonic()
        rate = self.done / max(self.shown - self.began, 1e-9)
        left = f", {(self.total - self.done) / rate:.0f} s left" if self.done < self.total and self.done else ""
        waits = f", {self.server.waiting} waiting for the server" if self.server.waiting else ""
        text = f"{self.name:<14} {self.done:>7,} of {self.total:,} ({rate:,.0f}/s{left}{waits})"
        if self.terminal:
            filled = 24 * self.done // max(self.total, 1)
            sys.stderr.write(f"\r[{'#' * filled}{' ' * (24 - filled)}] {text}\x1b[K")
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def end(self):
        if self.shows:
            with self.lock:
                self._show()
                if self.terminal:
                    sys.stderr.write("\n")
        return self.done, time.monotonic() - self.began


class Load:
    def __init__(self, options):
        self.options = options
        self.graph = read_edges(options.file, options.accounts)
        self.server = Server(options.base_url)
        self.state = State(options.state, options.file, options.base_url)
        self.made = {}

    def name(self, number):
        return f"{self.options.prefix}{number}"

    def run(self):
        began = time.monotonic()
        self._register_app()
        self._phase("accounts", self._sign_up, [a for a in self.graph if a not in self.state.accounts])
        follows = [(a, b) for a, others in self.graph.items() for b in others if (a, b) not in self.state.follows]
        # A person's follows spread over the workers, rather than queueing for one row.
        random.Random(1).shuffle(follows)
        self._phase("follows", self._follow, follows)
        self._phase("posts", self._post, self._missing(self.options.posts, self.state.posts))
        self._phase("replies", self._reply, self._missing(self.options.replies, self.state.replies))
        loaded = time.monotonic() - began
        expected, took = self._verify()
        self._tell(loaded, expected, took)

    def _missing(self, count, known):
        return [(a, i) for i in range(count) for a in self.graph if (a, i) not in known]

    def _phase(self, name, act, work, shown=True):
        """Runs `act` for each piece of work, a bounded number at a time; the first failure ends the load."""
        if not work:
            return
        progress = Progress(name, len(work), self.server, shown)
        pieces = iter(work)
        with concurrent.futures.ThreadPoolExecutor(self.options.workers) as pool:
            running = set()
            try:
                while True:
                    for piece in pieces:
                        running.add(pool.submit(act, piece))
                        if len(running) >= 4 * self.options.workers:
                            break
                    if not running:
                        break
                    done, running = concurrent.futures.wait(
                        running, return_when=concurrent.futures.FIRST_COMPLETED
                    )
                    for future in done:
                        future.result()
                        progress.step()
            except BaseException:
                self.server.stopping.set()
                for future in running:
                    future.cancel()
                if progress.terminal:
                    sys.stderr.write("\n")
                raise
        self.made[name] = progress.end()

    def _register_app(self):
        if self.state.app:
            return
        app, _, _ = self.server.call(
            "POST",
            "/api/v1/apps",
            {"client_name": "load graph", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read write"},
        )
        token, _, _ = self.server.call(
            "POST",
            "/oauth/token",
            {
                "grant_type": "client_credentials",
                "client_id": app["client_id"],
                "client_secret": app["client_secret"],
                "scope": "read write",
            },
        )
        self.state.keep("app", token["access_token"])

    def _sign_up(self, number):
        name = self.name(number)
        form = {
            "username": name,
            "email": f"{name}@example.com",
            "password": self.state.password(name),
            "agreement": True,
            "locale": "en",
        }
        answer, _, status = self.server.call("POST", "/api/v1/accounts", form, token=self.state.app, accept={422})
        token = answer.get("access_token") if status == 200 else self._sign_in(name, answer)
        account, _, _ = self.server.call("GET", "/api/v1/accounts/verify_credentials", token=token)
        self.state.keep("account", number, account["id"], token)

    def _sign_in(self, name, refusal):
        """For a name that an earlier run got, but did not live to write down."""
        answer, _, status = self.server.call(
            "POST",
            "/api/v1/sessions",
            {"username": name, "password": self.state.password(name)},
            accept={400, 401, 403, 422},
        )
        if status >= 400:
            raise Stop(
                f"{name} cannot sign up: {refusal.get('error')}"
                f" (if it comes from a load whose state is lost, choose another --prefix)"
            )
        return answer["access_token"]

    def _call_as(self, number, method, path, form=None, key=None):
        """Calls as an account; a token that ended is replaced once."""
        token = self.state.accounts[number]["token"]
        answer, headers, status = self.server.call(method, path, form, token=token, key=key, accept={401})
        if status == 401:
            token = self._sign_in(self.name(number), answer)
            self.state.keep("account", number, self.state.accounts[number]["id"], token)
            answer, headers, _ = self.server.call(method, path, form, token=token, key=key)
        return answer, headers

    def _follow(self, edge):
        follower, followed = edge
        self._call_as(follower, "POST", f"/api/v1/accounts/{self.state.accounts[followed]['id']}/follow")
        self.state.keep("follow", follower, followed)

    def _post(self, piece):
        number, index = piece
        words = random.Random(f"post {number} {index}").sample(WORDS, 5)
        status, _ = self._call_as(
            number,
            "POST",
            "/api/v1/statuses",
            {"status": f"{' '.join(words).capitalize()}. #{words[0]}", "visibility": "public", "language": "en"},
            key=f"{self.state.key}-post-{number}-{index}",
        )
        self.state.keep("post", number, index, status["id"])

    def _reply(self, piece):
        number, index = piece
        dice = random.Random(f"reply {number} {index}")
        # Somebody without a neighbour (left out by --accounts) answers the first account but itself.
        others = self.graph[number] or [a for a in list(self.graph)[:2] if a != number]
        answered = [(a, i) for a in others for i in range(self.options.posts) if (a, i) in self.state.posts]
        if not answered:
            return
        recipient, post = dice.choice(answered)
        words = dice.sample(WORDS, 4)
        status, _ = self._call_as(
            number,
            "POST",
            "/api/v1/statuses",
            {
                "status": f"@{self.name(recipient)} {' '.join(words)}?",
                "in_reply_to_id": self.state.posts[recipient, post],
                "visibility": "public",
                "language": "en",
            },
            key=f"{self.state.key}-reply-{number}-{index}",
        )
        self.state.keep("reply", number, index, status["id"], recipient)

    def _verify(self):
        """Waits until every acknowledged reply has its notification; two for one reply end the load at once."""
        expected = collections.defaultdict(set)
        for reply in self.state.replies.values():
            expected[reply["recipient"]].add(reply["id"])
        total = sum(map(len, expected.values()))
        began = time.monotonic()
        missing = sorted(expected)
        late = 0
        while missing:
            short = {}

            def check(recipient):
                counts = collections.Counter(self._mentions(recipient))
                twice = [one for one in expected[recipient] if counts[one] > 1]
                if twice:
                    raise Stop(f"{', '.join(twice)} to {self.name(recipient)}: more than one notification for a reply")
                absent = sum(1 for one in expected[recipient] if not counts[one])
                if absent:
                    short[recipient] = absent

            self._phase("notifications", check, missing, shown=not late)
            missing = sorted(short)
            if missing and time.monotonic() - began > self.options.patience:
                raise Stop(
                    f"{sum(short.values())} of {total} replies have no notification after {self.options.patience} s"
                    f" (of {self.name(missing[0])} and {len(missing) - 1} more)"
                )
            if missing:
                if sum(short.values()) != late:
                    late = sum(short.values())
                    print(f"{late:,} of {total:,} notifications are still on their way", file=sys.stderr)
                self.server.stopping.wait(2)
        return total, time.monotonic() - began

    def _mentions(self, recipient):
        path = "/api/v1/notifications?types[]=mention&limit=80"
        while path:
            page, headers = self._call_as(recipient, "GET", path)
            for notification in page:
                yield notification["status"]["id"]
            following = re.search(r'<([^>]+)>; *rel="next"', headers.get("Link", ""))
            path = None
            if page and following:
                url = urllib.parse.urlsplit(following[1])
                path = f"{url.path}?{url.query}"

    def _tell(self, loaded, expected, took):
        parts = []
        count = 0
        for name in ("accounts", "follows", "posts", "replies"):
            if name in self.made:
                done, seconds = self.made[name]
                count += done
                parts.append(f"{done:,} {name} ({done / max(seconds, 1e-9):,.0f}/s)")
        if parts:
            print(f"Created {', '.join(parts)}: {count / max(loaded, 1e-9):,.0f} a second in {loaded:.1f} s.")
        else:
            print("Everything was there already.")
        print(f"Each of {expected:,} acknowledged replies has exactly one notification (read in {took:.1f} s).")


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("file", metavar="FILE", help="an edge list: two numbers a line, # for comments")
    parser.add_argument("--base-url", default="http://localhost:3000", help="the gateway (default %(default)s)")
    parser.add_argument("--accounts", type=positive, metavar="N", help="only the first N accounts and their edges")
    parser.add_argument("--workers", type=positive, default=16, help="requests at a time (default %(default)s)")
    parser.add_argument("--posts", type=int, default=5, help="posts an account (default %(default)s)")
    parser.add_argument("--replies", type=int, default=5, help="replies an account (default %(default)s)")
    parser.add_argument("--prefix", default="g", help="before the number in a username (default %(default)s)")
    parser.add_argument(
        "--state",
        type=pathlib.Path,
        default=pathlib.Path(".madang/load"),
        help="folder for what was acknowledged (default %(default)s)",
    )
    parser.add_argument(
        "--patience", type=positive, default=300, metavar="SECONDS",
        help="how long the last notification may take (default %(default)s)",
    )
    options = parser.parse_args()
    options.base_url = options.base_url.rstrip("/")
    try:
        Load(options).run()
    except Stop as error:
        print(f"load-graph: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"load-graph: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("load-graph: interrupted; the same command goes on where it stopped", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
