# SPDX-License-Identifier: Apache-2.0
"""A shelf of books as an app keeps it: on two phones, without a network for a while, and as a file."""

import csv
import datetime
import io
import random
import uuid

import people


class Phone:
    """An app that works without a network: it writes down what its owner does, sends it later, and knows what it was told."""

    def __init__(self, owner):
        self.owner = owner
        self.items, self.cursor, self.waiting = {}, None, []

    def do(self, kind, name, data=None, version=None, deletes=False):
        write = {"key": str(uuid.uuid4()), "type": kind, "id": name, "op": "delete" if deletes else "put"}
        if data is not None:
            write["data"] = data
        if version is not None:
            write["version"] = version
        self.waiting.append(write)

    def send(self):
        answer = self.owner.http.post("/api/v1/shelf/changes", json={"writes": self.waiting})
        assert answer.status_code == 200, answer.text
        sent, self.waiting = self.waiting, []
        return sent, answer.json()["outcomes"]

    def read(self, limit=100):
        more = True
        while more:
            answer = self.owner.http.get("/api/v1/shelf/changes", params={"limit": limit, "since": self.cursor or ""})
            assert answer.status_code == 200, answer.text
            changes = answer.json()
            for kind in ("book", "record", "goal"):
                for item in changes[kind + "s"]:
                    self.items[kind, name(kind, item)] = item
            for gone in changes["deleted"]:
                self.items.pop((gone["type"], gone["id"]), None)
            self.cursor, more = changes["next"], changes["has_more"]

    def record(self, client_id):
        found = [item for (kind, _), item in self.items.items() if kind == "record" and item["client_id"] == client_id]
        return found[0] if found else None


def name(kind, item):
    if kind != "goal":
        return item["id"]
    return f"{item['year']:04}" + (f"-{item['month']:02}" if item["month"] else "")


PRINCE = {"title": "어린 왕자", "authors": ["생텍쥐페리"], "publisher": "열린책들", "isbn13": "9788932917245", "pages": 136}


def test_a_shelf_on_two_phones():
    reader = people.member("reader")
    a, b = Phone(reader), Phone(reader)
    # On a train: phone A fills a shelf, of which nobody knows yet.
    names = [str(uuid.uuid4()) for _ in range(30)]
    for number, one in enumerate(names):
        book = PRINCE if number == 0 else {"title": f"책 {number % 20}", "pages": 100 + number % 20}
        data = {"book": book, "state": "finished", "ended_on": f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}", "rating": 4.5}
        a.do("record", one, data)
    a.do("record", names[0], {"progress": [{"day": "2024-02-28", "page": 50}, {"day": "2024-02-29", "page": 136}]})
    a.do("goal", "2024", {"books": 30})
    sent, outcomes = a.send()
    assert [one["outcome"] for one in outcomes] == ["made"] * 30 + ["changed", "made"], outcomes
    # The answer was lost on the way: the same again changes nothing.
    answer = reader.http.post("/api/v1/shelf/changes", json={"writes": random.sample(sent, len(sent))})
    assert {one["outcome"] for one in answer.json()["outcomes"]} == {"repeated"}, answer.text
    for phone in (a, b):
        phone.read(limit=7)
    assert a.items == b.items and len(b.items) == 30 + 21 + 1
    # Both change the same record without knowing of each other; B comes later.
    known = b.record(names[0])
    a.do("record", names[0], {"one_line": "A가 쓴 말", "favourite": True}, version=known["version"])
    b.do("record", names[0], {"one_line": "B가 쓴 말"}, version=known["version"])
    b.do("record", names[1], deletes=True)
    _, of_a = a.send()
    _, of_b = b.send()
    assert not of_a[0]["conflict"] and of_b[0]["conflict"] and of_b[1]["outcome"] == "deleted"
    for phone in (a, b):
        phone.read()
    new = Phone(reader)
    new.read(limit=3)
    assert a.items == b.items == new.items
    won = a.record(names[0])
    assert won["one_line"] == "B가 쓴 말" and won["favourite"] and a.record(names[1]) is None
    texts = reader.http.get(f"/api/v1/shelf/records/{names[0]}/texts").json()
    assert [text["text"] for text in texts] == ["A가 쓴 말"]
    # A deletion does not take what its phone has not seen.
    a.do("record", names[0], deletes=True, version=known["version"])
    assert a.send()[1][0]["error"]["code"] == "outdated"
    goal = reader.http.get("/api/v1/shelf/goals", params={"year": 2024}).json()[0]
    assert (goal["books"], goal["finished"], goal["progress"]) == (30, 29, 96), goal


