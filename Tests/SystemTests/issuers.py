# SPDX-License-Identifier: Apache-2.0
"""Those outside who say who people are: Apple, Kakao, a company, one whose keys change, and three that do not answer as they should."""

import base64
import functools
import hashlib
import http.server
import json
import os
import pathlib
import secrets
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.parse

PLACE = os.environ.get("MADANG_TEST_ISSUER", "")
SECRETS = {"kakao": os.environ.get("MADANG_ISSUER_KAKAO_SECRET", ""), "company": os.environ.get("MADANG_ISSUER_COMPANY_SECRET", "")}
APPLE_KEY = os.environ.get("MADANG_ISSUER_APPLE_KEY_FILE", "")
# DER of "SHA-256" in front of a digest (RFC 8017, section 9.2).
SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


def part(value):
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unpart(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_prime(number):
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(24):
        x = pow(secrets.randbelow(number - 3) + 2, odd, number)
        if x in (1, number - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % number
            if x == number - 1:
                break
        else:
            return False
    return True


def prime(bits):
    while True:
        number = secrets.randbits(bits) | (3 << (bits - 2)) | 1
        if number % 65537 != 1 and all(number % small for small in (3, 5, 7, 11, 13, 17, 19, 23)) and is_prime(number):
            return number


class Key:
    """RSA of 2,048 bits."""

    def __init__(self, name):
        self.name = name
        p, q = prime(1024), prime(1024)
        self.n, self.d = p * q, pow(65537, -1, (p - 1) * (q - 1))

    @property
    def published(self):
        return {"kty": "RSA", "kid": self.name, "use": "sig", "alg": "RS256", "n": part(self.n.to_bytes(256, "big")), "e": "AQAB"}

    def sign(self, claims, **header):
        text = f"{part({'alg': 'RS256', 'kid': self.name} | header)}.{part(claims)}"
        digest = SHA256_PREFIX + hashlib.sha256(text.encode()).digest()
        padded = b"\x00\x01" + b"\xff" * (256 - 3 - len(digest)) + b"\x00" + digest
        return f"{text}.{part(pow(int.from_bytes(padded, 'big'), self.d, self.n).to_bytes(256, 'big'))}"


@functools.cache
def first_key(issuer):
    """The same for all stand-ins of a run, as auth asks for new ones once a minute; another run's has another name."""
    return Key(f"{issuer}-{secrets.token_hex(4)}")


class Issuers:
    def __init__(self):
        self.keys = {name: [first_key(name)] for name in ("apple", "kakao", "company", "turning")}
        # The others publish the company's, each in its own way.
        self.codes, self.asked, self.revoked = {}, [], []
        host, port = (PLACE or "127.0.0.1:0").rsplit(":", 1)
        self.server = Server((host, int(port)), Handler)
        self.server.issuers = self
        self.origin = f"http://{host}:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    def key(self, name):
        return self.keys.get(name, self.keys["company"])[-1]

    def claims(self, name, subject, /, **changes):
        now = int(time.time())
        claims = {
            "iss": f"{self.origin}/{name}", "sub": subject, "aud": f"{name}-app", "iat": now, "exp": now + 600, "jti": secrets.token_hex(8),
            "email": f"{subject}@example.org", "email_verified": "true" if name == "apple" else True,
        }  # fmt: skip
        return {claim: value for claim, value in (claims | changes).items() if value is not None}

    def token(self, name, subject, /, **changes):
        return self.key(name).sign(self.claims(name, subject, **changes))

    def agree(self, location, subject):
        """What a person does at the issuer. Returns the name of the issuer, the state and the code."""
        url = urllib.parse.urlsplit(location)
        name = url.path.split("/")[1]
        asked = dict(urllib.parse.parse_qsl(url.query))
        assert f"{url.scheme}://{url.netloc}" == self.origin and url.path == f"/{name}/authorize", location
        assert asked["response_type"] == "code" and asked["client_id"] == f"{name}-web", asked
        assert asked["code_challenge_method"] == "S256" and len(asked["code_challenge"]) == 43 and len(asked["nonce"]) >= 32, asked
        assert asked["redirect_uri"].endswith(f"/auth/with/{name}/callback"), asked
        assert ("openid" in asked["scope"].split()) == (name != "apple")
        assert (asked.get("response_mode") == "form_post") == (name == "apple")
        return name, asked["state"], self.code(name, subject, asked)

    def code(self, name, subject, asked=None):
        code = secrets.token_urlsafe(16)
        asked = asked or {"client_id": f"{name}-app"}
        self.codes[code] = {"name": name, "subject": subject, "asked": asked}
        return code

    def redeem(self, name, form):
        given = self.codes.pop(form.get("code", ""), None)
        if form.get("grant_type") != "authorization_code" or not self.knows(name, form) or not given or given["name"] != name:
            return 400, {"error": "invalid_grant"}
        asked = given["asked"]
        challenge = part(hashlib.sha256(form.get("code_verifier", "").encode()).digest()) if "code_verifier" in form else None
        if (form.get("client_id"), form.get("redirect_uri"), challenge) != (
            asked["client_id"], asked.get("redirect_uri"), asked.get("code_challenge"),
        ):  # fmt: skip
            return 400, {"error": "invalid_grant"}
        token = self.token(name, given["subject"], aud=asked["client_id"], nonce=asked.get("nonce"))
        return 200, {"access_token": "unused", "token_type": "Bearer", "refresh_token": secrets.token_urlsafe(16), "id_token": token}

    def knows(self, name, form):
        if name != "apple":
            return form.get("client_secret") == SECRETS.get(name)
        head, claims, signature = form.get("client_secret", "..").split(".")
        header, told = json.loads(unpart(head)), json.loads(unpart(claims))
        good = header["alg"] == "ES256" and header["kid"] == "KEY1234567" and told["iss"] == "TEAM123456" and told["sub"] == form.get("client_id")
        good = good and told["aud"] == f"{self.origin}/apple" and abs(told["iat"] - time.time()) < 60 and 0 < told["exp"] - told["iat"] <= 15777000
        return good and signed_by_apple_key(f"{head}.{claims}".encode(), unpart(signature))


def signed_by_apple_key(text, signature):
    """By OpenSSL, which wants the two numbers of the signature in DER."""

    def integer(raw):
        raw = raw.lstrip(b"\0") or b"\0"
        raw = b"\0" + raw if raw[0] & 0x80 else raw
        return b"\x02" + bytes([len(raw)]) + raw

    body = integer(signature[:32]) + integer(signature[32:])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "signature").write_bytes(b"\x30" + bytes([len(body)]) + body)
        subprocess.run(["openssl", "pkey", "-in", APPLE_KEY, "-pubout", "-out", folder / "key"], check=True, capture_output=True)
        asked = ["openssl", "dgst", "-sha256", "-verify", folder / "key", "-signature", folder / "signature"]
        return subprocess.run(asked, input=text, capture_output=True).returncode == 0


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # noqa: N802: so it is called
        issuers = self.server.issuers
        _, name, *rest = self.path.split("/")
        issuers.asked.append(self.path)
        here = f"{issuers.origin}/{name}"
        match rest:
            case [".well-known", "openid-configuration"]:
                self.tell(200, {
                    "issuer": here, "authorization_endpoint": f"{here}/authorize", "token_endpoint": f"{here}/token",
                    "jwks_uri": f"{here}/keys", "revocation_endpoint": f"{here}/revoke",
                })  # fmt: skip
            case ["keys"] if name == "gone":
                self.tell(503, {"error": "away"})
            case ["keys"]:
                keys = issuers.keys.get(name, issuers.keys["company"])
                document = {"keys": [{"kty": "oct", "kid": "shared", "k": "AAAA"}, *(key.published for key in keys)]}
                if name == "huge":
                    document["filler"] = "a" * (1 << 20)
                if name == "slow":
                    self.server.stopped.wait(30)
                self.tell(200, document)
            case _:
                self.tell(404, {})

    def do_POST(self):  # noqa: N802: so it is called
        issuers = self.server.issuers
        _, name, what = self.path.split("/")
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if what == "token":
            self.tell(*issuers.redeem(name, form))
        elif what == "revoke" and issuers.knows(name, form):
            issuers.revoked.append(form["token"])
            self.tell(200, {})
        else:
            self.tell(400, {"error": "invalid_client"})

    def tell(self, status, document):
        body = json.dumps(document).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Cache-Control", "max-age=300")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # Whoever asked has left.
            self.close_connection = True

    def log_message(self, *_):
        pass


Server.stopped = threading.Event()
