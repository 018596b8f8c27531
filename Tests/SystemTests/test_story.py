# SPDX-License-Identifier: Apache-2.0
"""What people do with one another, with Mastodon.py."""

import queue

import mastodon
import pytest

import people
from waiting import eventually


class Listener(mastodon.StreamListener):
    def __init__(self):
        self.received = queue.Queue()

    def on_notification(self, notification):
        self.received.put(("notification", notification))

    def on_update(self, status):
        self.received.put(("update", status))

    def on_delete(self, status_id):
        self.received.put(("delete", status_id))

    def next(self, kind, seconds=15):
        """The next event of a kind; others are passed over."""
        while True:
            got, value = self.received.get(timeout=seconds)
            if got == kind:
                return value


@pytest.fixture
def streaming():
    """Opens user streams of people, closed afterwards."""
    handles = []

    def listen(person):
        listener = Listener()
        handle = person.client.stream_user(listener, run_async=True, timeout=60)
        handles.append(handle)
        eventually(handle.is_receiving, "the stream is open")
        return listener

    yield listen
    for handle in handles:
        handle.close()


def ids(statuses):
    return [str(status.id) for status in statuses]


def test_what_somebody_has_does_not_travel_again(newcomer, another):
    """By the tag of an answer (RFC 9110, 13.1.2), until something of it changes, and for nobody else."""
    post = newcomer.client.status_post("Who has it already?", visibility="public")
    eventually(lambda: str(post.id) in newcomer.http.get("/api/v1/timelines/home").text, "it is in its author's timeline")
    lists = {
        path: newcomer.http.get(path)
        for path in (
            "/api/v1/timelines/home", f"/api/v1/accounts/{newcomer.id}/statuses", f"/api/v1/statuses/{post.id}/context",
            "/api/v1/notifications", "/api/v1/conversations-overview",
        )
    }
    for path, first in lists.items():
        assert first.status_code == 200, first.text
        had = {"If-None-Match": f'"other", {first.headers["ETag"]}'}
        again = newcomer.http.get(path, headers=had)
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"]), path
        assert newcomer.http.get(path).content == first.content
    theirs = another.http.get("/api/v1/timelines/home", headers={"If-None-Match": lists["/api/v1/timelines/home"].headers["ETag"]})
    assert theirs.status_code == 200
    reply = newcomer.client.status_post("I have.", in_reply_to_id=post.id)
    eventually(lambda: str(reply.id) in newcomer.http.get("/api/v1/timelines/home").text, "the reply is, too")
    for path, first in list(lists.items())[:3]:
        changed = newcomer.http.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert changed.status_code == 200 and str(reply.id) in changed.text, path
        assert newcomer.http.get(path).content == changed.content


def test_a_reply_reaches_its_author(newcomer, another, streaming):
    """The whole way: a post, a reply, the broker, the list of notifications and the open stream."""
    stream = streaming(newcomer)
    post = newcomer.client.status_post("Who brings tea? #tea", visibility="public", language="en")
    assert str(stream.next("update").id) == str(post.id)

    reply = another.client.status_reply(post, "I do")
    told = stream.next("notification")
    assert told.type == "mention"
    assert str(told.status.id) == str(reply.id)
    assert told.account.username == another.name

    listed = eventually(newcomer.client.notifications, "the notification is listed")
    assert [n.type for n in listed] == ["mention"]
    assert str(listed[0].id) == str(told.id)
    assert str(newcomer.client.notifications(id=told.id).status.id) == str(reply.id)

    context = another.client.status_context(post)
    assert ids(context.descendants) == [str(reply.id)]
    assert ids(another.client.status_context(reply).ancestors) == [str(post.id)]
    assert newcomer.client.status(post).replies_count == 1


def test_favourites_boosts_and_follows_are_told(newcomer, another):
    post = newcomer.client.status_post("Look at this")
    relationship = another.client.account_follow(newcomer.id)
    assert relationship.following and not relationship.requested
    liked = another.client.status_favourite(post)
    assert liked.favourited and liked.favourites_count == 1
    boost = another.client.status_reblog(post)
    assert str(boost.reblog.id) == str(post.id) and boost.reblog.reblogged

    def kinds():
        return sorted(n.type for n in newcomer.client.notifications())

    eventually(lambda: kinds() == ["favourite", "follow", "reblog"], "all three are told")
    assert [n.type for n in newcomer.client.notifications(types=["follow"])] == ["follow"]
    assert len(newcomer.client.notifications(exclude_types=["follow"])) == 2

    assert another.client.status_unfavourite(post).favourites_count == 0
    another.client.status_unreblog(post)
    another.client.account_unfollow(newcomer.id)
    eventually(lambda: kinds() == [], "what is taken back is withdrawn")

    mine = another.client.account_relationships([newcomer.id])[0]
    assert not mine.following and not mine.followed_by


def test_timelines(newcomer, another):
    another.client.account_follow(newcomer.id)
    post = newcomer.client.status_post("For the timelines #madangtimelines")
    eventually(lambda: str(post.id) in ids(another.client.timeline_home()), "it is in the follower's home")
    assert str(post.id) in ids(newcomer.client.timeline_home())
    assert str(post.id) in ids(another.client.timeline_public(local=True))
    assert str(post.id) in ids(another.client.timeline_hashtag("MadangTimelines"))
    assert ids(another.client.account_statuses(newcomer.id)) == [str(post.id)]
    account = another.client.account(newcomer.id)
    assert (account.statuses_count, account.followers_count) == (1, 1)
    assert another.client.account_lookup(newcomer.name).id == account.id

    newcomer.client.status_delete(post)
    eventually(lambda: str(post.id) not in ids(another.client.timeline_home()), "a deleted post leaves the home")
    with pytest.raises(mastodon.MastodonNotFoundError):
        another.client.status(post)


