# SPDX-License-Identifier: Apache-2.0
"""All that two apps ask when they are started for the first time, in their order and with their parameters.

Each start is a golden exchange (Tests/Fixtures/http/clients). What the apps ask and what they cannot do without is taken
from their sources: Pleroma-FE's boot/after_store.js, modules/users.js, services/api and entity_normalizer; Ice Cubes'
AddAccountsView, IceCubesApp, CurrentAccount, CurrentInstance, StreamWatcher.
"""

import json
import urllib.parse

import pytest
import websocket

import people
from golden import Record
from pages import Browser
from test_clients import socket_address
from waiting import eventually


@pytest.fixture
def start(newcomer, another):
    """A record, and somebody with a post at home and a mention that they have not read."""
    record = Record()
    record.call(newcomer.name, "newcomer")
    record.call(another.name, "another")
    newcomer.http.post(f"/api/v1/accounts/{another.id}/follow")
    another.http.post("/api/v1/statuses", json={"status": f"@{newcomer.name} Welcome! <3 #hello", "language": "en"})
    eventually(lambda: newcomer.http.get("/api/v1/notifications").json(), "the mention is told")
    eventually(lambda: newcomer.http.get("/api/v1/timelines/home").json(), "the post is at home")
    return record


def allowed(record, app, person, redirect_uri, scope):
    """Somebody lets an app in; the code that it gets."""
    for name in ("client_id", "client_secret"):
        record.call(app[name], f"<{name}>")
    query = {"response_type": "code", "client_id": app["client_id"], "redirect_uri": redirect_uri, "scope": scope}
    browser = Browser(people.BASE_URL).authorize("/oauth/authorize?" + urllib.parse.urlencode(query), person)
    assert browser.code, browser.text[:300]
    return record.call(browser.code, "<code>")


def sent(record, socket, message):
    record.note("> " + json.dumps(message))
    socket.send(json.dumps(message))


def frames(record, socket, events, about=""):
    """What a socket is told until each of these events was there once, by event; written down in their order. A post of before
    may come late: with `about` only what names that id counts."""
    found = {}
    while not set(events) <= set(found):
        text = socket.recv()
        if about in text:
            found[json.loads(text).get("event")] = text
    for event in events:
        record.note("< " + found[event])
    return {event: json.loads(json.loads(text)["payload"]) for event, text in found.items()}


def test_pleroma_fe(start, newcomer, another):
    """Its name has a line break in it; it asks for administration, which few are granted."""
    callback, scopes = "http://127.0.0.1:9/oauth-callback", "read write follow push admin"
    # It looks for a Pleroma behind it and does without.
    start.ask("GET", "/api/pleroma/frontend_configurations", status=404)
    name = "PleromaFE___0123abcd\n_2026-01-02T03:04:05.678Z"
    app = start.ask(
        "POST", "/api/v1/apps",
        form={"client_name": name, "website": "https://pleroma.social", "redirect_uris": callback, "scopes": scopes},
    )
    assert app["name"] == name.replace("\n", " ")
    credentials = {name: app[name] for name in ("client_id", "client_secret")}
    alone = start.ask(
        "POST", "/oauth/token", form={**credentials, "grant_type": "client_credentials", "redirect_uri": callback}
    )
    alone = start.call(alone["access_token"], "<token of the app>")
    start.ask("GET", "/api/v1/apps/verify_credentials", token=alone)
    # Each of these members missing, and nothing after it is read.
    metadata = start.ask("GET", "/nodeinfo/2.0.json")["metadata"]
    assert isinstance(metadata["features"], list) and isinstance(metadata["staffAccounts"], list)
    assert all(isinstance(metadata[name], dict) for name in ("uploadLimits", "suggestions", "federation"))
    instance = start.ask("GET", "/api/v1/instance")
    assert instance["max_toot_chars"] == 500 and isinstance(instance["pleroma"]["metadata"], dict)
    start.ask("GET", "/api/v1/announcements", token=alone, status=422)
    start.ask("GET", "/api/v1/timelines/public?local=true&only_media=false&limit=20&with_muted=true", token=alone, is_shared=True)

    code = allowed(start, app, newcomer, callback, scopes)
    token = start.ask(
        "POST", "/oauth/token", form={**credentials, "grant_type": "authorization_code", "code": code, "redirect_uri": callback}
    )
    # Told what it was given: all but administration, for which nobody made this person somebody.
    assert token["scope"] == "read write follow push"
    token = start.call(token["access_token"], "<token>")
    own = start.ask("GET", "/api/v1/accounts/verify_credentials", token=token)
    start.ask("GET", "/api/v1/custom_emojis", token=token)
    # It subscribes when its token is answered.
    socket = websocket.create_connection(socket_address(access_token=token), timeout=15)
    try:
        sent(start, socket, {"type": "pleroma:authenticate", "token": token})
        assert frames(start, socket, ["pleroma:respond"])["pleroma:respond"]["result"] == "success"
        sent(start, socket, {"type": "subscribe", "stream": "user"})
        for path in (
            "/api/v1/timelines/home?limit=20&with_muted=true", "/api/v1/mutes?with_relationships=true", "/api/v1/lists",
            f"/api/v1/accounts/{own['id']}/following?limit=20&with_relationships=true", "/api/v1/announcements",
            "/api/v1/follow_requests", "/api/v1/conversations", f"/api/v1/accounts/{own['id']}/statuses?pinned=true",
        ):
            assert isinstance(start.ask("GET", path, token=token), list), path
        # A notification without this member ends the reading of them all.
        [mention] = start.ask("GET", "/api/v1/notifications?limit=20&with_muted=true", token=token)
        assert mention["pleroma"] == {"is_seen": False}
        again = another.http.post("/api/v1/statuses", json={"status": f"@{newcomer.name} again", "language": "en"}).json()
        told = frames(start, socket, ["update", "notification"], about=again["id"])
        assert told["notification"]["type"] == "mention" and told["notification"]["pleroma"] == {"is_seen": False}
    finally:
        socket.close()
    people.Api(token).post("/api/v1/markers", json={"notifications": {"last_read_id": mention["id"]}})
    seen = people.Api(token).get("/api/v1/notifications?limit=20&with_muted=true").json()
    assert [one["pleroma"]["is_seen"] for one in seen] == [False, True]
    assert start.ask("POST", "/oauth/revoke", form={**credentials, "token": token}) == {}
    eventually(
        lambda: people.Api(token).get("/api/v1/accounts/verify_credentials").status_code == 401, "it is signed out"
    )
    start.expect("pleroma-fe")


