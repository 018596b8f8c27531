# SPDX-License-Identifier: Apache-2.0
"""Search through the gateway: what is written is found at once, by those who may see it and by nobody else."""

import itertools
import re
import statistics
import time
import urllib.parse

import pytest

import people
from waiting import eventually

SYLLABLES = "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초코토포호"


@pytest.fixture
def word(dice):
    """A word that nobody else writes, in Hangul: no part of it is a particle."""
    return "".join(dice.choices(SYLLABLES, k=8))


def searchable(name="author"):
    """Somebody whose public posts everybody may find."""
    person = people.member(name)
    answer = person.http.patch("/api/v1/accounts/update_credentials", data={"indexable": "true", "discoverable": "true"})
    assert answer.status_code == 200, answer.text
    return person


def post(person, text, **options):
    answer = person.http.post("/api/v1/statuses", json={"status": text, **options})
    assert answer.status_code == 200, answer.text
    return answer.json()


def ask(person, q, **parameters):
    api = person.http if person else people.Api()
    answer = api.get("/api/v2/search", params={"q": q, **parameters})
    assert answer.status_code == 200, f"{q}: {answer.text}"
    return answer.json()


def ids(person, q, kind="statuses", **parameters):
    return [found["id"] for found in ask(person, q, type=kind, **parameters)[kind]]


def comes(person, q, wanted, kind="statuses", **parameters):
    eventually(lambda: wanted in ids(person, q, kind, **parameters), f"{q} is found")


def goes(person, q, gone, kind="statuses", **parameters):
    eventually(lambda: gone not in ids(person, q, kind, **parameters), f"{q} is not found any more")


@pytest.fixture(scope="module")
def author():
    return searchable()


@pytest.fixture(scope="module")
def reader():
    return people.member("reader")


def test_found_within_two_seconds_of_being_written(author, reader, word):
    texts = {
        "ko": (f"오늘은 {word}에서 책을 읽었습니다", f"{word}에서 책"),
        "ja": (f"昨日{word}図書館で本を読みました", f"{word}図書館"),
        "en": (f"Reading about independence in {word} today", f"{word} independence"),
    }
    took = []
    for language, (text, query) in texts.items():
        began = time.monotonic()
        written = post(author, text, language=language)
        comes(reader, query, written["id"])
        took.append(time.monotonic() - began)
    assert statistics.median(took) < 2, took
    found = ask(reader, f"{word} independence", type="statuses")
    [status] = found["statuses"]
    assert "<em>" in found["highlights"]["statuses"][status["id"]]
    # Without a token, too.
    assert ids(None, f"{word} independence") == [status["id"]]


def test_how_people_type(author, reader, word):
    """Syllables, beginnings, slips, phrases, exclusions, filters."""
    one = post(author, f"{word} 책가방을 샀다 #독서", language="ko")["id"]
    two = post(author, f"{word} Wonderful libraries everywhere https://example.com/books", language="en")["id"]
    three = post(author, f"{word} 東京タワーの本", language="ja")["id"]
    comes(reader, word, three)
    eventually(lambda: set(ids(reader, word)) == {one, two, three}, "all three are there")
    for query, expected in {
        f"{word} 책": {one}, f"{word} 가방": {one}, f"{word} 샀": {one}, f"{word} #독서": {one}, word[:5]: {one, two, three},
        f"{word} wonderf": {two}, f"{word} wonderfull": {two}, f"{word} library": {two}, f"{word} WONDERFUL": {two},
        f'{word} "libraries everywhere"': {two}, f'{word} "everywhere libraries"': set(), f"{word} -wonderful": {one, three},
        f"{word} 東京": {three}, f"{word} タワー": {three}, f"{word} 本": {three}, f"{word} has:link": {two},
        f"{word} lang:ja": {three}, f"{word} from:{author.name}": {one, two, three}, f"{word} from:{reader.name}": set(),
        f"{word} after:2020": {one, two, three}, f"{word} before:2020": set(), f"{word} 없는말": set(),
    }.items():
        assert set(ids(reader, query)) == expected, query
    assert set(ids(reader, word, account_id=author.id)) == {one, two, three}
    assert ids(reader, word, account_id=reader.id) == []
    assert set(ids(reader, word, max_id=two)) == {one} and set(ids(reader, word, min_id=two)) == {three}
    pages = [ids(reader, word, limit=1, offset=offset) for offset in range(4)]
    assert sorted(itertools.chain(*pages)) == sorted([one, two, three]) and pages[3] == []
    tags = ask(reader, "독서", type="hashtags")["hashtags"]
    assert "독서" in [tag["name"] for tag in tags] and all(tag["url"].startswith(people.BASE_URL) for tag in tags)
    assert "독서" in people.Api().get("/api/v1/search", params={"q": "#독서"}).json()["hashtags"]


