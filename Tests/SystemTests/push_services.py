# SPDX-License-Identifier: Apache-2.0
"""Apple, Firebase with its tokens, and a push service of browsers, as they document themselves: they take nothing that is not right.

Apple and Firebase speak HTTP/2, the push service HTTP/1.1, all at one port with TLS. What came wrongly made stands in `complaints`; what
was taken, in `taken`, by device in order. Chance has them fail in every documented way, the same with the same seed.
"""

import base64
import json
import os
import pathlib
import random
import re
import secrets
import socket
import ssl
import struct
import threading
import time
import urllib.parse
import uuid

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
import http_ece
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hyperframe.frame import GoAwayFrame

import push_keys

PLACE = os.environ.get("MADANG_TEST_PUSH", "")
KEYS = os.environ.get("MADANG_TEST_PUSH_KEYS", "")
TOPIC = "org.madang.tests"
# The ends of every token that was shown or given here: nobody else may come to know them.
seen = set()
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"

# What each may answer that passes, and what ends a message or a device.
APPLE_LATER = [
    (429, "TooManyRequests"), (500, "InternalServerError"), (503, "ServiceUnavailable"), (503, "Shutdown"), (400, "IdleTimeout"),
]  # fmt: skip
# Of those, what Apple and Firebase ask for patience with everything by, not with one device.
FOR_ALL = {"ServiceUnavailable", "Shutdown", "QUOTA_EXCEEDED", "UNAVAILABLE"}
# Seconds in which what was on its way arrives after somebody was asked for patience with everything.
ON_THE_WAY = 1
APPLE_REFUSED = [
    (400, "BadCollapseId"), (400, "BadExpirationDate"), (400, "BadMessageId"), (400, "BadPriority"), (400, "BadTopic"), (400, "DuplicateHeaders"),
    (400, "InvalidPushType"), (400, "MissingTopic"), (400, "PayloadEmpty"), (400, "TopicDisallowed"), (404, "BadPath"), (405, "MethodNotAllowed"),
    (413, "PayloadTooLarge"), (403, "BadEnvironmentKeyIdInToken"),
]  # fmt: skip
APPLE_GONE = [(400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"), (410, "ExpiredToken"), (410, "Unregistered")]
FIREBASE_LATER = [(429, "QUOTA_EXCEEDED"), (503, "UNAVAILABLE"), (500, "INTERNAL")]
FIREBASE_REFUSED = [(400, "INVALID_ARGUMENT"), (401, "THIRD_PARTY_AUTH_ERROR")]
FIREBASE_GONE = [(404, "UNREGISTERED"), (403, "SENDER_ID_MISMATCH")]
WEB_LATER, WEB_REFUSED, WEB_GONE = [429, 500, 503], [400, 413], [404, 410]


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Answer(Exception):
    """Ends a request."""

    def __init__(self, status, body=b"", headers=(), why=None):
        super().__init__(status)
        self.status, self.headers, self.why, self.hush = status, list(headers), why, None
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


class Cut(Exception):
    """Ends a request without an answer: `reset`, `refuse`, `goaway` or `close`."""


class Subscription:
    """What a browser or an app has of a push service."""

    def __init__(self, services, number, is_standard):
        self.key, self.secret, self.is_standard = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16), is_standard
        self.path = f"/push/{number}-{secrets.token_urlsafe(12)}"
        self.endpoint = services.origin + self.path

    @property
    def public_key(self):
        return encoded(self.key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint))

    def form(self):
        """As POST /api/v1/devices and Mastodon's POST /api/v1/push/subscription have it."""
        return {
            "subscription[endpoint]": self.endpoint, "subscription[keys][p256dh]": self.public_key, "subscription[keys][auth]": encoded(self.secret),
            "subscription[standard]": "true" if self.is_standard else "false",
        }  # fmt: skip


