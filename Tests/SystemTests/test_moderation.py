# SPDX-License-Identifier: Apache-2.0
"""From a report to the decision and the appeal: Mastodon.py as people and as those who moderate use it, and what is ours beside it."""

import datetime

import mastodon
import pytest

import people
import recording
from chatting import Yard, ok
from pages import Browser
from test_gifs import gif, raw, signed_in_again
from test_library import PRINCE
from test_media import ready
from test_operating import administered
from test_projects import begin
from test_sign_in import authorize_address, exchange
from waiting import eventually

SCOPES = "read write admin:read admin:write"


@pytest.fixture(scope="module")
def moderator():
    """Somebody who moderates, signed in with an app of theirs."""
    person = people.member("mod")
    administered(person.name, "promote", "moderator")
    app = people.Api().post(
        "/api/v1/apps", data={"client_name": "Desk", "redirect_uris": people.OUT_OF_BAND, "scopes": SCOPES}
    ).json()  # fmt: skip
    browser = Browser(people.BASE_URL).authorize(authorize_address(app, people.OUT_OF_BAND, scope=SCOPES), person)
    token = exchange(app, browser.code, people.OUT_OF_BAND).json()
    assert token["scope"] == SCOPES
    person.token = token["access_token"]
    yield person
    administered(person.name, "demote")


@pytest.fixture
def desk(moderator):
    return mastodon.Mastodon(
        access_token=moderator.token, api_base_url=people.BASE_URL, session=recording.Session(), ratelimit_method="throw",
        request_timeout=30,
    )  # fmt: skip


def told(person, kind):
    return ok(person.http.get("/api/v1/notifications", params={"types[]": kind}))


def queued(moderator, report):
    return ok(moderator.http.get(f"/api/v1/moderation/reports/{report}"))


def decide(moderator, **body):
    return ok(moderator.http.post("/api/v1/moderation/decisions", json=body))


def test_from_report_to_decision_and_appeal(moderator, desk):
    reporter, author = people.member("ann"), people.member("bob")
    status = author.client.status_post("something rude")
    report = reporter.client.report(author.id, status_ids=[status.id], comment="look at this", category="spam")
    assert not report.action_taken and str(report.target_account.id) == author.id
    author.client.status_update(status.id, "something nice")

    heard = eventually(lambda: [each for each in told(moderator, "admin.report") if each["report"]["id"] == str(report.id)], "moderators hear of it")
    assert heard[0]["account"]["id"] == reporter.id and heard[0]["report"]["comment"] == "look at this"
    assert told(reporter, "admin.report") == []
    assert str(report.id) in [str(each.id) for each in desk.admin_reports()]
    mine = desk.admin_report_assign(report.id)
    assert str(mine.assigned_account.id) == moderator.id and str(mine.statuses[0].id) == str(status.id)
    things = queued(moderator, report.id)["things"]
    assert [(each["kind"], each["id"], each["snapshot"]["text"]) for each in things] == [("post", str(status.id), "something rude")]

    (decision,) = decide(
        moderator, action="remove", things=[{"kind": "post", "id": str(status.id)}], report_id=str(report.id), reason="It was rude"
    )
    assert author.http.get(f"/api/v1/statuses/{status.id}").status_code == 404
    assert desk.admin_report(report.id).action_taken
    warned = eventually(lambda: told(author, "moderation_warning"), "the author hears of it")[0]["moderation_warning"]
    assert warned["action"] == "delete_statuses" and warned["text"] == "It was rude" and warned["id"] == decision["id"]

    own = ok(author.http.get("/api/v1/decisions"))[0]
    assert own["id"] == decision["id"] and own["may_appeal"] and "moderator" not in own
    assert reporter.http.get(f"/api/v1/decisions/{own['id']}").status_code == 404
    appealed = ok(author.http.post(f"/api/v1/decisions/{own['id']}/appeal", json={"text": "It was a quotation"}))
    assert appealed["appeal"]["state"] == "open" and not appealed["may_appeal"]
    assert author.http.post(f"/api/v1/decisions/{own['id']}/appeal", json={"text": "again"}).status_code == 409
    assert own["id"] in [each["id"] for each in ok(moderator.http.get("/api/v1/moderation/appeals"))]
    accepted = ok(moderator.http.post(f"/api/v1/moderation/appeals/{own['id']}/accept"))
    assert accepted["appeal"]["state"] == "accepted" and accepted["lifted_at"]
    assert "something nice" in reporter.client.status(status.id).content
    eventually(lambda: told(author, "moderation_warning")[0]["moderation_warning"]["decision"] == "lift", "the author hears that it holds no more")
    deeds = [each["deed"] for each in ok(moderator.http.get("/api/v1/moderation/log", params={"account_id": author.id}))]
    assert deeds[:4] == ["lift", "accept", "decide", "close"]


