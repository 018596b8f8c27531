#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes every password and key of one Madang at its first start, and keeps them afterwards.

Each process gets a folder of its own with nothing but what it may know: files that its settings name as
MADANG_…_FILE. The folder `postgres` holds the passwords of the roles, `rabbitmq` the broker's definitions: the
committed topology together with a user for each process.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import secrets
import subprocess

SERVICES = [
    line.split() for line in pathlib.Path(__file__).with_name("services").read_text().splitlines() if not line.startswith("#")
]
STORES = [name for name, *_ in SERVICES]
PROCESSES = [*STORES, "gateway"]
# Those whose /internal routes the gateway asks.
INTERNAL = [name for name, *about in SERVICES if "asked" in about]
# Those whose processes hear live messages through a queue of their own: the keys.
HEARD = {name: [word.removeprefix("hears:") for word in about if word.startswith("hears:")] for name, *about in SERVICES}
# Those who show stored files, and the one that serves them.
LINKING = ("posts", "chat", "notifications", "search", "media")
# No process: the operator who replays dead letters.
REPLAY = "replay"


def kept(path: pathlib.Path, make) -> str:
    """The content of a file, which `make` provides when there is none yet."""
    if not path.exists():
        write(path, make())
    return path.read_text().strip()


def write(path: pathlib.Path, text: str) -> None:
    """Replaces a file as a whole, readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_suffix(".new")
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def password() -> str:
    return secrets.token_urlsafe(24)


def signing_key() -> str:
    """The 32 bytes of an Ed25519 private key (RFC 8032), the last of its PKCS #8 form (RFC 8410)."""
    der = subprocess.run(
        ["openssl", "genpkey", "-algorithm", "ed25519", "-outform", "DER"], check=True, capture_output=True
    ).stdout
    return base64.b64encode(der[-32:]).decode()


def server_identity() -> str:
    """A private key of P-256 in PEM: browsers' subscriptions are bound to it (RFC 8292)."""
    return subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], check=True, capture_output=True, text=True
    ).stdout.strip()


def public_identity(private: str) -> str:
    """The point of a key of P-256, uncompressed, in Base64 for URLs."""
    der = subprocess.run(
        ["openssl", "pkey", "-pubout", "-outform", "DER"], input=private.encode() + b"\n", check=True, capture_output=True
    ).stdout
    return base64.urlsafe_b64encode(der[-65:]).rstrip(b"=").decode()


def public_key(private: str) -> str:
    der = bytes.fromhex("302e020100300506032b657004220420") + base64.b64decode(private)
    public = subprocess.run(
        ["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"], input=der, check=True, capture_output=True
    ).stdout
    return base64.b64encode(public[-32:]).decode()


def broker_hash(text: str) -> str:
    """RabbitMQ's rabbit_password_hashing_sha256: four bytes of salt, then SHA-256 of salt and password.

    The salt comes from the password, so that a restart does not change the definitions.
    """
    salt = hashlib.sha256(b"salt" + text.encode()).digest()[:4]
    return base64.b64encode(salt + hashlib.sha256(salt + text.encode()).digest()).decode()


def permissions(process: str) -> tuple[dict, list[dict]]:
    """What a process may do at the broker: read its own queues, tell its own events."""
    if process == REPLAY:
        # Through the default exchange to any queue, as nobody else may: a service could forge what others tell.
        none = [{"exchange": exchange, "write": "^$", "read": "^$"} for exchange in ("events", "plain", "reached", "live", "retold")]
        return {"configure": "^$", "write": r"^amq\.default$", "read": "^$"}, none
    if process == "gateway":
        own = r"^gateway\..*$"
        may = {"configure": own, "write": r"^(live|gateway\..*)$", "read": r"^(live|gateway\..*)$"}
        # Binding its own queue to the exchange `live` needs the right to read every key there.
        return may, [{"exchange": "live", "write": own, "read": ".*"}]
    own = rf"^{process}\..*$"
    may = {"configure": "^$", "write": r"^(events|plain|reached|live|retold)$", "read": own}
    topics = {exchange: {"exchange": exchange, "write": own, "read": "^$"} for exchange in ("events", "plain", "reached", "live")}
    # To the queue of whoever asked, but its own events all the same.
    topics["retold"] = {"exchange": "retold", "write": rf"^[a-z]+\.[a-z]+\.{process}\..*$", "read": "^$"}
    if heard := HEARD[process]:
        # Through a queue of its own, as gateways have, and nothing else that is live.
        may = {
            "configure": rf"^{process}\.live\..*$",
            "write": rf"^(events|plain|reached|live|retold|{process}\.live\..*)$",
            "read": rf"^(live|{process}\..*)$",
        }
        topics["live"]["read"] = f"^({'|'.join(map(re.escape, heard))})$"
    return may, list(topics.values())


