# SPDX-License-Identifier: Apache-2.0
"""What apps ask in their first minute, in their order and with their parameters, and what they read of the answers."""

import email.utils
import json
import queue
import re
import time
import urllib.parse

import mastodon
import pytest
import websocket

import people
from pages import Browser
from test_clients import socket_address
from waiting import eventually

CALLBACK = "http://127.0.0.1:9/oauth-callback"


def form_data(**fields):
    """A body as a browser's FormData is sent: multipart, without files."""
    return {"files": {name: (None, value) for name, value in fields.items()}}


def allowed(app, person, redirect_uri, scope):
    """Somebody lets an app in; the code that it gets."""
    query = {"response_type": "code", "client_id": app["client_id"], "redirect_uri": redirect_uri, "scope": scope}
    browser = Browser(people.BASE_URL).authorize("/oauth/authorize?" + urllib.parse.urlencode(query), person)
    assert browser.code, browser.text[:300]
    return browser.code


def test_pleroma_fe_starts(newcomer, another):
    """Its name is made of a file's text and so has a line break; it asks for administration, which few are granted."""
    scopes = "read write follow push admin"
    web = people.Api()
    assert web.get("/api/v1/instance").json()["version"].startswith("4.2.")
    assert web.get("/nodeinfo/2.0").json()["software"]["version"].startswith("4.2.")
    registered = web.post(
        "/api/v1/apps",
        **form_data(
            client_name="PleromaFE___0123abcd\n_2026-01-02T03:04:05.678Z", website="https://pleroma.social",
            redirect_uris=CALLBACK, scopes=scopes,
        ),
    )
    assert registered.status_code == 200, registered.text
    app = registered.json()
    assert app["name"] == "PleromaFE___0123abcd _2026-01-02T03:04:05.678Z"
    assert "vapid_key" not in app
    credentials = {"client_id": app["client_id"], "client_secret": app["client_secret"]}
    alone = web.post(
        "/oauth/token", **form_data(**credentials, grant_type="client_credentials", redirect_uri=CALLBACK)
    )
    assert alone.status_code == 200, alone.text
    verified = people.Api(alone.json()["access_token"]).get("/api/v1/apps/verify_credentials")
    assert verified.status_code == 200 and verified.json()["name"] == app["name"]

    code = allowed(app, newcomer, CALLBACK, scopes)
    token = web.post(
        "/oauth/token",
        **form_data(**credentials, grant_type="authorization_code", code=code, redirect_uri=CALLBACK),
    )
    assert token.status_code == 200, token.text
    # Told what it was given: all but administration, for which nobody made this person somebody.
    assert token.json()["scope"] == "read write follow push"
    mine = people.Api(token.json()["access_token"])
    own = mine.get("/api/v1/accounts/verify_credentials").json()
    assert own["username"] == newcomer.name
    for path in (
        "/api/v1/lists", "/api/v1/timelines/home?with_muted=true&limit=20", "/api/v1/custom_emojis",
        "/api/v1/notifications?with_muted=true&limit=20", "/api/v1/announcements", "/api/v1/mutes",
        f"/api/v1/accounts/{own['id']}/following?limit=20&with_relationships=true", "/api/v1/conversations",
        f"/api/v1/accounts/{own['id']}/statuses?pinned=true&limit=20", "/api/v1/follow_requests",
    ):
        answer = mine.get(path)
        assert answer.status_code == 200 and isinstance(answer.json(), list), f"{path}: {answer.text}"
    socket = websocket.create_connection(
        socket_address(access_token=token.json()["access_token"], stream="user"), timeout=15
    )
    try:
        another.http.post("/api/v1/statuses", json={"status": f"@{newcomer.name} welcome"})
        frame = json.loads(socket.recv())
        assert frame["event"] == "notification" and json.loads(frame["payload"])["type"] == "mention"
    finally:
        socket.close()
    gone = web.post("/oauth/revoke", **form_data(**credentials, token=token.json()["access_token"]))
    assert gone.status_code == 200 and gone.json() == {}
    eventually(lambda: mine.get("/api/v1/accounts/verify_credentials").status_code == 401, "it is signed out")


