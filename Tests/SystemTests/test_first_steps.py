# SPDX-License-Identifier: Apache-2.0
"""What apps ask in their first minute, in their order and with their parameters, and what they read of the answers."""

import email.utils
import queue
import re
import time

import mastodon
import pytest

import people
from waiting import eventually


def test_toot_sdk_signs_out_without_a_token():
    app = people.app()
    credentials = {"client_id": app["client_id"], "client_secret": app["client_secret"]}
    answer = people.Api().post("/oauth/revoke", data=credentials)
    assert answer.status_code == 200 and answer.json() == {}
    wrong = people.Api().post("/oauth/revoke", data={**credentials, "client_secret": "wrong"})
    assert wrong.status_code in (401, 403)


def test_nothing_is_announced_that_is_not_offered():
    v1, v2 = (people.Api().get(f"/api/{version}/instance").json() for version in ("v1", "v2"))
    software = people.Api().get("/nodeinfo/2.0").json()["software"]
    assert re.fullmatch(r"4\.2\.\d+\+madang-\d+\.\d+\.\d+", software["version"])
    assert v1["version"] == v2["version"] == software["version"]
    for configuration in (v1["configuration"], v2["configuration"]):
        assert configuration["statuses"]["max_media_attachments"] == 4
        assert "image/jpeg" in configuration["media_attachments"]["supported_mime_types"]
        assert configuration["media_attachments"]["image_size_limit"] > 0
        assert set(configuration["polls"].values()) == {0}
    assert v2["configuration"]["accounts"]["max_pinned_statuses"] == 5
    # Who sees the key subscribes: it is told where subscriptions are taken, and nowhere else.
    app = people.app()
    assert "vapid" not in v1["configuration"]
    assert v2["configuration"].get("vapid", {}).get("public_key") == app.get("vapid_key")


@pytest.mark.parametrize("path", ["/", "/health", "/api/v2/instance", "/api/v1/timelines/public", "/api/v1/statuses/1", "/x"])
def test_every_answer_has_its_date(path):
    moment = email.utils.parsedate_to_datetime(people.Api().get(path).headers["Date"])
    assert abs(moment.timestamp() - time.time()) < 60


class Listener(mastodon.StreamListener):
    def __init__(self):
        self.conversations = queue.Queue()

    def on_conversation(self, conversation):
        self.conversations.put(conversation)


def test_conversations_with_mastodon_py(newcomer, another):
    listener = Listener()
    handle = newcomer.client.stream_direct(listener, run_async=True, timeout=60)
    try:
        eventually(handle.is_receiving, "the stream is open")
        post = another.client.status_post(f"@{newcomer.name} psst", visibility="direct")
        told = listener.conversations.get(timeout=15)
    finally:
        handle.close()
    assert told.unread and str(told.last_status.id) == str(post.id)
    [conversation] = newcomer.client.conversations()
    assert conversation.id == told.id and conversation.accounts[0].username == another.name
    assert not newcomer.client.conversations_read(conversation.id).unread
    newcomer.client.status_reply(post, "psst yourself")
    eventually(lambda: another.client.conversations()[0].unread, "the answer is unread")
    assert newcomer.client.timeline_home() == newcomer.client.account_statuses(newcomer.id)
    newcomer.http.delete(f"/api/v1/conversations/{conversation.id}")
    assert newcomer.client.conversations() == []


def test_pins_with_mastodon_py(newcomer, another):
    post = newcomer.client.status_post("On top")
    assert post.pinned is False
    assert newcomer.client.status_pin(post).pinned is True
    assert [one.id for one in another.client.account_statuses(newcomer.id, pinned=True)] == [post.id]
    assert newcomer.client.status_unpin(post).pinned is False
    assert another.client.account_statuses(newcomer.id, pinned=True) == []
    with pytest.raises(mastodon.MastodonAPIError, match="of your own"):
        another.client.status_pin(post)


def test_notifications_of_posts_and_edits_with_mastodon_py(newcomer, another):
    assert newcomer.client.account_follow(another.id, notify=True).notifying
    post = another.client.status_post("Something new")
    eventually(
        lambda: [(one.type, one.status.id) for one in newcomer.client.notifications(types=["status"])]
        == [("status", post.id)],
        "the bell rings",
    )
    newcomer.client.status_reblog(post)
    another.client.status_update(post, "Something newer")
    [update] = eventually(lambda: newcomer.client.notifications(types=["update"]), "the edit is told")
    assert update.account.username == another.name and "Something newer" in update.status.content
    # What home shows already is not shown again because of one's own boost.
    eventually(lambda: newcomer.client.timeline_home(), "the post is in the home timeline")
    assert [one.id for one in newcomer.client.timeline_home()] == [post.id]
