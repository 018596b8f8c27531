# SPDX-License-Identifier: Apache-2.0
"""Previews of links: a page on this machine, its card in posts and messages, and nobody who is asked besides."""

import contextlib
import http.server
import os
import queue
import secrets
import socketserver
import threading

import mastodon
import pytest
import requests

import people
from chatting import Yard, ok
from test_media import picture
from waiting import eventually

PLACE = os.environ.get("MADANG_TEST_PAGES", "")
pytestmark = pytest.mark.skipif(not PLACE, reason="needs a Madang that may ask this machine for pages (MADANG_TEST_PAGES)")


class Pages(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):  # noqa: N802: so it is called
        Pages.asked.append(self.path)
        if self.path.startswith("/picture"):
            kind, body = "image/png", picture(1200, 630, (30, 90, 200))
        elif self.path.startswith("/korean"):
            kind, body = "text/html; charset=euc-kr", "<title>마당에서 만나요</title>".encode("cp949")
        else:
            kind = "text/html"
            body = (
                f'<html lang="ko"><title>no</title><meta property="og:title" content="마당 {self.path} &lt;script&gt;alert(1)&lt;/script&gt;">'
                f'<meta property="og:description" content="만나요"><meta property="og:image" content="/picture{self.path}">'
                f'<meta property="og:site_name" content="News">'
            ).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def pages():
    host, port = PLACE.rsplit(":", 1)
    socketserver.TCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer((host, int(port)), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield lambda: f"http://{PLACE}/{secrets.token_hex(6)}"
        server.shutdown()


class Listener(mastodon.StreamListener):
    def __init__(self):
        self.updates = queue.Queue()

    def on_status_update(self, status):
        self.updates.put(status)


@contextlib.contextmanager
def streaming(person):
    listener = Listener()
    handle = person.client.stream_user(listener, run_async=True, timeout=60)
    try:
        eventually(handle.is_receiving, "the stream is open")
        yield listener
    finally:
        handle.close()


def test_a_post_gets_the_card_of_its_link(newcomer, another, pages):
    url = pages()
    another.client.account_follow(newcomer.id)
    with streaming(another) as listener:
        post = newcomer.client.status_post(f"look at {url} and {pages()}")
        assert post.card is None
        told = listener.updates.get(timeout=30)
    assert str(told.id) == str(post.id)
    for status in (told, another.client.status(post.id), another.client.timeline_home()[0]):
        card = status.card
        assert card.url == url and card.title.startswith("마당 /") and "<" not in card.title
        assert card.description == "만나요" and card.provider_name == "News" and card.type == "link" and card.language == "ko"
        assert card.html == "" and (card.width, card.height) == (800, 420) and card.blurhash
    shown = requests.get(told.card.image, timeout=30)
    assert shown.status_code == 200 and shown.headers["Content-Type"] == "image/jpeg"
    # So do notifications of the post, and its page.
    another.client.status_favourite(post.id)

    def notified():
        [favourite] = [one for one in newcomer.http.get("/api/v1/notifications").json() if one["type"] == "favourite"] or [None]
        return favourite and favourite["status"]["card"]

    assert eventually(notified, "a notification with the card")["title"] == told.card.title
    page = requests.get(post.url, headers={"Accept": "text/html"}, timeout=30).text
    assert f'<a class="card" href="{url}"' in page and f'<img src="{told.card.image}"' in page and "<script" not in page
    # A link that is known is not asked for again, and its card is there when the post is.
    path = url.removeprefix(f"http://{PLACE}")
    again = another.client.status_post(f"{url}#there")
    eventually(lambda: another.client.status(again.id).card, "the card of a known link")
    assert Pages.asked.count(path) == 1 and Pages.asked.count(f"/picture{path}") == 1
    assert not any(asked in Pages.asked for asked in ("/robots.txt", "/favicon.ico"))


def test_an_edit_takes_the_card_along(newcomer, pages):
    first, second = pages(), pages()
    post = newcomer.client.status_post(first)
    eventually(lambda: newcomer.client.status(post.id).card, "a card", seconds=30)
    newcomer.http.put(f"/api/v1/statuses/{post.id}", json={"status": second})
    eventually(lambda: (newcomer.client.status(post.id).card or {}).get("url") == second, "the other card", seconds=30)
    newcomer.http.put(f"/api/v1/statuses/{post.id}", json={"status": "no link"})
    assert newcomer.client.status(post.id).card is None


def test_a_message_gets_the_card_of_its_link(newcomer, another, pages):
    url = f"http://{PLACE}/korean/{secrets.token_hex(6)}"
    yard = Yard()
    try:
        playground = yard.playground(newcomer, another)
        channel = yard.channel(playground, newcomer, another)
        device = yard.device(another)
        message = yard.say(newcomer, channel, f"see {url}")
        assert message["card"] is None
        edited = device.next("message:edited", lambda told: told["id"] == message["id"], seconds=30)
        assert edited["card"]["title"] == "마당에서 만나요" and edited["card"]["url"] == url and edited["edited_at"] is None
        [shown] = [one for one in yard.history(another, channel) if one["id"] == message["id"]]
        assert shown["card"] == edited["card"]
    finally:
        yard.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "169.254.169.254"])
def test_nobody_inside_is_asked(ada, pages, host):
    """But for the one place that the settings name."""
    before = len(Pages.asked)
    port = os.environ["MADANG_BASE_URL"].rsplit(":", 1)[1]
    inside = ada.client.status_post(f"http://{host}:{port}/health/{secrets.token_hex(6)}")
    # Whoever comes after it in the queue has been looked at.
    known = ada.client.status_post(pages())
    eventually(lambda: ada.client.status(known.id).card, "the card of a page that may be asked for", seconds=30)
    assert ada.client.status(inside.id).card is None
    assert len(Pages.asked) == before + 2


def test_a_book_shows_its_cover_by_a_link_of_ours(pages):
    """Whoever looks at a shelf asks nobody but Madang, which asks the picture's server once."""
    reader = people.member("reader")
    name = secrets.token_hex(6)
    source = f"http://{PLACE}/picture/{name}"
    body = {"book": {"title": "어린 왕자", "cover_url": source}, "state": "finished", "visibility": "public"}
    record = ok(reader.http.post("/api/v1/shelf/records", json=body))
    cover = record["book"]["cover_url"]
    assert cover.startswith(f"{people.BASE_URL}/media/c/") and Pages.asked.count(f"/picture/{name}") == 0
    for _ in range(2):
        shown = requests.get(cover, timeout=30)
        assert shown.status_code == 200 and shown.headers["Content-Type"] == "image/jpeg"
    assert Pages.asked.count(f"/picture/{name}") == 1
    post = ok(reader.http.post(f"/api/v1/shelf/records/{record['id']}/share"))
    assert post["card"]["image"] == cover
    # Nobody makes such a link of an address of their own choice.
    assert requests.get(cover[:-4] + "AAAA", timeout=30).status_code == 404
