# SPDX-License-Identifier: Apache-2.0
"""From a report to the decision and the appeal: Mastodon.py as people and as those who moderate use it, and what is ours beside it."""

import mastodon
import pytest

import people
import recording
from chatting import ok
from pages import Browser
from test_operating import administered
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
