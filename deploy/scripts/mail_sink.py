#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server of mail that keeps what it takes, the last thousands, and sends nothing on: for a look at letters, and for tests.

    mail_sink.py serve FOLDER PORT    takes letters into FOLDER/letters; makes FOLDER/tls.pem, FOLDER/user and FOLDER/password once
    mail_sink.py make FOLDER          makes those three alone
    mail_sink.py show FOLDER [COUNT]  the last letters, the newest last

It is strict: nothing before TLS, nobody without the password, no line that RFC 5321 and 5322 do not allow. Tests have it fail on
demand.
"""

import base64
import email
import email.policy
import json
import pathlib
import random
import re
import secrets
import socket
import ssl
import subprocess
import sys
import threading

ONCE = ("from", "to", "subject", "date", "message-id", "mime-version", "content-type", "auto-submitted")


KEPT = 5000


def plain(address):
    """As a part of a file's name."""
    return re.sub(r"[^a-z0-9@._+-]", "~", address.lower())


def number_of(path):
    return int(path.name.split("_")[0])


class Hung(Exception):
    """The connection is over."""


class Letter:
    def __init__(self, sender, recipient, raw):
        self.sender, self.recipient, self.raw = sender, recipient, raw
        self.message = email.message_from_bytes(raw, policy=email.policy.default)
        self.id = str(self.message["message-id"] or "").strip()

    @property
    def subject(self):
        return str(self.message["subject"])

    def body(self, kind="plain"):
        return self.message.get_body((kind,)).get_content().replace("\r\n", "\n")

    def wrongs(self):
        """What is not as the standards want it."""
        head, _, _ = self.raw.partition(b"\r\n\r\n")
        names = [line.split(b":")[0].lower().decode("ascii", "replace") for line in head.split(b"\r\n") if line[:1] not in b" \t"]
        wrong = [f"{name} stands {names.count(name)} times" for name in ONCE if names.count(name) != 1]
        if b"\n" in self.raw.replace(b"\r\n", b"") or b"\r" in self.raw.replace(b"\r\n", b""):
            wrong.append("an end of a line is not CRLF")
        if any(len(line) > 998 for line in self.raw.split(b"\r\n")):
            wrong.append("a line is longer than 998 octets")
        if any(byte > 127 for byte in self.raw):
            wrong.append("it is not ASCII")
        if self.message.get_content_type() != "multipart/alternative":
            wrong.append(f"it is {self.message.get_content_type()}")
        elif [part.get_content_type() for part in self.message.iter_parts()] != ["text/plain", "text/html"]:
            wrong.append("its parts are not text and HTML")
        if not re.fullmatch(r"<[0-9a-f-]{36}@[a-z0-9.-]+>", self.id):
            wrong.append(f"its id is {self.id}")
        if self.message["to"] != self.recipient:
            wrong.append("it is to somebody else")
        return wrong + [f"{type(defect).__name__}" for defect in self.message.defects]