def test_accounts_by_mastodon_py(desk):
    reporter, author = people.member("ann"), people.member("bob")
    report = reporter.client.report(author.id, comment="an impostor")
    desk.admin_account_moderate(author.id, action="silence", report_id=report.id, text="Please stop")
    shown = desk.admin_account(author.id)
    assert shown.silenced and not shown.suspended and shown.username == author.name
    assert author.id in [str(each.id) for each in desk.admin_accounts_v2(status="silenced", username=author.name)]
    assert desk.admin_report(report.id).action_taken
    desk.admin_account_unsilence(author.id)
    assert not desk.admin_account(author.id).silenced
    with pytest.raises(mastodon.MastodonAPIError):
        reporter.client.report(reporter.id)


def test_messages_are_reported_and_removed(moderator):
    reporter, author = people.member("ann"), people.member("bob")
    room = direct(author, reporter)
    said = ok(author.http.post(f"/api/v1/channels/{room}/messages", json={"text": "psst, rude"}))
    stranger = people.member("cat")
    report = ok(reporter.http.post("/api/v1/reports", json={"message_ids": [said["id"]], "comment": "in our chat"}))
    hidden = ok(stranger.http.post("/api/v1/reports", json={"message_ids": [said["id"]]}))
    thing = eventually(
        lambda: [each for each in queued(moderator, report["id"])["things"] if each["snapshot"]], "chat says what it was"
    )[0]
    assert thing["snapshot"]["text"] == "psst, rude" and thing["account_id"] == author.id
    eventually(
        lambda: moderator.http.get(f"/api/v1/moderation/reports/{hidden['id']}").status_code == 404,
        "who is not in the room reported nothing",
    )
    decide(moderator, action="remove", things=[{"kind": "message", "id": said["id"]}], report_id=report["id"])
    eventually(lambda: ok(reporter.http.get(f"/api/v1/messages/{said['id']}"))["deleted_at"], "the message goes")


def removed(moderator, reporter, author, kind, thing):
    """Reports a thing of somebody's, and has it removed: what moderators see of it, once they do."""
    body = {"account_id": author.id, f"{kind}_ids": [thing], "comment": f"a {kind}"}
    report = ok(reporter.http.post("/api/v1/reports", json=body))["id"]
    seen = eventually(lambda: [each for each in queued(moderator, report)["things"] if each["snapshot"]], f"the {kind} being known")[0]
    assert (seen["kind"], seen["id"], seen["account_id"]) == (kind, str(thing), author.id)
    (decision,) = decide(moderator, action="remove", things=[{"kind": kind, "id": str(thing)}], report_id=report, reason="rude")
    assert queued(moderator, report)["state"] == "closed"
    eventually(lambda: told(author, "moderation_warning"), "the author hears of it")
    own = ok(author.http.get(f"/api/v1/decisions/{decision['id']}"))
    assert own["action"] == "remove" and own["thing"] == {"kind": kind, "id": str(thing)} and own["may_appeal"]
    return seen["snapshot"]


def test_projects_are_reported_and_removed(moderator):
    reporter, author = people.member("ann"), people.member("bob")
    project = begin(author)
    assert removed(moderator, reporter, author, "project", project["id"])["title"] == project["title"]
    assert reporter.http.get(f"/api/v1/projects/{project['id']}").status_code == 404
    assert project["id"] not in [each["id"] for each in ok(author.http.get("/api/v1/projects"))]


def test_records_are_reported_and_removed(moderator):
    reporter, author = people.member("ann"), people.member("bob")
    body = {"book": PRINCE, "one_line": "rude words", "visibility": "public"}
    record = ok(author.http.post("/api/v1/shelf/records", json=body))["id"]
    assert reporter.http.get(f"/api/v1/records/{record}").status_code == 200
    assert "rude words" in removed(moderator, reporter, author, "record", record)["text"]
    assert reporter.http.get(f"/api/v1/records/{record}").status_code == 404
    assert ok(author.http.get("/api/v1/shelf/records")) == []