def test_pages_of_a_timeline(newcomer):
    posts = [str(newcomer.client.status_post(f"Number {number}").id) for number in range(7)]
    first = newcomer.client.account_statuses(newcomer.id, limit=3)
    assert ids(first) == posts[:3:-1]
    second = newcomer.client.fetch_next(first)
    assert ids(second) == posts[3:0:-1]
    assert ids(newcomer.client.fetch_next(second)) == posts[:1]
    assert ids(newcomer.client.fetch_previous(second)) == posts[:3:-1]
    assert ids(newcomer.client.account_statuses(newcomer.id, min_id=posts[0], limit=2)) == [posts[2], posts[1]]


def test_editing_keeps_the_history(newcomer):
    post = newcomer.client.status_post("Frist", spoiler_text="a typo")
    edited = newcomer.client.status_update(post, "First", spoiler_text="")
    assert edited.edited_at and "First" in edited.content
    history = newcomer.client.status_history(post)
    assert ["Frist" in one.content for one in history] == [True, False]
    assert newcomer.client.status_source(post).text == "First"


def test_bookmarks_are_private(newcomer, another):
    post = newcomer.client.status_post("Worth keeping")
    assert another.client.status_bookmark(post).bookmarked
    assert ids(another.client.bookmarks()) == [str(post.id)]
    assert newcomer.client.bookmarks() == []
    assert newcomer.client.notifications() == []
    assert not another.client.status_unbookmark(post).bookmarked


def test_who_may_see_what(newcomer, another, ada):
    newcomer.client.account_follow(another.id)
    for_followers = another.client.status_post("For followers", visibility="private")
    for_ada = another.client.status_post(f"@{ada.name} only for you", visibility="direct")
    assert newcomer.client.status(for_followers)
    with pytest.raises(mastodon.MastodonNotFoundError):
        newcomer.client.status(for_ada)
    assert ada.client.status(for_ada)
    with pytest.raises(mastodon.MastodonNotFoundError):
        ada.client.status(for_followers)
    assert people.Api().get(f"/api/v1/statuses/{for_followers.id}").status_code == 404
    eventually(
        lambda: str(for_ada.id) in [str(n.status.id) for n in ada.client.notifications(types=["mention"])],
        "the mentioned is told",
    )


def test_blocks_and_mutes_silence(newcomer, another, ada):
    post = newcomer.client.status_post("Say something")
    newcomer.client.account_block(another.id)
    with pytest.raises(mastodon.MastodonNotFoundError):
        another.client.status(post)
    assert newcomer.client.account_relationships([another.id])[0].blocking

    quiet = people.member("quiet")
    newcomer.client.account_mute(quiet.id, notifications=True)

    def muted_and_known():
        # The mute and the reply reach notifications one after the other, through one queue.
        return newcomer.client.account_relationships([quiet.id])[0].muting_notifications

    assert muted_and_known()
    quiet.client.status_post(f"@{newcomer.name} can you hear me?")
    ada.client.status_post(f"@{newcomer.name} I can")
    eventually(newcomer.client.notifications, "who is not muted is heard")
    assert [n.account.username for n in newcomer.client.notifications()] == [ada.name]


def test_a_locked_account_is_asked(newcomer, another):
    newcomer.client.account_update_credentials(locked=True)
    assert another.client.account_follow(newcomer.id).requested
    eventually(
        lambda: [n.type for n in newcomer.client.notifications()] == ["follow_request"], "the request is told"
    )
    assert [one.username for one in newcomer.client.follow_requests()] == [another.name]
    newcomer.client.follow_request_authorize(another.id)
    assert another.client.account_relationships([newcomer.id])[0].following
    eventually(
        lambda: "follow_request" not in [n.type for n in newcomer.client.notifications()], "the request is withdrawn"
    )


def test_dismissing_and_markers(newcomer, another):
    for number in range(3):
        another.client.status_post(f"@{newcomer.name} {number}")
    listed = eventually(
        lambda: len(newcomer.client.notifications()) == 3 and newcomer.client.notifications(), "three are told"
    )
    assert newcomer.http.get("/api/v1/notifications/unread_count").json() == {"count": 3}
    newcomer.client.markers_set(["notifications"], [listed[1].id])
    assert str(newcomer.client.markers_get(["notifications"])["notifications"].last_read_id) == str(listed[1].id)
    assert newcomer.http.get("/api/v1/notifications/unread_count").json() == {"count": 1}
    newcomer.client.notifications_dismiss(listed[0].id)
    assert [str(n.id) for n in newcomer.client.notifications()] == [str(n.id) for n in listed[1:]]
    newcomer.client.notifications_clear()
    assert newcomer.client.notifications() == []


def test_a_profile(newcomer):
    changed = newcomer.client.account_update_credentials(
        display_name="다람쥐", note="한국어\n日本語", fields=[("pronouns", "any")]
    )
    assert changed.display_name == "다람쥐"
    assert changed.source.note == "한국어\n日本語"
    assert [(f.name, f.value) for f in changed.fields] == [("pronouns", "any")]
    assert newcomer.client.account(newcomer.id).display_name == "다람쥐"


def test_a_repeated_post_is_one_post(newcomer):
    headers = {"Idempotency-Key": "a key of mine"}
    first = newcomer.http.post("/api/v1/statuses", json={"status": "Once"}, headers=headers)
    again = newcomer.http.post("/api/v1/statuses", json={"status": "Once"}, headers=headers)
    assert first.json()["id"] == again.json()["id"]
    other = newcomer.http.post("/api/v1/statuses", json={"status": "Something else"}, headers=headers)
    assert other.status_code == 422
    assert newcomer.client.me().statuses_count == 1
