# SPDX-License-Identifier: Apache-2.0
"""The conformance host, started by the tests themselves, and clients that speak the bare protocols."""

import contextlib
import json
import os
import pathlib
import subprocess

import requests
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from waiting import eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEPARATOR = "\x1e"


class Host:
    """One running `conformance-host` with the flags that a test wants."""

    def __init__(self, **flags):
        binary = os.environ.get("MADANG_CONFORMANCE_HOST")
        binary = binary or ROOT / ".build" / os.environ.get("MADANG_CONFIGURATION", "release") / "conformance-host"
        assert pathlib.Path(binary).exists(), f"{binary} is not built: deploy/dev test builds it"
        arguments = [f"--{name.replace('_', '-')}={value}" for name, value in {"port": 0, **flags}.items()]
        self.process = subprocess.Popen([str(binary), *arguments], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.address = line.split()[-1]
        self.url = f"http://{self.address}"

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def open_requests(self):
        """How many requests have been taken and not answered."""
        return int(requests.get(f"{self.url}/open", timeout=10).text)

    @contextlib.contextmanager
    def taking(self):
        """What is sent within has surely been taken afterwards, and not answered."""
        before = self.open_requests()
        yield
        eventually(lambda: self.open_requests() > before, "the request is taken")

    def endpoint(self, path, sid=None, transport="polling", scheme="http", eio="4", **more):
        query = {"EIO": eio, "transport": transport, "sid": sid, **more}
        text = "&".join(f"{key}={value}" for key, value in query.items() if value is not None)
        return f"{scheme}://{self.address}{path}?{text}"

    def polling(self, path="/engine.io/"):
        return Polling(self, path)

    def web_socket(self, path="/engine.io/", sid=None, **more):
        url = self.endpoint(path, sid, "websocket", "ws", **more)
        return connect(url, open_timeout=10, close_timeout=2, compression=None, max_size=None, proxy=None)


@contextlib.contextmanager
def running(**flags):
    host = Host(**flags)
    try:
        yield host
    finally:
        host.close()


class Polling:
    """A session over polling alone."""

    def __init__(self, host, path):
        self.host = host
        self.path = path
        self.http = requests.Session()
        self.http.trust_env = False
        answer = self.http.get(host.endpoint(path), timeout=10)
        assert answer.status_code == 200, answer.text
        assert answer.text[0] == "0"
        self.opening = json.loads(answer.text[1:])
        self.sid = self.opening["sid"]

    @property
    def url(self):
        return self.host.endpoint(self.path, self.sid)

    def get(self, timeout=10):
        return self.http.get(self.url, timeout=timeout)

    def post(self, body):
        data = body if isinstance(body, bytes) else body.encode()
        return self.http.post(self.url, data=data, headers={"Content-Type": "text/plain;charset=UTF-8"}, timeout=10)

    def next(self):
        """The packets of the next poll."""
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.text.split(SEPARATOR)


def opened(socket):
    """The handshake of a WebSocket that was just opened."""
    text = socket.recv(timeout=10)
    assert text[0] == "0"
    return json.loads(text[1:])


def namespace(socket, name="/", auth=None):
    """Connects a WebSocket to a namespace and takes its two first packets."""
    prefix = "" if name == "/" else f"{name},"
    socket.send("40" + prefix + (json.dumps(auth, separators=(",", ":")) if auth is not None else ""))
    answer = socket.recv(timeout=10)
    assert answer.startswith("40" + prefix), answer
    sid = json.loads(answer[2 + len(prefix):])
    assert list(sid) == ["sid"] and isinstance(sid["sid"], str)
    return socket.recv(timeout=10)


def closed(socket, seconds=10):
    """Waits for the other side's end; the code of it."""
    try:
        while True:
            socket.recv(timeout=seconds)
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else None


def refused(opening):
    """Whether a WebSocket is refused, at once or just after it was opened."""
    try:
        with opening() as socket:
            closed(socket)
            return True
    except (InvalidStatus, ConnectionClosed):
        return True