class MailSink:
    """Takes everything until FOLDER/faults.json says otherwise: `shares` of what goes wrong by chance, and `replies` to addresses.

    Shares are of connections or letters: `busy` (421 as greeting), `later` (451, 452), `refused` (550, 554), `cut` (the connection ends
    before the letter is taken), `lost` (it ends after that, before the answer). What became of letters stands in FOLDER/told.jsonl, what
    is wrong with them in FOLDER/complaints.
    """

    def __init__(self, folder, port, is_tls=False):
        self.folder = pathlib.Path(folder)
        self.user, self.password = (self.folder / "user").read_text().strip(), (self.folder / "password").read_text().strip()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.folder / "tls.pem", self.folder / "tls.key")
        # From the first byte on (smtps), or after STARTTLS.
        self.is_tls = is_tls
        (self.folder / "letters").mkdir(exist_ok=True, mode=0o700)
        self.number = max((number_of(path) for path in (self.folder / "letters").glob("*.eml")), default=0)
        self.lock, self.dice = threading.Lock(), random.Random()
        self.listener = socket.create_server(("127.0.0.1", int(port)), backlog=64)
        self.port = self.listener.getsockname()[1]

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.speak, args=(connection,), daemon=True).start()

    def speak(self, connection):
        connection.settimeout(60)
        try:
            if self.is_tls:
                connection = self.context.wrap_socket(connection, server_side=True)
            Session(self, connection).run()
        except (Hung, OSError, ssl.SSLError, ValueError):
            pass
        finally:
            connection.close()

    def faults(self):
        try:
            return json.loads((self.folder / "faults.json").read_text())
        except FileNotFoundError:
            return {}

    def tell(self, recipient, end, reason=None, letter=None):
        with self.lock, open(self.folder / "told.jsonl", "a") as file:
            file.write(json.dumps({"recipient": recipient, "end": end, "reason": reason, "id": letter}) + "\n")

    def take(self, letter, is_lost):
        with self.lock:
            self.number += 1
            name = f"{self.number:08}_{plain(letter.recipient)}.eml"
            # Whoever reads the folder finds whole letters.
            (self.folder / "part").write_bytes(letter.raw)
            (self.folder / "part").rename(self.folder / "letters" / name)
            for path in (self.folder / "letters").glob(f"{self.number - KEPT:08}_*"):
                path.unlink()
            with open(self.folder / "complaints", "a") as file:
                file.writelines(f"{letter.id}: {wrong}\n" for wrong in letter.wrongs())
        self.tell(letter.recipient, "lost" if is_lost else "taken", letter=letter.id)