def test_playgrounds_are_reported_and_removed(moderator):
    reporter, author = people.member("ann"), people.member("bob")
    playground = Yard.playground(author, reporter)
    assert removed(moderator, reporter, author, "playground", playground["id"])["title"] == playground["name"]
    for person in (reporter, author):
        eventually(lambda person=person: person.http.get(f"/api/v1/playgrounds/{playground['id']}").status_code == 404, "the playground goes")


def test_gifs_are_reported_and_removed(moderator):
    reporter, author = people.member("ann"), people.member("bob")
    files = {"file": ("a.gif", gif(3, [7, 9, 11]), "image/gif")}
    media = ok(author.http.post("/api/v2/media", files=files, data={"purpose": "gif"}))["id"]
    ready(author, media)
    administered(author.name, "promote", "moderator")
    desk = people.Api(signed_in_again(author))
    entry = ok(desk.post("/api/v1/gifs", json={"media_id": media, "title": "rude wave"}))["data"]
    administered(author.name, "demote")
    # Its id there is its own; here the upload's.
    assert removed(moderator, reporter, author, "gif", entry["id"])["title"] == "rude wave"
    eventually(lambda: raw(f"/gifs/{entry['id']}").status_code == 404, "the GIF goes")


def test_a_suspension_ends_by_itself(moderator):
    reader, author = people.member("ann"), people.member("bob")
    status = author.client.status_post("something rude")
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=2)
    decide(moderator, action="suspend", account_id=author.id, reason="a pause", until=until.isoformat())
    eventually(lambda: reader.http.get(f"/api/v1/statuses/{status.id}").status_code == 404, "nobody sees them")
    eventually(lambda: reader.http.get(f"/api/v1/statuses/{status.id}").status_code == 200, "everybody sees them again", 60)
    who = {"username": author.name, "password": author.password}
    eventually(lambda: people.Api().post("/api/v1/sessions", data=who).status_code == 200, "they may sign in again")
    assert not ok(moderator.http.get(f"/api/v1/admin/accounts/{author.id}"))["suspended"]


def test_who_is_reported_handles_nothing_of_it(moderator):
    reporter = people.member("ann")
    report = reporter.client.report(moderator.id, comment="abuses their power").id
    for path in (f"/api/v1/moderation/reports/{report}", f"/api/v1/admin/reports/{report}"):
        assert moderator.http.get(path).status_code == 403
    assert str(report) not in [each["id"] for each in ok(moderator.http.get("/api/v1/moderation/reports"))]
    assert moderator.http.post(f"/api/v1/moderation/reports/{report}/close").status_code == 403


def test_what_an_operator_does_is_told_and_may_be_appealed_to(moderator):
    author = people.member("bob")
    administered(author.name, "limit", "--reason", "spam in three places")
    shown = ok(moderator.http.get(f"/api/v1/admin/accounts/{author.id}"))
    assert shown["silenced"]
    (own,) = ok(author.http.get("/api/v1/decisions"))
    assert own["action"] == "limit" and own["reason"] == "spam in three places" and own["may_appeal"]
    administered(author.name, "lift")
    assert not ok(moderator.http.get(f"/api/v1/admin/accounts/{author.id}"))["silenced"]
    assert ok(author.http.get(f"/api/v1/decisions/{own['id']}"))["lifted_at"]


def direct(opener, other):
    channel = ok(opener.http.post("/api/v1/direct_channels", json={"account_ids": [other.id]}))["id"]
    other.http.post(f"/api/v1/channels/{channel}/accept")
    return channel


def test_nobody_else_moderates(newcomer):
    for path in ("/api/v1/admin/reports", "/api/v2/admin/accounts", "/api/v1/moderation/reports", "/api/v1/moderation/log"):
        assert people.Api().get(path).status_code == 401
        assert newcomer.http.get(path).status_code == 403
    assert newcomer.http.post("/api/v1/moderation/decisions", json={"action": "suspend"}).status_code == 403
    assert newcomer.http.post("/api/v1/decisions/appeal", data={"token": "x", "text": "y"}).status_code == 404
    assert people.Api().get("/appeal?token=x", headers={"Accept": "text/html"}).status_code == 404