def test_ice_cubes_starts(newcomer, another):
    redirect, scopes = "icecubesapp://", "read write follow push"
    app = people.Api().post(
        "/api/v1/apps",
        params={
            "client_name": "IceCubesApp", "redirect_uris": redirect, "scopes": scopes,
            "website": "https://github.com/Dimillian/IceCubesApp",
        },
    ).json()
    assert all(isinstance(app[name], str) for name in ("id", "name", "redirect_uri", "client_id", "client_secret"))
    code = allowed(app, newcomer, redirect, scopes)
    token = people.Api().post(
        "/oauth/token",
        json={
            "code": code, "grant_type": "authorization_code", "client_id": app["client_id"],
            "client_secret": app["client_secret"], "redirect_uri": redirect, "scope": scopes,
        },
    ).json()
    mine = people.Api(token["access_token"])
    instance = mine.get("/api/v2/instance").json()
    # Everything that it cannot do without: one of these missing, and the whole answer counts for nothing.
    assert all(isinstance(instance[name], str) for name in ("title", "domain", "version"))
    assert isinstance(instance["registrations"]["enabled"], bool) and isinstance(instance["contact"]["email"], str)
    assert isinstance(instance["thumbnail"], dict)
    limits = instance["configuration"]
    assert all(isinstance(limits["statuses"][name], int) for name in ("max_characters", "max_media_attachments"))
    assert all(
        isinstance(limits["polls"][name], int)
        for name in ("max_options", "max_characters_per_option", "min_expiration", "max_expiration")
    )
    # By the first three characters it chooses what it asks for: editing and filters, and not grouped notifications.
    assert 4.1 <= float(instance["version"][:3]) < 4.3
    for path in (
        "/api/v1/accounts/verify_credentials", "/api/v1/instance/peers", "/api/v1/lists", "/api/v1/followed_tags",
        "/api/v1/follow_requests", "/api/v1/preferences", "/api/v1/custom_emojis", "/api/v2/filters",
        "/api/v1/markers?timeline[]=home", "/api/v1/timelines/home?limit=50", "/api/v1/trends/tags",
        "/api/v1/conversations", f"/api/v1/accounts/{newcomer.id}/statuses?pinned=true",
    ):
        answer = mine.get(path)
        assert answer.status_code == 200, f"{path}: {answer.text}"
    # One socket for all streams; the name of one of them is not ours.
    socket = websocket.create_connection(
        socket_address(), subprotocols=[token["access_token"]], timeout=15
    )
    try:
        for stream in ("user", "local", "direct", "public"):
            socket.send(json.dumps({"type": "subscribe", "stream": stream}))
        assert json.loads(socket.recv()) == {"error": "Unknown stream type", "status": 400}
        another.http.post("/api/v1/statuses", json={"status": f"@{newcomer.name} psst", "visibility": "direct"})
        events = {}
        while set(events) != {"notification", "conversation"}:
            frame = json.loads(socket.recv())
            if frame["stream"] != ["public"]:
                events[frame["event"]] = json.loads(frame["payload"])
    finally:
        socket.close()
    assert events["conversation"]["unread"] is True
    notifications = mine.get("/api/v1/notifications?limit=30").json()
    assert [one["type"] for one in notifications] == ["mention"]
    [conversation] = mine.get("/api/v1/conversations").json()
    assert conversation == events["conversation"]
    assert [account["username"] for account in conversation["accounts"]] == [another.name]
    read = mine.post(f"/api/v1/conversations/{conversation['id']}/read")
    assert read.status_code == 200 and read.json()["unread"] is False


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
        assert "vapid" not in configuration
        assert configuration["statuses"]["max_media_attachments"] == 0
        assert configuration["media_attachments"] == {"supported_mime_types": []}
        assert set(configuration["polls"].values()) == {0}
    assert v2["configuration"]["accounts"]["max_pinned_statuses"] == 5


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