def test_an_edit_and_a_deletion(author, reader, word):
    before, after = word[:4], word[4:] + "헤"
    status = post(author, f"처음 {before}")["id"]
    comes(reader, before, status)
    edited = author.http.put(f"/api/v1/statuses/{status}", json={"status": f"나중 {after}"})
    assert edited.status_code == 200, edited.text
    comes(reader, after, status)
    assert status not in ids(reader, f"처음 {before}")
    assert author.http.delete(f"/api/v1/statuses/{status}").status_code == 200
    # Posts shows nothing of it from that moment on, whatever the index knows.
    assert ids(reader, after) == []


def test_a_block_hides_both_ways(author, word):
    blocked = searchable("blocked")
    mine, theirs = post(author, f"{word} 나")["id"], post(blocked, f"{word} 너")["id"]
    for person in (author, blocked):
        eventually(lambda: set(ids(person, word)) == {mine, theirs}, "both are found")
    assert author.http.post(f"/api/v1/accounts/{blocked.id}/block").status_code == 200
    assert ids(author, word) == [mine] and ids(blocked, word) == [theirs]

    def named(person, q):
        completed = person.http.get("/api/v1/accounts/search", params={"q": q}).json()
        return set(ids(person, q, "accounts")) | {account["id"] for account in completed}

    # Whoever has blocked somebody finds them by the whole name, to let them in again, and by nothing else; the other way by nothing.
    assert blocked.id in named(author, blocked.name) and blocked.id not in named(author, blocked.name[:-1])
    assert author.id not in named(blocked, author.name) | named(blocked, author.name[:-1])
    author.http.post(f"/api/v1/accounts/{blocked.id}/unblock")
    eventually(lambda: set(ids(author, word)) == {mine, theirs}, "and found again")


@pytest.fixture(scope="module")
def cast(author):
    """Everybody who may be something to an author."""
    cast = {name: people.member(name) for name in ("follower", "mutual", "mentioned", "stranger", "blocked", "blocker")}
    for name in ("follower", "mutual", "mentioned", "blocked", "blocker"):
        if name != "mentioned":
            assert cast[name].http.post(f"/api/v1/accounts/{author.id}/follow").status_code == 200
    author.http.post(f"/api/v1/accounts/{cast['mutual'].id}/follow")
    author.http.post(f"/api/v1/accounts/{cast['blocked'].id}/block")
    cast["blocker"].http.post(f"/api/v1/accounts/{author.id}/block")
    return cast | {"author": author, "nobody": None}


@pytest.mark.parametrize("is_searchable", [True, False])
def test_the_visibility_matrix(author, cast, word, is_searchable):
    """S3: who finds what of somebody's posts, searchable or not."""
    writer = author
    if not is_searchable:
        writer = people.member("quiet")
        for name in ("follower", "mutual"):
            assert cast[name].http.post(f"/api/v1/accounts/{writer.id}/follow").status_code == 200
        writer.http.post(f"/api/v1/accounts/{cast['blocked'].id}/block")
        cast["blocker"].http.post(f"/api/v1/accounts/{writer.id}/block")
    posts = {
        visibility: post(writer, f"@{cast['mentioned'].name} {word} {visibility}", visibility=visibility)["id"]
        for visibility in ("public", "unlisted", "private", "direct")
    }
    everybody = {"public"} if is_searchable else set()
    expected = {
        "author": set(posts) if is_searchable else set(), "mentioned": set(posts), "follower": everybody | {"private"},
        "mutual": everybody | {"private"}, "stranger": everybody, "nobody": everybody, "blocked": set(), "blocker": set(),
    }
    comes(writer, word, posts["direct"])
    for name, visible in expected.items():
        wanted = {posts[visibility] for visibility in visible}
        eventually(lambda: set(ids(cast[name], word)) == wanted, f"{name} finds {sorted(visible)}")
        # An address says no more than the words.
        for visibility, status in posts.items():
            shown = ids(cast[name], f"{people.BASE_URL}/@{writer.name}/{status}")
            mayread = visible | ({"public", "unlisted"} if name not in ("blocked", "blocker") else set())
            assert (status in shown) == (visibility in mayread), f"{name}, {visibility}"


def test_a_private_account(reader, word):
    private = people.member("private")
    private.http.patch("/api/v1/accounts/update_credentials", data={"locked": "true", "indexable": "true"})
    status = post(private, f"{word} 비밀", visibility="private")["id"]
    comes(private, word, status)
    assert ids(reader, word) == []
    reader.http.post(f"/api/v1/accounts/{private.id}/follow")
    assert ids(reader, word) == []
    assert private.http.post(f"/api/v1/follow_requests/{reader.id}/authorize").status_code == 200
    comes(reader, word, status)
    reader.http.post(f"/api/v1/accounts/{private.id}/unfollow")
    goes(reader, word, status)