def definitions(topology: pathlib.Path, passwords: dict[str, str]) -> str:
    document = json.loads(topology.read_text())
    document["users"] = [
        {
            "name": process,
            "password_hash": broker_hash(passwords[process]),
            "hashing_algorithm": "rabbit_password_hashing_sha256",
            "tags": "",
        }
        for process in (*PROCESSES, REPLAY)
    ]
    document["permissions"] = []
    document["topic_permissions"] = []
    for process in (*PROCESSES, REPLAY):
        may, topics = permissions(process)
        document["permissions"].append({"user": process, "vhost": "/", **may})
        document["topic_permissions"] += [{"user": process, "vhost": "/", **topic} for topic in topics]
    return json.dumps(document, indent=2)


def internal_secrets(root: pathlib.Path) -> None:
    """A secret between the gateway and each service that it asks: what one knows opens nothing of another.

    An installation from before has one that all of them shared. It stays in use, so that processes of both releases serve
    each other, and services accept their own besides. Once its file is removed, the gateway is started anew, then the
    services, and the shared one opens nothing any more.
    """
    shared = root / "internal-secret"
    before = shared.read_text().strip() if shared.exists() else None
    # Browsers were known by that secret, and stay known.
    kept(root / "auth" / "browser-key", lambda: before or password())
    for service in INTERNAL:
        own = kept(root / "internal" / service, password)
        write(root / service / "internal-secret", before or own)
        write(root / service / "internal-secret-next", own if before else "")
        write(root / "gateway" / f"internal-secret-{service}", before or own)
    write(root / "gateway" / "internal-secret", before or "")


def signing_keys(root: pathlib.Path, step: str | None) -> str:
    """The public keys that services believe: of the key that signs, and of the one after or before it.

    The key is changed in three steps, and after each the processes are started anew, one copy after the other:
    `next` makes a key that everybody believes, `change` signs with it, `done` no longer believes the one before. Between
    the last two lie five minutes: so long gateways go on with what the key before has signed.
    """
    current, following, last = root / "auth" / "principal-private-key", root / "signing-key-next", root / "signing-key-last"
    kept(current, signing_key)
    if step == "next":
        kept(following, signing_key)
    elif step == "change" and following.exists():
        write(last, current.read_text().strip())
        write(current, following.read_text().strip())
        following.unlink()
    elif step == "done":
        last.unlink(missing_ok=True)
    return " ".join(public_key(path.read_text().strip()) for path in (current, following, last) if path.exists())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--directory", type=pathlib.Path, required=True)
    arguments.add_argument("--topology", type=pathlib.Path, required=True)
    arguments.add_argument("--postgres", default="postgres:5432", help="host:port")
    arguments.add_argument("--broker", default="rabbitmq:5672", help="host:port")
    arguments.add_argument("--owner", action="append", default=[], help="FOLDER=UID, to whom a folder is given")
    arguments.add_argument("--signing-key", choices=("next", "change", "done"), help="a step of changing it")
    options = arguments.parse_args()
    root = options.directory

    broker_passwords = {}
    internal_secrets(root)
    public_keys = signing_keys(root, options.signing_key)
    kept(root / "postgres" / "superuser-password", password)
    # Links to files stay good for ever, and so does the key that signs them.
    link_key = kept(root / "media-link-key", password)
    # With another key no browser would be reached any more that subscribed before.
    identity = kept(root / "notifications" / "vapid-key", server_identity)
    # What clients are told of it.
    for process in ("auth", "gateway"):
        write(root / process / "vapid-public-key", public_identity(identity))
    for process in PROCESSES:
        folder = root / process
        broker_passwords[process] = kept(root / "rabbitmq" / f"{process}-password", password)
        write(folder / "amqp", f"amqp://{process}:{broker_passwords[process]}@{options.broker}/%2F")
        write(folder / "principal-public-key", public_keys)
        if process in LINKING:
            write(folder / "media-link-key", link_key)
        if process in STORES:
            role = kept(root / "postgres" / f"{process}-password", password)
            write(folder / "postgres", f"postgresql://{process}:{role}@{options.postgres}/madang")
    broker_passwords[REPLAY] = kept(root / "rabbitmq" / f"{REPLAY}-password", password)
    write(root / REPLAY / "amqp", f"amqp://{REPLAY}:{broker_passwords[REPLAY]}@{options.broker}/%2F")
    write(root / "rabbitmq" / "definitions.json", definitions(options.topology, broker_passwords))

    for owner in options.owner:
        folder, uid = owner.split("=")
        for path in [root / folder, *(root / folder).iterdir()]:
            os.chown(path, int(uid), int(uid))


if __name__ == "__main__":
    main()
