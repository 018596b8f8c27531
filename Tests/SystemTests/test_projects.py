# SPDX-License-Identifier: Apache-2.0
"""The board of projects as people meet it: through the gateway, with all processes, and python-socketio for what is said."""

import json

import pytest
import websocket

import people
from chatting import Yard, ok
from waiting import eventually

KINDS = {"types[]": ["project_application", "project_accepted", "project_declined", "project_withdrawn", "project_deadline", "project_update", "project_mention"]}
IDEA = {
    "title": "마당 앱", "summary": "같이 만들어요", "text": "See https://madang.example #swift", "category": "앱", "place": "online",
    "language": "ko", "publish": True, "roles": [{"name": "iOS", "wanted": 2}, {"name": "디자이너", "wanted": 1}],
}  # fmt: skip


@pytest.fixture
def yard():
    made = Yard()
    yield made
    made.close()


def begin(leader, **more):
    return ok(leader.http.post("/api/v1/projects", json={**IDEA, **more}))


def apply(person, project, message="저요!"):
    path = f"/api/v1/projects/{project['id']}/applications"
    return ok(person.http.post(path, json={"role_id": project["roles"][0]["id"], "message": message}))


def seen(person, project):
    return ok(person.http.get(f"/api/v1/projects/{project['id']}"))


def told(person):
    return [each["type"] for each in ok(person.http.get("/api/v1/notifications", params=KINDS))]


def room(person, project):
    """The channel of the project, once the person is in it."""

    def opened():
        channel = seen(person, project)["channel_id"]
        return channel if channel and person.http.get(f"/api/v1/channels/{channel}").ok else None

    return {"id": eventually(opened, f"{person.name} is in the playground")}


def test_apply_accept_and_talk(yard):
    leader, applicant, stranger = people.member("minji"), people.member("haruto"), people.member("stranger")
    project = begin(leader)
    assert project["state"] == "recruiting" and project["member"] and project["playground_id"] is None
    found = ok(applicant.http.get("/api/v1/projects", params={"tag": "swift", "role": "ios", "place": "Online", "category": "앱"}))
    assert project["id"] in [each["id"] for each in found]
    application = apply(applicant, project)
    assert application["state"] == "open"
    eventually(lambda: told(leader) == ["project_application"], "the leader hears of the application")
    assert leader.http.get("/api/v1/notifications").json() == []
    accepted = ok(leader.http.post(f"/api/v1/applications/{application['id']}/accept", json={"note": "환영해요"}))
    assert accepted["state"] == "accepted"
    eventually(lambda: told(applicant) == ["project_accepted"], "the applicant hears that they are in")
    eventually(lambda: told(leader) == [], "nothing is left to decide")
    channel = room(applicant, project)
    assert room(leader, project) == channel
    devices = [yard.device(person) for person in (leader, applicant)]
    for speaker, listener in (devices, devices[::-1]):
        text = f"안녕하세요 {speaker is devices[0]}"
        assert speaker.send(channel, text)["ok"]
        listener.said(text)
    # Nobody else is let in, or sees where they talk.
    assert seen(stranger, project)["channel_id"] is None
    assert stranger.http.get(f"/api/v1/channels/{channel['id']}").status_code == 404


def test_membership_follows_both_ways(yard):
    leader, applicant = people.member("minji"), people.member("haruto")
    project = begin(leader)
    path = f"/api/v1/projects/{project['id']}"

    def join():
        application = apply(applicant, project)
        ok(leader.http.post(f"/api/v1/applications/{application['id']}/accept"))
        return room(applicant, project)

    channel = join()
    playground = seen(leader, project)["playground_id"]
    # Out of the playground is out of the project…
    ok(applicant.http.post(f"/api/v1/playgrounds/{playground}/leave"))
    eventually(lambda: not seen(applicant, project)["member"], "who left the playground left the project")
    # … and the other way round, by their own act and by the leader's.
    for leave in (
        lambda: applicant.http.post(f"{path}/leave"),
        lambda: leader.http.delete(f"{path}/members/{applicant.id}"),
    ):
        assert join() == channel
        ok(leave())
        eventually(lambda: applicant.http.get(f"/api/v1/channels/{channel['id']}").status_code == 404, "who left the project left the playground")
    # The leader cannot go before somebody else leads.
    join()
    ok(leader.http.post(f"{path}/transfer", json={"account_id": applicant.id}))
    eventually(lambda: ok(applicant.http.get(f"/api/v1/playgrounds/{playground}"))["role"] == "owner", "the playground goes with the project")
    refused = applicant.http.post(f"/api/v1/playgrounds/{playground}/leave")
    assert refused.status_code == 409, refused.text
    ok(leader.http.post(f"{path}/leave"))
    eventually(lambda: leader.http.get(f"/api/v1/playgrounds/{playground}").status_code == 404, "the former leader is out")


