# SPDX-License-Identifier: Apache-2.0
"""Generated requests: every route of the public surface, with the parameters that its code reads and values of a grammar.

The routes and the names of their parameters are read from the code, so that a new one is tried without anybody writing it down.
"""

import json
import pathlib
import re
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICES = ROOT / "Services"
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
READ = re.compile(r'\.\w+\("([a-zA-Z_]{2,40})"|"([a-z_]{2,40})(?:\[\])?"\s*(?:,|\)|\])|case (?:let )?([a-z_]\w+) = "')
EXTREMES = [
    "0", "-1", "1", "40", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e400", "NaN", "0x10", "1.5",
    "99999999999999999999999999", "١٢", "", " ", "null", "true", "false", "\x00", "\ud800".encode("utf-8", "surrogatepass"), b"\xff\xfe",
]
WORDS = [
    "Tea", "Something to say", "talk", "5", "3600", "thumbs", "👍", "mention,follow",
    "public", "unlisted", "private", "direct", "open", "closed", "follow", "mention", "owner", "admin", "member", "all", "none", "home",
    "notifications", "read", "write", "push", "read write follow", "urn:ietf:wg:oauth:2.0:oob", "https://example.com/back", "javascript:alert(1)",
    "authorization_code", "client_credentials", "refresh_token", "code", "S256", "en", "ko", "../../etc/passwd", "' OR 1=1 --", "%s%n", "{{7*7}}",
    "<script>alert(1)</script>", "2026-11-22", "2026-11-22T00:00:00.000Z", "+999999999-12-31T23:59:59Z", "a@example.com", "#tea", "@ada",
    "e" + "\u0301" * 60, "\u202eturned", "\u200b", "👩‍👩‍👧‍👦", "한글", "a" * 501, "a" * 5000, "@a " * 300, "https://x.example " * 100,
]
PAGING = ["limit", "max_id", "since_id", "min_id"]
# What has ids of its own; what else is in a path says what they are of.
NOUNS = {
    "accounts": "accounts", "users": "accounts", "members": "accounts", "followers": "accounts", "following": "accounts",
    "statuses": "statuses", "timelines": "statuses", "bookmarks": "statuses", "favourites": "statuses", "notifications": "notifications",
    "playgrounds": "playgrounds", "workspaces": "playgrounds", "channels": "channels", "direct_channels": "channels", "dms": "channels",
    "messages": "messages", "chats": "messages", "pins": "messages", "invites": "invites", "sessions": "sessions",
}  # fmt: skip


def noun(parts):
    return next((NOUNS[part] for part in reversed(parts) if part in NOUNS), "")


def endpoints():
    """(method, path) with the name of every endpoint that clients may call, from the document made of the surface."""
    document = json.loads((SERVICES.parent / "deploy" / "docs" / "openapi.json").read_text())
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield (method.upper(), re.sub(r"\{(\w+)\}", r":\1", path)), operation["operationId"]


def routes():
    """(method, path) of every route of the gateway."""
    dialect = "".join((SERVICES / "Gateway" / name).read_text() for name in ["BuddyBuddy/BuddyBuddyRoutes.swift", "Giphy/GiphyRoutes.swift"])
    found = {place for place, _ in endpoints() if not place[1].startswith("/socket.io") and "streaming" not in place[1]}
    return sorted(found | set(re.findall(r'\b(?:open|DialectRoute)\(\s*\.([A-Z]+),\s*"(/[^"]*)"', dialect)))


def commands():
    """The name of the type that answers each endpoint, by the endpoint's name."""
    found = {}
    for path in SERVICES.rglob("*Routes.swift"):
        group = None
        for line in path.read_text().splitlines():
            if begin := re.search(r"_ endpoint: (\w+)\)", line):
                group = begin[1]
            elif case := re.search(r"case \.(\w+): (\w+)\.\w+$", line):
                found[f"{group}.{case[1]}"] = case[2]
    return found


def vocabulary():
    """The names that the file behind each route reads, by (method, path), and all of them together."""
    files = {path.stem: path for path in SERVICES.rglob("*.swift")}
    types = {}
    for path in files.values():
        for name in re.findall(r"\b(?:struct|enum|extension) (\w+)", path.read_text()):
            types.setdefault(name, path)

    def names(path, depth=2):
        text = path.read_text()
        found = {name for groups in READ.findall(text) for name in groups if name}
        if depth:
            for kind in set(re.findall(r"\b([A-Z]\w+?)(?:\.\w+)?\(", text)):
                other = types.get(kind)
                same = other and other.relative_to(SERVICES).parts[0] == path.relative_to(SERVICES).parts[0]
                if same and other != path and re.search(r"[Pp]arameters|[Ff]ields", other.read_text()):
                    found |= names(other, depth - 1)
        return found

    answering = commands()
    known = {
        place: sorted(names(types[answering[name]])) for place, name in endpoints() if answering.get(name) in types
    }
    dialect = files["BuddyBuddyRoutes"].read_text()
    for method, place, kind in re.findall(r'\b(?:open|DialectRoute)\(\s*\.([A-Z]+),\s*"(/[^"]*)"[^\n]*?\b(\w+)\.\w+\)', dialect):
        if kind in types:
            known[method, place] = sorted(names(types[kind]))
    return known, sorted({name for some in known.values() for name in some})


