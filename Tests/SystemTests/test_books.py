# SPDX-License-Identifier: Apache-2.0
"""The catalogue of books through the gateway: one list of what four sources outside tell, and what is there when they are not."""

import concurrent.futures
import csv
import io
import secrets
import urllib.parse
import urllib.request

import pytest

import books
import living
import people
from test_operating import dev
from waiting import eventually

needs_sources = pytest.mark.skipif(
    not (books.PLACE and all(books.KEYS.values())), reason="needs a Madang that asks the tests for books (MADANG_TEST_BOOKS)"
)
# Each run has words and numbers of its own, so that nothing is known of them before.
WORD = "소년" + "".join(secrets.choice("가나다라마바사아자차카타파하") for _ in range(6))
FIRST = 100_000_000 + secrets.randbelow(800_000_000)


def find(person, q, **parameters):
    answer = person.http.get("/api/v1/books", params={"q": q, **parameters})
    assert answer.status_code == 200, f"{q}: {answer.text}"
    return answer.json()


def asked(outside, words):
    return [source for source, given in outside.asked if words.lower() in given.lower()]


@pytest.fixture(scope="module")
def reader():
    return people.member("reader")


@pytest.fixture(autouse=True, scope="module")
def awake(outside, reader):
    """Whoever was disturbed by other tests rests for half a minute: in neither process anybody does any more."""
    if not books.PLACE:
        return

    def everybody():
        words = [f"{WORD} {secrets.token_hex(8)}" for _ in range(8)]
        for one in words:
            find(reader, one)
        return all(len(asked(outside, one)) == 4 for one in words)

    eventually(everybody, "all sources are asked", seconds=60)


@needs_sources
def test_one_edition_is_one_book(outside, reader):
    number = FIRST
    title = f"{WORD} & 하나 <1>"
    for source in ("naver", "kakao", "google", "openlibrary"):
        outside.has[source] = [(title, number)]
    [book] = find(reader, f"{WORD} & 하나")
    thirteen, ten = books.isbn(number)
    assert book["id"] == f"isbn:{thirteen}" and (book["isbn13"], book["isbn10"]) == (thirteen, ten)
    # Naver's word counts first, without its marks; what it does not tell the others do.
    assert book["title"] == title and book["description"] == "소년의 이야기" and book["published_on"] == "2014-05-19"
    assert book["authors"] == ["한강", "다른 이"] and book["translators"] == ["옮긴이"]
    assert book["pages"] == 216 and book["language"] == "ko"
    assert book["sources"] == ["naver", "kakao", "google", "openlibrary"]
    # By its number, however that is written, and in the words of nobody else.
    for written in (thirteen, ten, f"{thirteen[:3]}-{thirteen[3:]}"):
        assert reader.http.get(f"/api/v1/books/{written}").json()["title"] == title
        assert [found["id"] for found in find(reader, written)] == [book["id"]]
    assert reader.http.get(f"/api/v1/books/{books.isbn(number + 1)[0]}").status_code == 404
    assert people.Api().get("/api/v1/books", params={"q": WORD}).status_code == 401


@needs_sources
def test_pages_have_no_gap_and_no_double(outside, reader):
    words = f"{WORD} 쪽"
    outside.has["naver"] = [(f"{words} {n}", FIRST + 100 + n) for n in range(95)]
    outside.has["kakao"] = [(f"{words} {n}", FIRST + 100 + n) for n in range(60, 130)]
    outside.has["google"] = outside.has["openlibrary"] = []
    seen, path = [], "/api/v1/books?" + urllib.parse.urlencode({"q": words, "limit": 30})
    while path:
        answer = reader.http.get(path)
        seen += [book["isbn13"] for book in answer.json()]
        path = answer.links["next"]["url"].removeprefix(people.BASE_URL) if "next" in answer.links else None
    assert sorted(seen) == sorted(books.isbn(FIRST + 100 + n)[0] for n in range(130))


@needs_sources
def test_everybody_together_asks_once(outside, reader):
    words = f"{WORD} 함께"
    outside.has["naver"] = [(words, FIRST + 300)]
    with concurrent.futures.ThreadPoolExecutor(8) as crowd:
        lists = list(crowd.map(lambda _: find(reader, words), range(24)))
    assert {tuple(book["title"] for book in found) for found in lists} == {(words,)}
    find(reader, words.upper())
    assert sorted(asked(outside, words)) == ["google", "kakao", "naver", "openlibrary"]
    said = "".join(str(found) for found in lists)
    assert not any(key in said for key in books.KEYS.values())


@needs_sources
def test_what_cannot_be_asked_is_refused(outside, reader):
    for parameters in ({}, {"q": " "}, {"q": "a" * 201}, {"q": "a", "offset": "-1"}, {"q": "a", "limit": "0"}):
        answer = reader.http.get("/api/v1/books", params=parameters)
        assert answer.status_code == 422 and answer.json()["fields"], f"{parameters}: {answer.text}"


@needs_sources
def test_without_the_sources_there_is_what_they_told(outside, reader):
    """The last of this module: they rest for half a minute afterwards."""
    words = f"{WORD} 남은"
    outside.has["naver"] = [(f"{words} 책", FIRST + 400)]
    [before] = find(reader, f"{words} 책")
    outside.stop()
    try:
        # What was answered is new; what is asked now is found among what was told; what nobody told is not there.
        assert find(reader, f"{words} 책") == [before]
        [found] = find(reader, words)
        assert found["isbn13"] == before["isbn13"] and found["title"] == before["title"]
        assert reader.http.get(f"/api/v1/books/{before['isbn13']}").json()["title"] == before["title"]
        assert find(reader, f"{WORD} 없음") == []
        assert reader.http.get(f"/api/v1/books/{books.isbn(FIRST + 401)[0]}").status_code == 404
        assert 'outcome="failed"' in metrics("madang_search_book_asks_total")
    finally:
        outside.start()


def metrics(name):
    ports, port = living.ports(), int(people.BASE_URL.rsplit(":", 1)[1])
    found = []
    for process in ("search", "search-2"):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port + ports[process]}/metrics", timeout=10) as answer:
                found += [line for line in answer.read().decode().splitlines() if line.startswith(name)]
        except OSError:
            assert process == "search-2", "search shows its metrics"
    return "\n".join(found)


def test_how_apps_are_used_is_counted_and_of_nobody(reader):
    name = "book_saved_" + secrets.token_hex(4)
    app = people.Api(people.app_token())
    batch = {"events": [{"name": name, "params": {"source": "search"}}] * 3, "platform": "ios", "app_version": "1.2.3"}
    answer = app.post("/api/v1/events", json=batch)
    if answer.status_code == 403:
        assert answer.json()["code"] == "usage-off"
        pytest.skip("needs a Madang that counts usage (MADANG_USAGE)")
    assert answer.status_code == 202
    assert reader.http.post("/api/v1/events", json=batch).status_code == 202
    assert people.Api().post("/api/v1/events", json=batch).status_code == 401
    assert app.post("/api/v1/events", json={"events": [{"name": "No"}]}).status_code == 422

    def counted():
        done = dev("usage", "2")
        assert done.returncode == 0, done.stdout + done.stderr
        rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["name"] == name]
        return sum(int(row["events"]) for row in rows) == 6 and {(row["platform"], row["version"]) for row in rows} == {("ios", "1.2")}

    eventually(counted, "six events", seconds=30)
    assert dev("usage", "0").returncode != 0