class PushServices:
    """Everything is taken until `fail` says otherwise."""

    def __init__(self, place=None, keys=None, seed=None):
        host, port = (place or PLACE or "127.0.0.1:0").rsplit(":", 1)
        folder = pathlib.Path(keys or KEYS)
        self.apple_key = serialization.load_pem_private_key((folder / "apns.p8").read_bytes(), None).public_key()
        self.firebase_key = serialization.load_pem_private_key((folder / "fcm.key").read_bytes(), None).public_key()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / "tls.pem", folder / "tls.key")
        self.context.set_alpn_protocols(["h2", "http/1.1"])
        self.listener = socket.create_server((host, int(port)), backlog=256)
        self.origin = f"https://127.0.0.1:{self.listener.getsockname()[1]}"
        self.lock = threading.Lock()
        self.seed, self.shares, self.token_life = seed, {}, 3600
        self.cuts = ["reset", "refuse", "goaway", "close"]
        self.subscriptions, self.tokens = {}, {}
        self.complaints, self.taken, self.told, self.grants, self.connections = [], {}, {}, [], 0
        self.identity = None
        self.turns, self.quiet = {}, {}
        self.is_open = True

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *error):
        self.is_open = False
        # A thread that accepts is not woken by close alone.
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()

    # What tests do.

    def subscribe(self, is_standard=True):
        with self.lock:
            subscription = Subscription(self, len(self.subscriptions), is_standard)
            self.subscriptions[subscription.path] = subscription
        return subscription

    def fail(self, seed, **shares):
        """From now on so large a share of all requests: `later`, `refused`, `gone`, `cut`, `lost` (taken, but nobody hears it), `slow`."""
        self.seed, self.shares, self.turns, self.quiet = seed, shares, {}, {}

    def of(self, device):
        with self.lock:
            return list(self.taken.get(device, []))

    # Connections.

    def accept(self):
        while self.is_open:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            client.settimeout(30)
            with self.context.wrap_socket(client, server_side=True) as line:
                with self.lock:
                    self.connections += 1
                if line.selected_alpn_protocol() == "h2":
                    Streams(self, line).run()
                else:
                    self.serve_one(line)
        except (OSError, h2.exceptions.H2Error):
            pass
        finally:
            client.close()

    def serve_one(self, line):
        """One request of HTTP/1.1."""
        reader = line.makefile("rb")
        words = reader.readline().decode().split(" ", 2)
        if len(words) != 3:
            return  # Whoever asked was killed before they did.
        method, path, _ = words
        headers = []
        while (row := reader.readline().strip()) and len(headers) < 100:
            name, _, value = row.decode().partition(":")
            headers.append((name.lower(), value.strip()))
        length = int(dict(headers).get("content-length", 0))
        try:
            answer = self.answer(method, path, headers, reader.read(min(length, 1 << 20)), None)
        except Cut:
            return
        head = [f"HTTP/1.1 {answer.status} Said", f"Content-Length: {len(answer.body)}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in answer.headers]
        line.sendall("\r\n".join([*head, "", ""]).encode() + answer.body)

    # Patience.

    def patience(self, answer, reason, dice, device, everything):
        """Asks for patience with the device, or with everything that comes over a connection to this provider."""
        seconds = 2 if reason in FOR_ALL else dice.choice([1, 2])
        answer.headers.append(("retry-after", str(seconds)))
        answer.hush = (everything if reason in FOR_ALL else device, reason, seconds)
        return answer

    def heard(self, answer):
        """The answer has left: from now on who was asked for patience has to keep it. Where connections are cut nobody knows who heard."""
        if answer.hush and not self.shares.get("cut"):
            key, reason, seconds = answer.hush
            now = time.monotonic()
            with self.lock:
                self.quiet[key] = (reason, now + (ON_THE_WAY if reason in FOR_ALL else 0), now + seconds)

    def expect_patience(self, device, everything):
        now = time.monotonic()
        with self.lock:
            for key in (device, everything):
                reason, start, end = self.quiet.get(key, ("", 0, 0))
                if start <= now < end:
                    self.complaints.append(f"{device[:12]}: asked for patience by {reason}, and asked again {end - now:.2f} s too soon")

    # Requests.

    def answer(self, method, path, headers, body, streams):
        """Raises `Cut` where nothing is answered."""
        url = urllib.parse.urlsplit(path)
        try:
            if url.path == "/token":
                self.give_token(method, dict(headers), body)
            elif url.path.startswith("/3/device/"):
                self.take_apple(method, url.path, headers, body, streams)
            elif url.path.startswith("/v1/projects/"):
                self.take_firebase(method, url.path, dict(headers), body, streams)
            elif url.path.startswith("/push/"):
                self.take_web(method, url.path, dict(headers), body)
            raise Answer(404)
        except Answer as answer:
            if answer.why:
                with self.lock:
                    self.complaints.append(f"{method} {url.path[:40]}: {answer.status} {answer.why}")
            return answer

    def take(self, device, name, content, failures):
        """Takes a message of a device, or fails as chance has it; `failures` makes answers of `later`, `refused` and `gone`."""
        with self.lock:
            turn = self.turns[name] = self.turns.get(name, -1) + 1
            shares = dict(self.shares)
        # What becomes of a message for good is decided with its first turn, what passes anew with each.
        fate, passing = (random.Random(f"{self.seed} {what}") for what in (f"{device} {name}", f"{device} {name} {turn}"))
        chance, shared = fate.random(), 0
        for end in ("gone", "refused"):
            shared += shares.get(end, 0)
            if chance < shared:
                answer, reason = failures[end](fate)
                with self.lock:
                    self.told.setdefault(device, {})[name] = (end, reason)
                raise answer
        if passing.random() < shares.get("slow", 0):
            time.sleep(passing.uniform(0.1, 1))
        # Nobody has bad luck for ever.
        if turn < 4:
            chance, shared = passing.random(), 0
            for end in ("later", "cut"):
                shared += shares.get(end, 0)
                if chance < shared:
                    if end == "cut":
                        raise Cut(passing.choice(self.cuts))
                    raise failures[end](passing)[0]
        with self.lock:
            self.taken.setdefault(device, []).append((name, content))
        if turn < 4 and passing.random() < shares.get("lost", 0):
            raise Cut("close")

    def give_token(self, method, headers, body):
        form = {name: values[0] for name, values in urllib.parse.parse_qs(body.decode()).items()}
        if method != "POST" or headers.get("content-type") != "application/x-www-form-urlencoded" or form.get("grant_type") != GRANT:
            raise Answer(400, {"error": "invalid_request"}, why="no request for a token")
        try:
            claims = jwt.decode(form.get("assertion", ""), self.firebase_key, algorithms=["RS256"], audience=f"{self.origin}/token", leeway=10,
                                options={"require": ["iss", "aud", "iat", "exp", "scope"]})  # fmt: skip
        except jwt.PyJWTError as error:
            raise Answer(400, {"error": "invalid_grant"}, why=f"assertion: {error}") from error
        if claims["iss"] != push_keys.ACCOUNT or claims["scope"] != SCOPE or claims["exp"] - claims["iat"] > 3600:
            raise Answer(400, {"error": "invalid_grant"}, why=f"claims: {claims}")
        token = secrets.token_urlsafe(24)
        seen.add(token)
        with self.lock:
            self.tokens[token] = time.time() + self.token_life
            self.grants.append(time.time())
        raise Answer(200, {"access_token": token, "expires_in": self.token_life, "token_type": "Bearer"})

    def take_apple(self, method, path, headers, body, streams):
        def refuse(status, reason, why=None, **more):
            return Answer(status, {"reason": reason} | more, [("apns-id", dict(headers).get("apns-id", str(uuid.uuid4())))], why=why)

        names = [name for name, _ in headers]
        given = dict(headers)
        if streams is None:
            raise refuse(403, "Forbidden", why="not by HTTP/2")
        if method != "POST":
            raise refuse(405, "MethodNotAllowed", why=method)
        if len(names) != len(set(names)):
            raise refuse(400, "DuplicateHeaders", why=str(names))
        device = path.removeprefix("/3/device/")
        if not re.fullmatch(r"[0-9a-fA-F]{2,200}", device):
            raise refuse(404, "BadPath", why=path)
        self.check_apple_token(given.get("authorization", ""), streams, refuse)
        identity = given.get("apns-id", "")
        if not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity):
            raise refuse(400, "BadMessageId", why=identity)
        kind, priority = given.get("apns-push-type"), given.get("apns-priority", "10")
        if kind not in ("alert", "background"):
            raise refuse(400, "InvalidPushType", why=str(kind))
        if priority not in ("10", "5", "1") or (kind == "background" and priority == "10"):
            raise refuse(400, "BadPriority", why=f"{kind} {priority}")
        if not re.fullmatch(r"\d{1,12}", given.get("apns-expiration", "0")):
            raise refuse(400, "BadExpirationDate", why=given["apns-expiration"])
        if "apns-topic" not in given:
            raise refuse(400, "MissingTopic", why="none")
        if given["apns-topic"] != TOPIC:
            raise refuse(400, "DeviceTokenNotForTopic")
        if len(given.get("apns-collapse-id", "").encode()) > 64:
            raise refuse(400, "BadCollapseId", why="too long")
        if not body:
            raise refuse(400, "PayloadEmpty", why="none")
        if len(body) > 4096:
            raise refuse(413, "PayloadTooLarge", why=str(len(body)))
        payload = json.loads(body)
        aps = payload.get("aps")
        known = {"alert", "badge", "sound", "thread-id", "mutable-content", "content-available", "category", "interruption-level"}
        if not isinstance(aps, dict) or set(aps) - known or not isinstance(aps.get("badge", 0), int):
            raise refuse(400, "PayloadEmpty", why=f"aps: {aps}")
        if kind == "background" and set(aps) != {"content-available"}:
            raise refuse(400, "InvalidPushType", why=f"background with {sorted(aps)}")

        def gone(dice):
            status, reason = dice.choice(APPLE_GONE)
            return refuse(status, reason, **({"timestamp": int(time.time() * 1000)} if status == 410 else {})), reason

        def refused(dice):
            status, reason = dice.choice(APPLE_REFUSED)
            return refuse(status, reason), reason

        def later(dice):
            status, reason = dice.choice(APPLE_LATER)
            return self.patience(refuse(status, reason), reason, dice, device, ("apple", streams)), reason

        # Both stand at one address, so that one connection may serve both.
        self.expect_patience(device, ("apple", streams))
        self.take(device, identity, payload, {"gone": gone, "refused": refused, "later": later})
        raise Answer(200, headers=[("apns-id", identity)])

    def check_apple_token(self, authorization, streams, refuse):
        """Signed by the key, not older than an hour, and on one connection not renewed within twenty minutes."""
        if not authorization.startswith("bearer "):
            raise refuse(403, "MissingProviderToken", why=authorization[:20])
        token = authorization.removeprefix("bearer ")
        seen.add(token.rsplit(".", 1)[-1])
        try:
            claims = jwt.decode(token, self.apple_key, algorithms=["ES256"], options={"require": ["iss", "iat"]}, leeway=10)
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError as error:
            raise refuse(403, "InvalidProviderToken", why=str(error)) from error
        if head.get("kid") != push_keys.KEY_ID or claims["iss"] != push_keys.TEAM_ID:
            raise refuse(403, "InvalidProviderToken", why=f"{head} {claims}")
        if time.time() - claims["iat"] > 3600:
            raise refuse(403, "ExpiredProviderToken", why="older than an hour")
        if streams.token not in (None, token) and claims["iat"] - streams.issued < 20 * 60:
            raise refuse(429, "TooManyProviderTokenUpdates", why="renewed too soon")
        streams.token, streams.issued = token, claims["iat"]

    def take_firebase(self, method, path, headers, body, streams):
        def refuse(status, code, canonical="INVALID_ARGUMENT", why=None, message="no"):
            details = [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}] if code else []
            error = {"error": {"code": status, "message": message, "status": canonical, "details": details}}
            return Answer(status, error, why=why)

        if method != "POST" or path != f"/v1/projects/{push_keys.PROJECT}/messages:send":
            raise refuse(404, None, "NOT_FOUND", why=path)
        with self.lock:
            is_known = self.tokens.get(headers.get("authorization", "").removeprefix("Bearer "), 0) > time.time()
        if not is_known:
            raise refuse(401, None, "UNAUTHENTICATED")
        whole = json.loads(body)
        message = whole.get("message", {})
        device, data = message.get("token"), message.get("data", {})
        odd = set(whole) - {"message"} or set(message) - {"token", "data", "notification", "android", "apns", "webpush", "fcm_options"}
        reserved = [name for name in data if name in ("from", "message_type", "collapse_key") or name.startswith(("google.", "gcm."))]
        android = message.get("android", {})
        ttl = re.fullmatch(r"(\d+)(\.\d+)?s", android.get("ttl", "0s"))
        size = len(json.dumps([data, message.get("notification", {})], ensure_ascii=False).encode())
        if odd or reserved or not device or not all(isinstance(value, str) for value in data.values()) or size > 4096 + 40:
            raise refuse(400, "INVALID_ARGUMENT", why=f"odd {odd} reserved {reserved} size {size}")
        if not ttl or int(ttl[1]) > 2_419_200 or android.get("priority", "NORMAL") not in ("NORMAL", "HIGH"):
            raise refuse(400, "INVALID_ARGUMENT", why=f"android {android}")
        if set(message.get("notification", {})) - {"title", "body", "image"}:
            raise refuse(400, "INVALID_ARGUMENT", why="notification")

        def gone(dice):
            status, code = dice.choice(FIREBASE_GONE)
            return refuse(status, code, "NOT_FOUND"), code

        def refused(dice):
            status, code = dice.choice(FIREBASE_REFUSED)
            return refuse(status, code), code

        def later(dice):
            status, code = dice.choice(FIREBASE_LATER)
            return self.patience(refuse(status, code, "UNAVAILABLE"), code, dice, device, ("firebase", streams)), code

        self.expect_patience(device, ("firebase", streams))
        self.take(device, data.get("push_id", ""), message, {"gone": gone, "refused": refused, "later": later})
        raise Answer(200, {"name": f"projects/{push_keys.PROJECT}/messages/{secrets.token_hex(8)}"})

    def take_web(self, method, path, headers, body):
        subscription = self.subscriptions.get(path)
        if subscription is None:
            raise Answer(404)
        if method != "POST" or not re.fullmatch(r"\d{1,7}", headers.get("ttl", "")):
            raise Answer(400, why=f"{method} TTL {headers.get('ttl')}")
        if headers.get("urgency", "normal") not in ("very-low", "low", "normal", "high"):
            raise Answer(400, why=f"urgency {headers['urgency']}")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", headers.get("topic", "a")):
            raise Answer(400, why=f"topic {headers['topic']}")
        if len(body) > 4096:
            raise Answer(413, why=str(len(body)))
        self.check_identity(subscription, headers)
        try:
            text = self.decrypt(subscription, headers, body)
        except Exception as error:
            raise Answer(400, why=f"not to be decrypted: {error!r}") from error
        payload = json.loads(text)
        refusals = {
            "gone": lambda dice: (lambda status: (Answer(status), f"HTTP {status}"))(dice.choice(WEB_GONE)),
            "refused": lambda dice: (
                lambda status: (Answer(status), "PayloadTooLarge" if status == 413 else f"HTTP {status}")
            )(dice.choice(WEB_REFUSED)),
            "later": lambda dice: (Answer(dice.choice(WEB_LATER), headers=[("Retry-After", "1")]), ""),
        }  # fmt: skip
        # Without a name of its own it is known by what it says.
        self.take(path, payload.get("push_id") or str(payload.get("notification_id") or text[:200]), payload, refusals)
        raise Answer(201, headers=[("Location", f"{self.origin}/message/{secrets.token_hex(8)}")])

    def check_identity(self, subscription, headers):
        """VAPID (RFC 8292), or the draft before it; the first key that comes is the one that all subscriptions are bound to."""
        authorization, keys = headers.get("authorization", ""), headers.get("crypto-key", "")
        if subscription.is_standard:
            parts = re.fullmatch(r"vapid t=([\w.-]+), ?k=([\w-]+)", authorization)
        else:
            parts = re.fullmatch(r"WebPush ([\w.-]+) ([\w-]+)", f"{authorization} {dict(part.split('=', 1) for part in keys.split(';') if '=' in part).get('p256ecdsa', '')}")
        if not parts:
            raise Answer(401, why=f"authorization {authorization[:30]} {keys[:30]}")
        token, public = parts.groups()
        seen.add(token.rsplit(".", 1)[-1])
        try:
            key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public))
            claims = jwt.decode(token, key, algorithms=["ES256"], audience=self.origin, options={"require": ["aud", "exp"]})
        except (jwt.PyJWTError, ValueError) as error:
            raise Answer(403, why=f"VAPID: {error}") from error
        if claims["exp"] > time.time() + 86_400 or not str(claims.get("sub", "mailto:")).startswith(("mailto:", "https:")):
            raise Answer(403, why=f"VAPID: {claims}")
        with self.lock:
            self.identity = self.identity or public
            if self.identity != public:
                raise Answer(403, why="another key than subscribed with")

    def decrypt(self, subscription, headers, body):
        if subscription.is_standard:
            if headers.get("content-encoding") != "aes128gcm" or struct.unpack(">I", body[16:20])[0] < 18:
                raise ValueError(headers.get("content-encoding"))
            return http_ece.decrypt(body, private_key=subscription.key, auth_secret=subscription.secret, version="aes128gcm").decode()
        if headers.get("content-encoding") != "aesgcm":
            raise ValueError(headers.get("content-encoding"))
        salt = decoded(headers["encryption"].removeprefix("salt="))
        sender = decoded(dict(part.split("=", 1) for part in headers["crypto-key"].split(";"))["dh"])
        # Two bytes of padding's length, which http_ece takes away.
        return http_ece.decrypt(body, salt=salt, private_key=subscription.key, dh=sender, auth_secret=subscription.secret, version="aesgcm").decode()