def test_ice_cubes(start, newcomer, another):
    redirect, scopes = "icecubesapp://", "read write follow push"
    # Everything that it cannot do without: one of these missing, and the whole answer counts for nothing.
    instance = start.ask("GET", "/api/v2/instance")
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
    app = start.ask(
        "POST", "/api/v1/apps",
        fields={
            "client_name": "IceCubesApp", "redirect_uris": redirect, "scopes": scopes,
            "website": "https://github.com/Dimillian/IceCubesApp",
        },
    )
    assert all(isinstance(app[name], str) for name in ("id", "name", "redirect_uri", "client_id", "client_secret"))
    code = allowed(start, app, newcomer, redirect, scopes)
    token = start.ask(
        "POST", "/oauth/token",
        body={
            "code": code, "grant_type": "authorization_code", "client_id": app["client_id"],
            "client_secret": app["client_secret"], "redirect_uri": redirect, "scope": scopes,
        },
    )
    token = start.call(token["access_token"], "<token>")
    for path in (
        "/api/v1/accounts/verify_credentials", "/api/v1/instance/peers", "/api/v1/lists", "/api/v1/followed_tags",
        "/api/v1/follow_requests", "/api/v1/preferences", "/api/v2/instance", "/api/v1/custom_emojis",
        "/api/v1/markers?timeline[]=home", "/api/v1/timelines/home?limit=50", "/api/v2/filters",
        "/api/v1/notifications?limit=30", "/api/v1/conversations", f"/api/v1/accounts/{newcomer.id}/statuses?pinned=true",
        f"/api/v1/accounts/{newcomer.id}/featured_tags", f"/api/v1/accounts/relationships?id[]={another.id}",
    ):
        start.ask("GET", path, token=token)
    start.ask("GET", "/api/v1/trends/tags", token=token, is_shared=True)
    # One socket for all streams; the name of one of them is not ours.
    socket = websocket.create_connection(socket_address(), subprotocols=[token], timeout=15)
    try:
        for stream in ("user", "local", "direct"):
            sent(start, socket, {"type": "subscribe", "stream": stream})
        refused = socket.recv()
        start.note("< " + refused)
        assert json.loads(refused) == {"error": "Unknown stream type", "status": 400}
        another.http.post(
            "/api/v1/statuses", json={"status": f"@{newcomer.name} psst", "visibility": "direct", "language": "en"}
        )
        events = frames(start, socket, ["notification", "conversation"])
    finally:
        socket.close()
    assert events["conversation"]["unread"] is True
    assert events["notification"]["type"] == "mention"
    for form in ('{{"id":"{}"', '{{\\"id\\":\\"{}\\"', "/conversations/{}/"):
        start.call(form.format(events["conversation"]["id"]), form.format("<conversation>"))
    [conversation] = start.ask("GET", "/api/v1/conversations", token=token)
    assert conversation == events["conversation"]
    read = start.ask("POST", f"/api/v1/conversations/{conversation['id']}/read", token=token)
    assert read["unread"] is False
    start.expect("ice-cubes")
