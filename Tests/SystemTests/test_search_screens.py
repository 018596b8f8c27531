# SPDX-License-Identifier: Apache-2.0
"""What the search and explore screens of four apps ask, with their parameters, and what they cannot do without.

Each is a golden exchange (Tests/Fixtures/http/clients). Taken from their sources: Ice Cubes' ExploreViewModel and its models
(Tag, SearchResults), Tusky's MastodonApi and TrendingTag, Elk's composables/search.ts and pages of explore, Pleroma-FE's
api.service. Trends are shared by everybody on the server, so only that they can be read is looked at.
"""

import people
import pytest
from golden import Record
from test_search import comes, post, searchable, word  # noqa: F401
from waiting import eventually


@pytest.fixture
def screen(newcomer, word):  # noqa: F811
    """A record, a reader, and an author with a post that is found by a word, a hashtag and the author's name."""
    author = searchable("author")
    author.http.patch("/api/v1/accounts/update_credentials", data={"display_name": f"{word} 작가"})
    status = post(author, f"{word} 도서관에서 #{word} 를 읽었다", language="ko")
    comes(newcomer, word, status["id"])
    comes(newcomer, word, author.id, "accounts")
    eventually(lambda: newcomer.http.get("/api/v2/search", params={"q": word, "type": "hashtags"}).json()["hashtags"], "the hashtag is found")
    record = Record()
    for value, name in (
        (newcomer.name, "newcomer"), (author.name, "author"), (author.name[:-1], "autho"), (author.name[:-2], "auth"),
        (word, "낱말"), (newcomer.token, "<token>"), (status["id"], "<status>"),
    ):  # fmt: skip
        record.call(value, name)
    return record, newcomer, author, status, word


def is_trend(tag):
    """As Ice Cubes and Tusky decode one: without any of these the whole answer counts for nothing."""
    days = tag["history"]
    return isinstance(tag["following"], bool) and tag["url"] and all({"day", "accounts", "uses"} <= set(day) for day in days)


def test_ice_cubes(screen):
    record, reader, author, status, q = screen
    found = record.ask("GET", "/api/v2/search", token=reader.token, fields={"q": q, "resolve": "true"})
    assert [one["id"] for one in found["accounts"]] == [author.id] and [one["id"] for one in found["statuses"]] == [status["id"]]
    assert [one["name"] for one in found["hashtags"]] == [q] and all(map(is_trend, found["hashtags"]))
    record.ask("GET", f"/api/v1/accounts/relationships?id[]={author.id}", token=reader.token)
    for kind in ("accounts", "statuses", "hashtags"):
        fields = {"q": q, "type": kind, "offset": 0, "resolve": "true"}
        assert len(record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)[kind]) == 1
        fields["offset"] = 1
        assert record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)[kind] == []
    fields = {"q": q, "type": "accounts", "following": "true", "resolve": "true"}
    assert record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)["accounts"] == []
    [completed] = record.ask("GET", "/api/v1/accounts/search", token=reader.token, fields={"q": author.name[:-1], "type": "accounts", "resolve": "true"})
    assert completed["id"] == author.id
    for path in ("/api/v1/suggestions", "/api/v1/trends/tags", "/api/v1/trends/statuses", "/api/v1/trends/links"):
        listed = record.ask("GET", path, token=reader.token, is_shared=True)
        assert isinstance(listed, list)
        assert not path.endswith("tags") or all(map(is_trend, listed))
    record.expect("ice-cubes-search")


def test_tusky(screen):
    record, reader, author, status, q = screen
    for kind, wanted in (("statuses", status["id"]), ("accounts", author.id)):
        fields = {"q": q, "type": kind, "resolve": "true", "limit": 20, "offset": 0, "following": "false"}
        found = record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)
        assert [one["id"] for one in found[kind]] == [wanted]
    fields = {"q": q, "type": "hashtags", "resolve": "true", "limit": 20, "offset": 0, "following": "false"}
    assert all(map(is_trend, record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)["hashtags"]))
    # A link to a post that somebody taps in another post.
    fields = {"q": status["url"], "resolve": "true"}
    assert record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)["statuses"][0]["id"] == status["id"]
    # While a mention is written.
    fields = {"q": author.name[:-2], "resolve": "false", "limit": 10}
    assert [one["id"] for one in record.ask("GET", "/api/v1/accounts/search", token=reader.token, fields=fields)] == [author.id]
    assert all(map(is_trend, record.ask("GET", "/api/v1/trends/tags", token=reader.token, is_shared=True)))
    record.ask("GET", "/api/v1/trends/statuses?limit=40&offset=0", token=reader.token, is_shared=True)
    record.expect("tusky-search")


def test_elk(screen):
    record, reader, author, status, q = screen
    found = record.ask("GET", "/api/v2/search", token=reader.token, fields={"q": q, "resolve": "true"})
    assert found["accounts"] and found["hashtags"] and found["statuses"]
    # Its own address of a post or a person is asked for so.
    address = f"https://{record_domain()}/@{author.name}/{status['id']}"
    assert record.ask("GET", "/api/v2/search", token=reader.token, fields={"q": address, "resolve": "true", "limit": 1})["statuses"]
    assert record.ask("GET", "/api/v2/search", fields={"q": q, "resolve": "false"})["statuses"]
    for path in ("/api/v2/suggestions?limit=20", "/api/v1/trends/tags?limit=20", "/api/v1/trends/links", "/api/v1/trends/statuses"):
        assert isinstance(record.ask("GET", path, token=reader.token, is_shared=True), list)
    record.expect("elk-search")


def test_pleroma_fe(screen):
    record, reader, author, status, q = screen
    fields = {"q": q, "resolve": "true", "with_relationships": "true"}
    found = record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)
    assert found["accounts"][0]["id"] == author.id and found["statuses"][0]["id"] == status["id"] and found["hashtags"]
    fields |= {"type": "statuses", "limit": 20, "offset": 0, "following": "false"}
    assert record.ask("GET", "/api/v2/search", token=reader.token, fields=fields)["statuses"]
    [completed] = record.ask("GET", "/api/v1/accounts/search", token=reader.token, fields={"q": f"@{author.name}", "resolve": "true"})
    assert completed["id"] == author.id
    record.expect("pleroma-fe-search")


def record_domain():
    return people.BASE_URL.split("://")[1]