def test_news_reach_open_streams():
    leader, applicant = people.member("minji"), people.member("haruto")
    project = begin(leader)
    address = people.BASE_URL.replace("http", "ws", 1) + "/api/v1/streaming?stream=user:notification"
    stream = websocket.create_connection(address, header=[f"Authorization: Bearer {leader.token}"], timeout=30)
    try:
        apply(applicant, project)
        frame = json.loads(stream.recv())
    finally:
        stream.close()
    # A client that knows of no such thing passes over the event.
    assert frame["event"] == "notification.project"
    told_live = json.loads(frame["payload"])
    assert told_live["type"] == "project_application" and told_live["project"]["id"] == project["id"]


def test_a_project_that_is_over():
    leader, applicant, fan = people.member("minji"), people.member("haruto"), people.member("fan")
    project = begin(leader)
    path = f"/api/v1/projects/{project['id']}"
    ok(fan.http.post(f"{path}/bookmark"))
    application = apply(applicant, project)
    ok(leader.http.patch(path, json={"summary": "more to say"}))
    eventually(lambda: told(applicant) == ["project_update"], "who applied hears of a change")
    ok(leader.http.post(f"{path}/finish"))
    # Nobody will decide any more: posts sees to it by itself.
    eventually(lambda: "project_declined" in told(applicant), "who applied is told in the end", 30)
    assert ok(applicant.http.get(f"/api/v1/applications/{application['id']}"))["state"] == "declined"
    assert [form["summary"] for form in ok(fan.http.get(f"{path}/history"))] == ["같이 만들어요", "more to say"]
    ok(leader.http.delete(path))
    assert fan.http.get(path).status_code == 404
    assert ok(fan.http.get("/api/v1/projects/bookmarks")) == []
    eventually(lambda: told(applicant) == [], "nothing of it is told any more")


def test_whom_a_project_names_hears_of_it():
    leader, friend, other = people.member("minji"), people.member("haruto"), people.member("other")
    stranger = people.member("stranger")
    ok(leader.http.post(f"/api/v1/accounts/{stranger.id}/block"))
    address = people.BASE_URL.replace("http", "ws", 1) + "/api/v1/streaming?stream=user:notification"
    stream = websocket.create_connection(address, header=[f"Authorization: Bearer {friend.token}"], timeout=30)
    try:
        project = begin(leader, summary=f"with @{friend.name}", text=f"and @{stranger.name}")
        frame = json.loads(stream.recv())
    finally:
        stream.close()
    assert frame["event"] == "notification.project"
    told_live = json.loads(frame["payload"])
    assert told_live["type"] == "project_mention" and told_live["project"]["id"] == project["id"]
    assert told(friend) == ["project_mention"]
    path = f"/api/v1/projects/{project['id']}"
    ok(leader.http.patch(path, json={"text": f"and @{stranger.name} and @{other.name}"}))
    eventually(lambda: told(other) == ["project_mention"], "who is named by an edit hears of it")
    assert told(friend) == ["project_mention"] and told(stranger) == []
    ok(leader.http.delete(path))
    eventually(lambda: told(friend) == told(other) == [], "nothing of it is told any more")


def test_views_are_counted_once():
    leader, reader = people.member("minji"), people.member("haruto")
    project = begin(leader)
    for person in (leader, reader, reader):
        seen(person, project)
    eventually(lambda: ok(people.Api().get(f"/api/v1/projects/{project['id']}"))["views_count"] == 1, "the view is written down", 30)


def test_scopes_open_only_what_they_name():
    person = people.member("minji")
    project = begin(person)
    anyone = people.Api()
    assert anyone.get(f"/api/v1/projects/{project['id']}").status_code == 200
    for method, path in [("POST", "/api/v1/projects"), ("GET", "/api/v1/applications"), ("GET", "/api/v1/projects/bookmarks")]:
        assert anyone.request(method, path, json={}).status_code == 401
