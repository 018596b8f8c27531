# SPDX-License-Identifier: Apache-2.0
"""Sources of books outside, each as it documents itself, whom search asks by keys of its own."""

import http.server
import json
import os
import socketserver
import threading
import urllib.parse

PLACE = os.environ.get("MADANG_TEST_BOOKS", "")
KEYS = {
    "naver": os.environ.get("MADANG_NAVER_BOOKS_SECRET", ""), "kakao": os.environ.get("MADANG_KAKAO_BOOKS_KEY", ""),
    "google": os.environ.get("MADANG_GOOGLE_BOOKS_KEY", ""),
}  # fmt: skip


def isbn(number):
    """A real number of a book that does not exist: thirteen digits, and ten."""
    body = f"{number % 10**9:09}"
    ten = (11 - sum(int(digit) * (10 - place) for place, digit in enumerate(body)) % 11) % 11
    thirteen = -sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate("978" + body)) % 10
    return f"978{body}{thirteen}", body + ("X" if ten == 10 else str(ten))


class Books:
    """Answers unless it is stopped; it has what `has` says of a source: pairs of a title and a number."""

    def __init__(self):
        self.has, self.asked, self.server = {}, [], None
        self.start()

    def start(self):
        host, port = (PLACE or "127.0.0.1:0").rsplit(":", 1)
        self.server = Server((host, int(port)), Handler)
        self.server.books = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def found(self, source, words):
        words = words.removeprefix("isbn:").lower().split()
        return [
            (title, number)
            for title, number in self.has.get(source, [])
            if words and all(word in title.lower() or word in isbn(number) for word in words)
        ]


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def naver(given, headers, found):
    if headers.get("X-Naver-Client-Secret") != KEYS["naver"] or not headers.get("X-Naver-Client-Id"):
        return 401, {"errorMessage": "no", "errorCode": "024"}
    start, display = int(given.get("start", 1)), int(given.get("display", 10))
    if not (1 <= start <= 1000 and 1 <= display <= 100):
        return 400, {"errorMessage": "no", "errorCode": "SE03"}
    books = found(given.get("query", ""))
    items = [
        {
            "title": title.replace("&", "&amp;").replace("소년", "<b>소년</b>"), "author": "한강^다른 이", "publisher": "창비", "pubdate": "20140519",
            "isbn": " ".join(reversed(isbn(number))), "link": f"https://search.shopping.naver.com/book/catalog/{number}",
            "image": f"https://shopping-phinf.pstatic.net/main/{number}.jpg", "discount": "13500", "description": "<b>소년</b>의 이야기",
        }
        for title, number in books[start - 1 : start - 1 + display]
    ]  # fmt: skip
    return 200, {"lastBuildDate": "x", "total": len(books), "start": start, "display": len(items), "items": items}


def kakao(given, headers, found):
    if headers.get("Authorization") != f"KakaoAK {KEYS['kakao']}":
        return 401, {"errorType": "AccessDeniedError", "message": "no"}
    page, size = int(given.get("page", 1)), int(given.get("size", 10))
    if not (1 <= page <= 50 and 1 <= size <= 50):
        return 400, {"errorType": "InvalidArgument", "message": "no"}
    books = found(given.get("query", ""))
    documents = [
        {
            "title": f"{title} (개정판)", "authors": ["한강"], "translators": ["옮긴이"], "publisher": "창비", "isbn": " ".join(reversed(isbn(number))),
            "contents": "이야기", "datetime": "2014-05-19T00:00:00.000+09:00", "url": f"https://search.daum.net/search?w=bookpage&bookId={number}",
            "thumbnail": "https://search1.kakaocdn.net/thumb/1", "price": 15000, "sale_price": 13500, "status": "정상판매",
        }
        for title, number in books[(page - 1) * size : page * size]
    ]  # fmt: skip
    meta = {"total_count": len(books), "pageable_count": len(books), "is_end": page * size >= len(books)}
    return 200, {"meta": meta, "documents": documents}


def google(given, headers, found):
    if given.get("key") != KEYS["google"] or int(given.get("maxResults", 10)) > 40:
        return 400, {"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}
    books, start = found(given.get("q", "")), int(given.get("startIndex", 0))
    items = [
        {
            "kind": "books#volume", "id": f"g{number}",
            "volumeInfo": {
                "title": title, "authors": ["Han Kang"], "publisher": "Changbi", "publishedDate": "2014", "pageCount": 216, "language": "ko",
                "industryIdentifiers": [{"type": "ISBN_10", "identifier": isbn(number)[1]}], "description": "A story",
                "imageLinks": {"thumbnail": f"http://books.google.com/books/content?id=g{number}"}, "infoLink": "https://books.google.com/books?id=g",
            },
        }
        for title, number in books[start : start + int(given.get("maxResults", 10))]
    ]  # fmt: skip
    return 200, {"kind": "books#volumes", "totalItems": len(books)} | ({"items": items} if items else {})


def open_library(given, headers, found):
    books, offset = found(given.get("q", "")), int(given.get("offset", 0))
    docs = [
        {
            "key": f"/works/OL{number}W", "title": title, "author_name": ["Han Kang"],
            "editions": {"numFound": 1, "docs": [
                {"key": f"/books/OL{number}M", "title": title, "isbn": list(isbn(number)), "publish_date": ["May 19, 2014"], "language": ["kor"]}
            ]},
        }
        for title, number in books[offset : offset + int(given.get("limit", 100))]
    ]  # fmt: skip
    return 200, {"numFound": len(books), "start": offset, "docs": docs}


SOURCES = {
    "/v1/search/book.json": ("naver", naver), "/v3/search/book": ("kakao", kakao), "/books/v1/volumes": ("google", google),
    "/search.json": ("openlibrary", open_library),
}  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # noqa: N802: so it is called
        books, url = self.server.books, urllib.parse.urlsplit(self.path)
        given = {name: values[0] for name, values in urllib.parse.parse_qs(url.query).items()}
        if url.path not in SOURCES:
            return self.say(404, {})
        source, answer = SOURCES[url.path]
        books.asked.append((source, given.get("query") or given.get("q") or ""))
        self.say(*answer(given, self.headers, lambda words: books.found(source, words)))

    def say(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