class Session:
    def __init__(self, sink, connection):
        self.sink, self.connection, self.buffer = sink, connection, b""
        self.is_secure, self.is_known, self.has_greeted = sink.is_tls, False, False
        self.sender = self.recipient = None
        faults = sink.faults()
        self.shares, self.replies = faults.get("shares", {}), faults.get("replies", {})

    def say(self, reply):
        self.connection.sendall(reply.encode() + b"\r\n")

    def line(self):
        while b"\r\n" not in self.buffer:
            if len(self.buffer) > 4096:
                raise Hung
            self.more()
        line, _, self.buffer = self.buffer.partition(b"\r\n")
        return line.decode("ascii")

    def happens(self, name):
        with self.sink.lock:
            return self.sink.dice.random() < self.shares.get(name, 0)

    def more(self):
        got = self.connection.recv(65536)
        if not got:
            raise Hung
        self.buffer += got

    def run(self):
        if self.happens("busy"):
            self.sink.tell(None, "busy")
            return self.say("421 4.3.2 too busy")
        self.say("220 mail.sink ESMTP")
        while True:
            verb, _, rest = self.line().partition(" ")
            answer = getattr(self, "on_" + verb.lower(), None)
            if not answer:
                self.say("502 5.5.2 not known here")
            else:
                answer(rest)

    def on_ehlo(self, rest):
        if not re.fullmatch(r"[A-Za-z0-9.-]+|\[.*\]", rest):
            return self.say("501 5.5.4 who is that")
        self.has_greeted = True
        lines = ["mail.sink", "SIZE 1000000", "ENHANCEDSTATUSCODES"] + (["AUTH PLAIN LOGIN"] if self.is_secure else ["STARTTLS"])
        for number, text in enumerate(lines):
            self.say(f"250{'-' if number < len(lines) - 1 else ' '}{text}")

    def on_starttls(self, _):
        if self.is_secure or self.buffer:
            return self.say("503 5.5.1 not now")
        self.say("220 2.0.0 go on")
        self.connection = self.sink.context.wrap_socket(self.connection, server_side=True)
        self.is_secure, self.has_greeted = True, False

    def on_auth(self, rest):
        if not self.is_secure or not self.has_greeted:
            return self.say("538 5.7.11 not without TLS")
        kind, _, first = rest.partition(" ")
        if kind.upper() == "PLAIN":
            if not first:
                self.say("334 ")
                first = self.line()
            _, user, password = base64.b64decode(first).decode().split("\0")
        elif kind.upper() == "LOGIN":
            if not first:
                self.say("334 VXNlcm5hbWU6")
                first = self.line()
            user = base64.b64decode(first).decode()
            self.say("334 UGFzc3dvcmQ6")
            password = base64.b64decode(self.line()).decode()
        else:
            return self.say("504 5.5.4 not known here")
        self.is_known = (user, password) == (self.sink.user, self.sink.password)
        self.say("235 2.7.0 welcome" if self.is_known else "535 5.7.8 wrong")

    def on_mail(self, rest):
        if not self.is_known:
            return self.say("530 5.7.0 who is that")
        found = re.fullmatch(r"FROM:<([^<>\s]+@[^<>\s]+)>( SIZE=\d+)?", rest)
        if not found:
            return self.say("501 5.1.7 no address")
        self.sender, self.recipient = found[1], None
        self.say("250 2.1.0 well")

    def on_rcpt(self, rest):
        found = re.fullmatch(r"TO:<([^<>\s]+@[^<>\s]+)>", rest)
        if not self.sender or not found:
            return self.say("503 5.5.1 not now")
        reply = self.replies.get(found[1])
        if reply:
            self.sink.tell(found[1], "refused" if reply[0] == "5" else "later", reply)
            return self.say(reply)
        if self.happens("refused"):
            self.sink.tell(found[1], "refused", "550 5.1.1")
            return self.say("550 5.1.1 nobody of this name")
        if self.happens("later"):
            self.sink.tell(found[1], "later", "451 4.7.1")
            return self.say("451 4.7.1 come again")
        self.recipient = found[1]
        self.say("250 2.1.5 well")

    def on_data(self, _):
        if not self.recipient:
            return self.say("503 5.5.1 not now")
        self.say("354 go on")
        if self.happens("cut"):
            self.sink.tell(self.recipient, "cut")
            raise Hung
        while not self.buffer.endswith(b"\r\n.\r\n"):
            if len(self.buffer) > 1_000_000:
                raise Hung
            self.more()
        raw, self.buffer = self.buffer[:-3], b""
        if self.happens("cut"):
            self.sink.tell(self.recipient, "cut")
            raise Hung
        if self.happens("later"):
            self.sink.tell(self.recipient, "later", "452 4.3.1")
            return self.say("452 4.3.1 no room")
        letter = Letter(self.sender, self.recipient, raw.replace(b"\r\n..", b"\r\n."))
        if self.happens("refused"):
            self.sink.tell(letter.recipient, "refused", "554 5.7.1", letter.id)
            return self.say("554 5.7.1 not this one")
        is_lost = self.happens("lost")
        self.sink.take(letter, is_lost)
        self.sender = self.recipient = None
        if is_lost:
            raise Hung
        self.say("250 2.0.0 taken")

    def on_rset(self, _):
        self.sender = self.recipient = None
        self.say("250 2.0.0 well")

    def on_noop(self, _):
        self.say("250 2.0.0 well")

    def on_quit(self, _):
        self.say("221 2.0.0 until then")
        raise Hung


def make(folder):
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (folder / "tls.pem").exists():
        names = "subjectAltName=IP:127.0.0.1,DNS:localhost"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder / "tls.key", "-out",
             folder / "tls.pem", "-days", "3650", "-subj", "/CN=Mail sink", "-addext", names], check=True, capture_output=True,
        )  # fmt: skip
    for name, text in (("user", "madang"), ("password", secrets.token_urlsafe(24))):
        if not (folder / name).exists():
            (folder / name).write_text(text)
    for name in ("tls.key", "tls.pem", "user", "password"):
        (folder / name).chmod(0o600)


def show(folder, count):
    paths = sorted((folder / "letters").glob("*.eml"))[-count:]
    for path in paths:
        letter = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        print(f"== {path.name}  {letter['date']}\nTo: {letter['to']}\nSubject: {letter['subject']}\n")
        print(letter.get_body(("plain",)).get_content().replace("\r\n", "\n"))
    if not paths:
        print("No letter has come.")


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "make":
        make(folder)
    elif command == "show":
        show(folder, int(sys.argv[3]) if len(sys.argv) > 3 else 10)
    elif command == "serve":
        make(folder)
        MailSink(folder, sys.argv[3]).serve()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
