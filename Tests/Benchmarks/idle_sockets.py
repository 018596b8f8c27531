# SPDX-License-Identifier: Apache-2.0
"""Memory of the gateway for each idle WebSocket: resident size before, with and after many of them."""

import argparse
import base64
import os
import pathlib
import re
import resource
import secrets
import socket
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from stack import Stack  # noqa: E402


def resident(pid):
    """KiB that the process has in memory, once it no longer changes."""
    last = None
    while True:
        now = int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])
        if last is not None and abs(now - last) < 64:
            return now
        last = now
        time.sleep(0.5)


def open_stream(url, token):
    connection = socket.create_connection((url.hostname, url.port))
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET /api/v1/streaming?stream=user HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {token}\r\n"
        f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
    )
    answer = connection.recv(4096)
    if b" 101 " not in answer.split(b"\r\n", 1)[0]:
        raise SystemExit(f"idle_sockets: {answer[:300]!r}")
    return connection


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--sockets", type=int, default=1000)
    options = arguments.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, options.sockets + 200)), hard))
    url = urllib.parse.urlsplit(options.base_url)
    tag = secrets.token_hex(3)
    people = list(sign_up(options.base_url, [f"idle_{tag}_{number}" for number in range(50)]).values())
    gateway = Stack(options.run, options.base_url).pid("gateway")
    # What the first connections bring along, such as caches and threads, is not a socket's own.
    for connection in [open_stream(url, person.token) for person in people]:
        connection.close()
    before = resident(gateway)
    sockets = [open_stream(url, people[number % len(people)].token) for number in range(options.sockets)]
    during = resident(gateway)
    for connection in sockets:
        connection.close()
    after = resident(gateway)
    each = (during - before) / options.sockets
    print(f"{options.sockets} idle WebSockets: {each:.1f} KiB each (gateway {before} KiB before, {during} with them, {after} after)")


if __name__ == "__main__":
    main()