class Streams:
    """One connection of HTTP/2. What takes time is answered by a thread of its own."""

    def __init__(self, services, line):
        self.services, self.line = services, line
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.requests, self.lock, self.pending = {}, threading.RLock(), 0
        # The newest stream that was looked at, and the one that a GOAWAY named.
        self.newest, self.last = 0, None
        self.token, self.issued = None, 0

    def run(self):
        with self.lock:
            self.connection.initiate_connection()
            self.connection.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 100})
            self.flush()
        while data := self.line.recv(65_536):
            with self.lock:
                for event in self.connection.receive_data(data):
                    self.handle(event)
                self.flush()

    def flush(self):
        if data := self.connection.data_to_send():
            self.line.sendall(data)

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.requests[event.stream_id] = ([(str(name), str(value)) for name, value in event.headers], bytearray())
        elif isinstance(event, h2.events.DataReceived):
            self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            if event.stream_id in self.requests and len(self.requests[event.stream_id][1]) <= 1 << 20:
                self.requests[event.stream_id][1].extend(event.data)
        elif isinstance(event, h2.events.StreamReset):
            self.requests.pop(event.stream_id, None)
        elif isinstance(event, h2.events.StreamEnded):
            headers, body = self.requests.pop(event.stream_id)
            # Beyond what a GOAWAY named nothing is looked at, so that it may be sent again.
            if self.last is None or event.stream_id <= self.last:
                self.pending += 1
                self.newest = max(self.newest, event.stream_id)
                threading.Thread(target=self.answer, args=(event.stream_id, headers, bytes(body)), daemon=True).start()

    def answer(self, stream, headers, body):
        given = dict(headers)
        plain = [(name, value) for name, value in headers if not name.startswith(":")]
        cut = answer = None
        try:
            answer = self.services.answer(given.get(":method", ""), given.get(":path", ""), plain, body, self)
        except Cut as error:
            cut = str(error)
        try:
            with self.lock:
                self.pending -= 1
                self.say(stream, answer, cut)
                self.flush()
                if answer:
                    self.services.heard(answer)
                if self.last is not None and not self.pending:
                    self.line.shutdown(socket.SHUT_RDWR)
        except (OSError, h2.exceptions.H2Error):
            pass

    def say(self, stream, answer, cut):
        if cut == "close":
            self.line.shutdown(socket.SHUT_RDWR)
        elif cut == "goaway":
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
            self.flush()
            if self.last is None:
                # What is being answered may be taken: only what is newer may be sent again (RFC 9113, 6.8).
                self.last = self.newest
                # By hand: the library's own ends all streams with it.
                self.line.sendall(GoAwayFrame(0, last_stream_id=self.last, error_code=0, additional_data=b'{"reason":"Shutdown"}').serialize())
        elif cut:
            code = h2.errors.ErrorCodes.REFUSED_STREAM if cut == "refuse" else h2.errors.ErrorCodes.INTERNAL_ERROR
            self.connection.reset_stream(stream, code)
        else:
            headers = [(":status", str(answer.status)), *answer.headers, ("content-length", str(len(answer.body)))]
            self.connection.send_headers(stream, headers, end_stream=not answer.body)
            if answer.body:
                self.connection.send_data(stream, answer.body, end_stream=True)
