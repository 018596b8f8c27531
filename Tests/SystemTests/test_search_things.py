# SPDX-License-Identifier: Apache-2.0
"""Projects, records of reading and books on shelves, as search finds them through the gateway."""

import people
import pytest
from chatting import ok
from test_search import searchable, word  # noqa: F401
from waiting import eventually


@pytest.fixture(scope="module")
def author():
    return searchable("writer")


def ask(person, kind, q, **parameters):
    api = person.http if person else people.Api()
    return ok(api.get(f"/api/v1/search/{kind}", params={"q": q, **parameters}))


def ids(person, kind, q, **parameters):
    return [found["id"] for found in ask(person, kind, q, **parameters)[kind]]


def comes(person, kind, q, wanted):
    eventually(lambda: wanted in ids(person, kind, q), f"{q} is found")


def initials(text):
    """The consonants with which syllables begin."""
    return "".join("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"[(ord(syllable) - 0xAC00) // 588] for syllable in text)


def begin(leader, title, **more):
    roles = [{"name": "iOS", "wanted": 2}]
    return ok(leader.http.post("/api/v1/projects", json={"title": title, "roles": roles, "publish": True, **more}))


def shelve(reader, book, **more):
    return ok(reader.http.post("/api/v1/shelf/records", json={"book": book, "visibility": "public", **more}))


def test_a_project_on_its_way(author, word):  # noqa: F811
    stranger = people.member("stranger")
    draft = begin(author, word, text="함께 만들어요", publish=False)
    comes(author, "projects", word, draft["id"])
    assert ids(stranger, "projects", word) == [] == ids(None, "projects", word)
    path = f"/api/v1/projects/{draft['id']}"
    ok(author.http.post(f"{path}/publish"))
    comes(stranger, "projects", word, draft["id"])
    found = ask(None, "projects", f"{word} 만들어요")
    assert [project["title"] for project in found["projects"]] == [word] and found["next_cursor"] is None
    assert "<em>" in found["highlights"]["projects"][draft["id"]]
    assert ids(stranger, "projects", initials(word)) == [draft["id"]]
    assert ids(stranger, "projects", f"{word} from:{author.name}") == [draft["id"]]
    assert ids(stranger, "projects", f"{word} -만들어요") == []
    suggested = ok(stranger.http.get("/api/v1/search/suggestions", params={"q": word}))
    assert {"type": "project", "text": word, "id": draft["id"]} in suggested
    ok(author.http.patch(path, json={"summary": f"{word[::-1]} 요약"}))
    comes(stranger, "projects", word[::-1], draft["id"])
    ok(author.http.post(f"{path}/finish"))
    eventually(lambda: ask(stranger, "projects", word)["projects"][0]["state"] == "finished", "it is shown as it is")
    ok(author.http.delete(path))
    # Posts shows nothing of it from that moment on, whatever the index knows.
    assert ids(stranger, "projects", word) == []


def test_pages_join(author, word):  # noqa: F811
    made = [begin(author, f"{word} {number}")["id"] for number in range(5)]
    eventually(lambda: set(ids(author, "projects", word)) == set(made), "all are there")
    seen, cursor = [], None
    while True:
        page = ask(None, "projects", word, limit=2, **({"cursor": cursor} if cursor else {}))
        seen += [project["id"] for project in page["projects"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
        assert len(page["projects"]) == 2
    assert sorted(seen) == sorted(made)


def test_records_are_found_by_those_who_may_see_them(author, word):  # noqa: F811
    follower, stranger = people.member("follower"), people.member("stranger")
    follower.client.account_follow(author.id)
    book = {"title": word, "authors": ["생텍쥐페리"], "publisher": "열린책들", "isbn13": "9788932917245"}
    open_to_all = shelve(author, book, review="장미가 좋다")["id"]
    for_followers = shelve(author, book, visibility="followers", review="몰래 읽는다")["id"]
    hidden = shelve(author, book, visibility="private", review="나만 본다")["id"]
    comes(follower, "records", word, for_followers)
    comes(stranger, "records", word, open_to_all)
    everything = {open_to_all, for_followers}
    assert set(ids(author, "records", word)) == set(ids(follower, "records", word)) == everything
    for q in (word, initials(word), f"{word} 장미", f"{word} isbn:9788932917245", f"{word} from:{author.name}"):
        assert ids(stranger, "records", q) == [open_to_all] == ids(None, "records", q), q
    # The number as a whole, with hyphens too; others may have read the book as well.
    for q in ("9788932917245", "978-89-329-1724-5"):
        assert open_to_all in ids(stranger, "records", q) and for_followers not in ids(stranger, "records", q)
    assert hidden not in ids(author, "records", word)
    ok(author.http.post(f"/api/v1/accounts/{stranger.id}/block"))
    assert ids(stranger, "records", word) == []
    ok(author.http.put(f"/api/v1/shelf/records/{open_to_all}", json={"visibility": "private"}))
    assert ids(None, "records", word) == []


def test_books_on_shelves(author, word):  # noqa: F811
    other = searchable("other")
    book = {"title": f"{word} 이야기", "authors": ["한강"], "publisher": "창비"}

    def titles(q, person=None):
        return [each["title"] for each in ask(person, "books", q)["books"]]

    first = shelve(author, book)["id"]
    shelve(other, book)
    shelve(other, {"title": f"{word} 비밀"}, visibility="followers")
    eventually(lambda: titles(word, author), "the book is found")
    for q in (word, f"{word} 한강", f"{word} 창비", initials(word)):
        assert titles(q) == [book["title"]], q
    [shown] = ask(None, "books", word)["books"]
    assert shown["authors"] == ["한강"] and not {author.id, author.name} & {str(value) for value in shown.values()}
    suggested = ok(people.Api().get("/api/v1/search/suggestions", params={"q": word}))
    assert {"type": "book", "text": book["title"]} in suggested
    ok(author.http.delete(f"/api/v1/shelf/records/{first}"))
    # Somebody else shows it still.
    assert titles(word) == [book["title"]]


def test_bad_input():
    for path, status in {
        "projects": 400, "records": 400, "books": 400, "projects?q=a%00": 400, "projects?q=a&limit=x": 400,
        "records?q=a&account_id=x": 400, "projects?q=a&cursor=x": 422, "records?q=a&cursor=1.2": 422, "books?q=a&cursor=x": 422,
        "projects?q=": 200, "books?q=%20": 200, "records?q=%22%25_%5C": 200,
    }.items():  # fmt: skip
        answer = people.Api().get(f"/api/v1/search/{path}")
        assert answer.status_code == status, f"{path}: {answer.text}"
        assert status == 200 or answer.json()["error"]
