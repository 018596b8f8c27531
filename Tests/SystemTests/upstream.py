# SPDX-License-Identifier: Apache-2.0
"""Somebody outside with a catalogue of GIFs in GIPHY's form, whom media asks by a key of its own."""

import http.server
import json
import os
import socketserver
import threading
import urllib.parse

PLACE = os.environ.get("MADANG_TEST_GIPHY", "")
KEY = os.environ.get("MADANG_GIPHY_KEY", "")


def item(name):
    page = f"https://giphy.example/{name}"
    sizes = ["original", "preview_gif", "fixed_width", "fixed_height", "downsized", "original_mp4"]
    texts = ["username", "source", "alt_text", "content_url", "source_tld", "source_post_url"]
    return {
        "type": "gif", "id": name, "slug": name, "url": page, "bitly_gif_url": page, "bitly_url": page, "embed_url": page, "title": name,
        "rating": "g", "is_sticker": 0, "import_datetime": "2026-01-02 03:04:05", "trending_datetime": "1970-01-01 00:00:00", "tags": [],
        "images": {size: {"url": f"{page}/{size}", "width": "200", "height": "100", "size": "1000"} for size in sizes},
    } | {text: "" for text in texts}  # fmt: skip


class Giphy(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self):
        # How many it has of a word.
        self.has, self.asked = {}, []
        host, port = (PLACE or "127.0.0.1:0").rsplit(":", 1)
        super().__init__((host, int(port)), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *error):
        self.shutdown()
        super().__exit__(*error)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # noqa: N802: so it is called
        url = urllib.parse.urlsplit(self.path)
        given = {name: values[0] for name, values in urllib.parse.parse_qs(url.query).items()}
        self.server.asked.append((url.path, given))
        all_of = {word: [f"{word.replace(' ', '')}X{number}" for number in range(count)] for word, count in self.server.has.items()}
        if "ids" in given:
            known = {name for names in all_of.values() for name in names}
            names, page = [name for name in given["ids"].split(",") if name in known], {}
        else:
            found = all_of.get(given.get("q"), [])
            offset = int(given.get("offset", 0))
            names = found[offset : offset + int(given.get("limit", 25))]
            page = {"pagination": {"total_count": len(found), "count": len(names), "offset": offset}}
        status = 200 if given.get("api_key") == KEY else 403
        body = json.dumps({"data": [item(name) for name in names], "meta": {"status": status, "msg": "OK", "response_id": "x"}} | page).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