def test_messages_are_for_those_who_are_there(word):
    ann, bo, cy = (people.member(name) for name in ("ann", "bo", "cy"))
    place = ann.http.post("/api/v1/playgrounds", json={"name": f"{word} 마당", "open": True}).json()
    channel = place["default_channel_id"]
    assert bo.http.post(f"/api/v1/playgrounds/{place['id']}/join").status_code == 200
    said = ann.http.post(f"/api/v1/channels/{channel}/messages", json={"text": f"공지: {word} 모임"}).json()["id"]
    direct = ann.http.post("/api/v1/direct_channels", json={"account_ids": [bo.id]}).json()["id"]
    bo.http.post(f"/api/v1/channels/{direct}/accept")
    whispered = ann.http.post(f"/api/v1/channels/{direct}/messages", json={"text": f"귓속말 {word}"}).json()["id"]
    for person in (ann, bo):
        eventually(lambda: set(ids(person, word, "messages")) == {said, whispered}, "its members find what was said")
    assert ids(cy, word, "messages") == []
    comes(cy, word, place["id"], "playgrounds")
    inside = f"/api/v1/playgrounds/{place['id']}/search"
    found = bo.http.get(inside, params={"q": word}).json()
    assert [message["id"] for message in found["messages"]] == [said]
    assert found["messages"][0]["text"] == f"공지: {word} 모임" and "<em>" in found["highlights"]["messages"][said]
    tea = ann.http.post(f"/api/v1/playgrounds/{place['id']}/channels", json={"name": f"{word}방"}).json()["id"]
    # By their whole names at once, whatever the index knows by now.
    assert tea in [one["id"] for one in bo.http.get(inside, params={"q": f"{word}방"}).json()["channels"]]
    assert bo.id in [one["id"] for one in ann.http.get(inside, params={"q": bo.name}).json()["members"]]
    eventually(lambda: tea in [one["id"] for one in bo.http.get(inside, params={"q": word}).json()["channels"]], "and by their beginnings")
    assert cy.http.get(inside, params={"q": word}).status_code == 403
    # Not after leaving, from that very moment; what was said to oneself stays.
    assert bo.http.post(f"/api/v1/playgrounds/{place['id']}/leave").status_code == 200
    assert ids(bo, word, "messages") == [whispered]
    assert bo.http.get(inside, params={"q": word}).status_code == 403
    assert ann.http.delete(f"/api/v1/messages/{said}").status_code == 200
    assert ids(ann, word, "messages") == [whispered]


def test_a_friend_is_found_by_name_at_once(reader):
    """Whoever has just signed up finds who has just signed up."""
    for q in ("{}", "@{}", "@{}@" + urllib.parse.urlsplit(people.BASE_URL).netloc, people.BASE_URL + "/@{}"):
        friend, seeker = people.member("friend"), people.member("seeker")
        q = q.format(friend.name)
        assert ids(seeker, q, "accounts", resolve="true")[:1] == [friend.id], q
        completed = seeker.http.get("/api/v1/accounts/search", params={"q": q, "resolve": "true", "limit": 1}).json()
        assert [account["id"] for account in completed] == [friend.id], q


def test_names_while_they_are_typed(reader, word):
    person = people.member("typed")
    person.http.patch("/api/v1/accounts/update_credentials", data={"display_name": f"{word} 김민지", "discoverable": "true"})

    def completed(q):
        return [account["id"] for account in reader.http.get("/api/v1/accounts/search", params={"q": q}).json()]

    eventually(lambda: person.id in completed(word), "the new name is found")
    for q in (word[:3], word[:7], person.name[:-2], f"@{person.name[:-1]}", f"{word} ㄱ", f"{word} 기", f"{word} 김ㅁ"):
        assert person.id in completed(q), q


def test_addresses_that_pages_name(author):
    """What the page of a post tells people to paste is found by whoever pastes it, at once."""
    status = post(author, "어디서든 답할 수 있어요")
    for language, hint in (("en", "address into the search of your app"), ("ko", "주소"), ("ja", "検索")):
        page = people.Api().get(status["url"].removeprefix(people.BASE_URL), headers={"Accept": "text/html", "Accept-Language": language})
        assert page.status_code == 200 and hint in page.text
    newcomer = people.member("paster")
    for address in (status["url"], status["url"] + "?lang=ko", status["uri"]):
        for options in ({}, {"resolve": "true"}, {"resolve": "false", "type": "statuses"}):
            assert [found["id"] for found in ask(newcomer, address, **options)["statuses"]] == [status["id"]], address
    assert ask(newcomer, status["account"]["url"])["accounts"][0]["id"] == author.id
    assert ask(newcomer, f"{people.BASE_URL}/@nobody/1") == {
        "accounts": [], "statuses": [], "hashtags": [], "highlights": {"statuses": {}}
    }  # fmt: skip