class Generator:
    """Requests by the dice; what answers say flows back as ids, tokens and codes for later ones."""

    def __init__(self, dice):
        self.dice = dice
        self.routes = routes()
        self.known, self.names = vocabulary()
        self.ids = {"": ["1"]}

    def learn(self, path, body):
        """Keeps ids and codes out of an answer, by the last noun of its path."""
        kind = noun(path.split("?")[0].split("/"))
        for found in walk(body):
            for key, value in found.items():
                if key in ("id", "code", "acct", "client_id", "channelID", "workspaceID", "channel_id", "room_id", "user_id") and value:
                    for place in (kind, ""):
                        kept = self.ids.setdefault(place, [])
                        kept.append(str(value))
                        del kept[:-40]

    def id(self, kind=""):
        pool = self.ids.get(kind) or self.ids[""]
        return self.dice.choice(pool if self.dice.random() < 0.8 else self.ids[""])

    def text(self, kind=""):
        """A value of the grammar, as text or bytes."""
        chance = self.dice.random()
        if chance < 0.35:
            return self.id(kind)
        if chance < 0.6:
            return self.dice.choice(EXTREMES)
        if chance < 0.97:
            return self.dice.choice(WORDS)
        return bytes(self.dice.randrange(256) for _ in range(self.dice.randrange(40)))

    def value(self, kind, depth=0):
        """A value of JSON."""
        chance = self.dice.random()
        if chance < 0.6 or depth > 3:
            text = self.text(kind)
            return text if isinstance(text, str) else text.decode("utf-8", "replace")
        if chance < 0.7:
            return self.dice.choice([0, -1, 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 1.5, 1e308, True, False, None])
        if chance < 0.85:
            return [self.value(kind, depth + 1) for _ in range(self.dice.choice([0, 1, 2, 5, 60]) if depth < 2 else 1)]
        return {self.dice.choice(self.names): self.value(kind, depth + 1) for _ in range(self.dice.randrange(4))}

    def request(self):
        """(method, path with query, headers, body)."""
        method, template = self.dice.choice(self.routes)
        parts = template.split("/")
        for index, part in enumerate(parts):
            if part.startswith(":"):
                of = noun(template.split("/")[:index])
                parts[index] = escaped(self.id(of) if self.dice.random() < 0.75 else self.text(of))
        kind = noun(template.split("/"))
        names = self.known.get((method, template)) or self.names
        if method == "GET":
            names = names + PAGING
        query = self.pairs(names, kind) if self.dice.random() < (0.8 if method == "GET" else 0.1) else []
        path = "/".join(parts) + ("?" + "&".join(f"{escaped(name)}={escaped(value)}" for name, value in query) if query else "")
        if self.dice.random() < 0.03:
            method = self.dice.choice(METHODS)
        headers, body = {}, None
        if method != "GET":
            headers["Content-Type"], body = self.body(names, kind)
        if self.dice.random() < 0.1:
            headers["Idempotency-Key"] = self.dice.choice(["a", "b" * 300, self.id()])
        if self.dice.random() < 0.05:
            headers["Accept-Language"] = self.dice.choice(["ko", "ja;q=0.1, *", "x" * 3000, ";;;"])
        return method, path, headers, body

    def pairs(self, names, kind):
        found = []
        for _ in range(self.dice.choice([0, 1, 1, 2, 3, 6])):
            name = self.dice.choice(names if self.dice.random() < 0.9 and names else self.names)
            found.append((name + self.dice.choice(["", "", "", "[]", "[a][b]"]), self.text(kind)))
        return found

    def body(self, names, kind):
        chance = self.dice.random()
        if chance < 0.45:
            # Lone surrogates and numbers out of range are JSON, too.
            wanted = self.dice.sample(names, min(len(names), self.dice.randrange(8))) if names else []
            return "application/json", json.dumps({name: self.value(kind) for name in wanted}).encode()
        if chance < 0.85:
            return "application/x-www-form-urlencoded", "&".join(
                f"{escaped(name)}={escaped(value)}" for name, value in self.pairs(names, kind) + self.pairs(names, kind)
            ).encode()
        if chance < 0.92:
            parts = b"".join(
                b'--x\r\nContent-Disposition: form-data; name="' + name.encode() + b'"\r\n\r\n' + raw(value) + b"\r\n"
                for name, value in self.pairs(names, kind)
            )
            return "multipart/form-data; boundary=x", parts + self.dice.choice([b"--x--\r\n", b"--x", b""])
        if chance < 0.96:
            return "application/json", self.dice.choice([b"", b"{", b"[]", b"null", b'{"a":' * 600, b'"\\ud800"', b"1e9999", b"\xff"])
        return self.dice.choice(["text/plain", "application/xml", "nonsense", ""]), raw(self.text(kind))


def walk(body):
    """Every object in an answer."""
    waiting = [body]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def raw(value):
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


def escaped(value):
    return urllib.parse.quote(raw(value), safe="")