def test_what_reading_comes_to():
    reader = people.member("reader")
    day = datetime.date(2023, 12, 20)
    for number in range(20):
        ended = (day + datetime.timedelta(days=number)).isoformat()
        body = {"book": {"title": f"b{number}", "authors": ["한강" if number % 2 else "김훈"], "pages": 10}, "state": "finished", "ended_on": ended}
        answer = reader.http.post("/api/v1/shelf/records", json=body)
        assert answer.status_code == 200, answer.text
    reader.http.put("/api/v1/shelf/goals/2023", json={"books": 24})
    numbers = reader.http.get("/api/v1/shelf/statistics", params={"year": 2024, "time_zone": "Asia/Seoul"}).json()
    assert (numbers["finished"], numbers["pages"], numbers["longest_streak"]) == (8, 80, 8)
    before = numbers["before"]
    assert (before["finished"], before["progress"], before["longest_streak"]) == (12, 50, 12)
    assert numbers["longest_streak_ever"] == 20
    assert [month["finished"] for month in numbers["months"]] == [8] + [0] * 11
    assert {share["name"]: share["finished"] for share in numbers["authors"]} == {"김훈": 4, "한강": 4}
    assert reader.http.get("/api/v1/shelf/statistics", params={"time_zone": "Seoul"}).status_code == 422
    found = reader.http.get("/api/v1/shelf", params={"q": "Ｂ１９"}).json()
    assert [book["title"] for book in found] == ["b19"]


def test_a_shelf_as_a_file():
    reader, other = people.member("reader"), people.member("other")
    body = {"book": PRINCE, "state": "finished", "ended_on": "2024-02-29", "rating": 4.5, "one_line": "=1+1", "review": 'a "b",\nc'}
    assert reader.http.post("/api/v1/shelf/records", json=body).status_code == 200
    table = reader.http.get("/api/v1/shelf/export", params={"format": "csv"})
    assert table.headers["Content-Type"].startswith("text/csv"), table.headers
    row = next(csv.DictReader(io.StringIO(table.text)))
    assert (row["ISBN13"], row["Date Read"], row["My Rating"], row["One Line"]) == ("9788932917245", "2024/02/29", "5", "'=1+1")
    for made, doubles in ((1, 0), (0, 1)):
        report = other.http.post("/api/v1/shelf/import", data=table.content, headers={"Content-Type": "text/csv"})
        assert report.status_code == 200, report.text
        assert (report.json()["made"], report.json()["doubles"]) == (made, doubles)
    copied = other.http.get("/api/v1/shelf/records").json()[0]
    assert (copied["one_line"], copied["review"], copied["rating"]) == ("=1+1", 'a "b",\nc', 4.5)
    whole = reader.http.get("/api/v1/shelf/export").json()
    assert [record["book"]["title"] for record in whole["records"]] == ["어린 왕자"]
    for broken in (b"title\n\xff\xfe", b'title\n"never ends', b"title\na\x00b"):
        assert other.http.post("/api/v1/shelf/import", data=broken, headers={"Content-Type": "text/csv"}).status_code == 400


def test_a_reading_is_shared_with_those_who_may_see_it():
    reader, follower, stranger = people.member("reader"), people.member("follower"), people.member("stranger")
    follower.client.account_follow(reader.id)
    made = reader.http.post("/api/v1/shelf/records", json={"book": PRINCE, "one_line": "다시 읽음", "visibility": "followers"}).json()
    seen = f"/api/v1/records/{made['id']}"
    assert follower.http.get(seen).status_code == 200 and stranger.http.get(seen).status_code == 404
    shared = reader.http.post(f"/api/v1/shelf/records/{made['id']}/share")
    assert shared.status_code == 200, shared.text
    status = follower.client.status(shared.json()["id"])
    assert status.card.title == "어린 왕자" and status.card.author_name == "생텍쥐페리"
    assert stranger.http.get(f"/api/v1/statuses/{status.id}").status_code == 404
    public = reader.http.post(f"/api/v1/shelf/records/{made['id']}/share", json={"visibility": "public"})
    assert public.status_code == 422, public.text
    reader.http.put(f"/api/v1/shelf/records/{made['id']}", json={"visibility": "private"})
    assert follower.http.get(seen).status_code == 404
    assert follower.http.get(f"/api/v1/accounts/{reader.id}/records").json() == []