def test_whatever_is_typed_is_a_query(reader):
    """B18: operators, quotation marks, a thousand terms, the wildcards of databases."""
    words = " ".join(f"w{number}" for number in range(1000))
    queries = [
        "%", "_", "\\", "%_%\\", "'", "''", '"', '"""', "-", "--", "- -", "&", "|", "!", "(", ")", ":", "*", "a:*", "<->", "from:", "from:@",
        "has:", "has:nothing", "lang:x", "before:x", "after:9999-99-99", "in:", 'from:me "', "-from:me -has:link", "ㅁ", "ㅏ", "\u200b", "\u202e",
        "é" * 300, "각" * 600, "🐈", "👩‍👩‍👧‍👦", "' OR 1=1 --", "a\nb\tc", " ", "\u3000", "ー" * 40, "e" + "\u0301" * 60, words[:6000],
        '"' + "a " * 400, "-" * 500, "#" * 100, "@" * 100, "가 " * 500,
    ]  # fmt: skip
    for q in queries:
        began = time.monotonic()
        for path, parameters in (
            ("/api/v2/search", {"type[]": ["accounts", "statuses", "hashtags", "messages", "channels", "playgrounds"]}),
            ("/api/v1/search", {}), ("/api/v1/accounts/search", {}),
        ):
            answer = reader.http.get(path, params={"q": q, **parameters})
            assert answer.status_code in (200, 422), f"{path} {q[:60]!r}: {answer.status_code} {answer.text[:200]}"
        assert time.monotonic() - began < 10, q[:60]


def test_what_the_libraries_ask(author, reader, word):
    """Mastodon.py reads each answer into its types."""
    status = post(author, f"{word} 도서관 #{word} https://example.com/{len(word)}")
    comes(reader, word, status["id"])
    found = reader.client.search_v2(f"{word} 도서관")
    assert [str(one.id) for one in found.statuses] == [status["id"]]
    eventually(lambda: [tag.name for tag in reader.client.search_v2(word, result_type="hashtags").hashtags] == [word], "the hashtag is found")
    assert [one.acct for one in reader.client.account_search(author.name)][:1] == [author.name]
    assert reader.client.search_v2(author.name, result_type="accounts", offset=0).accounts[0].acct == author.name
    for trend in (reader.client.trending_tags, reader.client.trending_statuses, reader.client.trending_links):
        assert isinstance(trend(limit=5), list)
    for suggestion in reader.client.suggestions_v2():
        assert suggestion.account.acct != reader.name and suggestion.sources


def test_people_to_follow():
    """Those whom one's friends follow; not oneself, and nobody whom one follows or has blocked."""
    one, friend, stranger, enemy = (searchable(name) for name in ("one", "friend", "known", "enemy"))

    def follow(follower, followee):
        assert follower.http.post(f"/api/v1/accounts/{followee.id}/follow").status_code == 200

    follow(one, friend)
    follow(friend, enemy)
    assert one.http.post(f"/api/v1/accounts/{enemy.id}/block").status_code == 200
    # Told after the block: search knows of that as soon as it knows of this.
    follow(friend, stranger)

    def suggested():
        return {entry["account"]["id"]: entry for entry in one.http.get("/api/v2/suggestions?limit=80").json()}

    def by_friends():
        entry = suggested().get(stranger.id)
        return entry and "friends_of_friends" in entry["sources"] and entry

    entry = eventually(by_friends, "the friend's friend is suggested")
    assert entry["source"] == "past_interactions"
    assert not {one.id, friend.id, enemy.id} & set(suggested())
    assert stranger.id in [account["id"] for account in one.http.get("/api/v1/suggestions?limit=80").json()]


def test_nothing_counts_what_is_hidden(author, reader, word):
    """Where nothing may be seen, the answer is the same as where nothing is."""
    post(author, f"{word} 남몰래", visibility="direct")
    eventually(lambda: ids(author, word), "its author finds it")
    hidden, missing = (reader.http.get("/api/v2/search", params={"q": q}) for q in (word, word[::-1] + "힣"))
    assert hidden.json() == missing.json() and hidden.status_code == 200
    assert not re.search(r"total|count", ",".join(hidden.headers.keys()), re.IGNORECASE)
