# SPDX-License-Identifier: Apache-2.0
"""Pictures that somebody uploads while something goes wrong, and what is left of them."""

import http.client
import json
import random
import struct
import time
import urllib.parse
import zlib

from client import Away, Refused
from stack import wait_until

BOUNDARY = "of-the-drill"


def picture(number, width=640, height=480, has_alpha=False):
    """A PNG that no other is like."""
    noise = random.Random(number)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + noise.randbytes((4 if has_alpha else 3) * width) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6 if has_alpha else 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def moving(colour):
    """A GIF of 16x8 points and four frames, of a colour of its own."""
    head = b"GIF89a" + struct.pack("<HHBBB", 16, 8, 0x80, 0, 0) + bytes(colour) + b"\xff\xff\xff" + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    frames = b""
    for number in range(4):
        # Codes of three bits, with a clear before each point, so that they never become longer (GIF89a, appendix F).
        codes = [code for _ in range(128) for code in (4, number % 2)] + [5]
        data = sum(code << (3 * place) for place, code in enumerate(codes)).to_bytes((3 * len(codes) + 7) // 8, "little")
        parts = b"".join(bytes([len(data[at : at + 255])]) + data[at : at + 255] for at in range(0, len(data), 255))
        frames += b"\x21\xf9\x04\0" + struct.pack("<H", 10) + b"\0\0\x2c" + struct.pack("<HHHHB", 0, 0, 16, 8, 0) + b"\x02" + parts + b"\0"
    return head + frames + b"\x3b"


def form_of(field, content):
    """A form with a picture alone, and its headers."""
    part = f'Content-Disposition: form-data; name="{field}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    body = f"--{BOUNDARY}\r\n{part}".encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


class Uploads:
    """Uploads of one account, with when each was begun and acknowledged."""

    def __init__(self, stack, account):
        self.stack = stack
        self.account = account
        self.acknowledged = {}

    def run(self, until, pause=0.5):
        number = 0
        while not until():
            self.upload(number)
            number += 1
            time.sleep(pause)

    def upload(self, number, **options):
        """Uploads once; whatever fails was not acknowledged. Returns the id of what was."""
        body, head = form_of("file", picture(number, **options))
        head["Authorization"] = f"Bearer {self.account.token}"
        url = urllib.parse.urlsplit(self.account.choose())
        began = time.time()
        try:
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
            connection.request("POST", "/api/v2/media", body=body, headers=head)
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
        except (OSError, http.client.HTTPException):
            return None
        if answer.status not in (200, 202):
            return None
        media = json.loads(text)["id"]
        self.acknowledged[media] = (began, time.time())
        return media

    def is_there(self, media):
        """Whether it becomes ready, and its file and preview are what they are said to be."""
        shown = {}

        def is_decided():
            try:
                shown["media"] = self.account.call("GET", f"/api/v1/media/{media}")[0]
            except Refused:
                return True
            except Away:
                return False
            return shown["media"]["url"] is not None

        wait_until(is_decided, 120, f"the upload {media} being ready or gone")
        if "media" not in shown:
            return False
        for link in (shown["media"]["url"], shown["media"]["preview_url"]):
            url = urllib.parse.urlsplit(link)
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
            connection.request("GET", url.path)
            answer = connection.getresponse()
            if answer.status != 200 or not answer.getheader("Content-Type", "").startswith("image/") or not answer.read():
                return False
            connection.close()
        return True
