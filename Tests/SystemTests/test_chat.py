# SPDX-License-Identifier: Apache-2.0
"""Chat as people meet it: HTTP for what stays, and python-socketio for what is live, over polling, WebSocket and both."""

import time

import pytest
import requests
import socketio

import people
from chatting import TRANSPORTS, Device, Yard, ok, trio
from waiting import eventually

CHAT_KINDS = {"types[]": ["chat_mention", "direct_message"]}


@pytest.fixture(params=TRANSPORTS.values(), ids=TRANSPORTS.keys())
def transports(request):
    return request.param


@pytest.fixture
def yard():
    made = Yard()
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared():
    """For tests that leave nothing behind."""
    return trio()


# Connecting.


def test_a_token_opens_the_door(shared, yard, transports):
    device = yard.device(shared.owner, transports)
    ready = device.next("ready")
    assert {shared.channel["id"], shared.direct["id"]} <= {each["channel_id"] for each in ready["channels"]}
    expected = "polling" if transports == ["polling"] else "websocket"
    eventually(lambda: device.client.transport() == expected, f"it goes over {expected}")
    assert device.send(shared.channel, f"over {transports}")["ok"]


@pytest.mark.parametrize("auth", [None, {}, {"token": "nobody's"}, {"token": 7}, {"authorization": "Basic x"}], ids=str)
def test_without_a_token_nobody_comes_in(shared, transports, auth):
    device = Device()
    with pytest.raises(socketio.exceptions.ConnectionError):
        device.open(auth, transports)
    assert device.errors["/"]["message"] == "unauthorized"
    for namespace in (f"/ws-channel-{shared.channel['id']}", f"/ws-dm-{shared.direct['id']}"):
        device = Device()
        with pytest.raises(socketio.exceptions.ConnectionError):
            device.open(auth, transports, [namespace])
        assert device.errors[namespace]["message"] == "unauthorized"


@pytest.mark.parametrize("where", ["token", "authorization", "header", "query"])
def test_every_place_for_the_token(shared, yard, where):
    token = shared.owner.token
    device = Device()
    yard.devices.append(device)
    device.open(
        {"token": {"token": token}, "authorization": {"authorization": f"Bearer {token}"}}.get(where),
        headers={"Authorization": f"Bearer {token}"} if where == "header" else None,
        query=f"/?access_token={token}" if where == "query" else "",
    )
    device.next("ready")


# Talking.


def test_a_message_is_acknowledged_and_reaches_everybody(shared, yard, transports):
    speaker = yard.device(shared.owner, transports)
    listener = yard.device(shared.member, transports)
    second = yard.device(shared.owner, transports)
    for device in (speaker, listener, second):
        device.next("ready")
    text = f"Who brings tea? {time.monotonic()}"
    answer = speaker.send(shared.channel, text, client_id=text)
    assert answer["ok"], answer
    message = answer["message"]
    assert message["account"]["id"] == shared.owner.id and message["channel_id"] == shared.channel["id"]
    assert listener.said(text) == message
    assert second.said(text) == message
    assert Yard.history(shared.member, shared.channel, limit=1) == [message]
    # The same again makes nothing new, nor does it over HTTP.
    again = speaker.send(shared.channel, text, client_id=text)
    assert again["ok"] and again["message"]["id"] == message["id"]
    assert Yard.say(shared.owner, shared.channel, text, client_id=text)["id"] == message["id"]
    end = speaker.send(shared.channel, f"end {text}")["message"]
    assert end["seq"] == message["seq"] + 1
    listener.said(f"end {text}")
    assert [each["id"] for each in listener.of("message")].count(message["id"]) == 1


def test_over_http_reaches_sockets_too(shared, yard, transports):
    listener = yard.device(shared.member, transports)
    listener.next("ready")
    text = f"posted {time.monotonic()}"
    message = Yard.say(shared.owner, shared.direct, text)
    assert listener.said(text) == message
    edited = ok(shared.owner.http.patch(f"/api/v1/messages/{message['id']}", json={"text": f"{text}!"}))
    assert listener.next("message:edited", lambda each: each["id"] == message["id"]) == edited
    ok(shared.member.http.put(f"/api/v1/messages/{message['id']}/reactions/👍"))
    reaction = listener.next("reaction", lambda each: each["message_id"] == message["id"])
    assert reaction["emoji"] == "👍" and reaction["added"] and reaction["account_id"] == shared.member.id
    ok(shared.owner.http.delete(f"/api/v1/messages/{message['id']}"))
    gone = listener.next("message:deleted", lambda each: each["id"] == message["id"])
    assert gone["text"] == "" and gone["deleted_at"]


def test_a_namespace_a_room(shared, yard, transports):
    channel, direct = f"/ws-channel-{shared.channel['id']}", f"/ws-dm-{shared.direct['id']}"
    device = yard.device(shared.member, transports, namespaces=[channel, direct])
    time_of_day = str(time.monotonic())
    Yard.say(shared.owner, shared.channel, f"channel {time_of_day}")
    Yard.say(shared.owner, shared.direct, f"dm {time_of_day}")
    said = device.next("channel", namespace=channel)
    assert said["content"] == f"channel {time_of_day}" and said["channel_id"] == shared.channel["id"]
    assert said["user"]["user_id"] == shared.owner.id
    said = device.next("dm", namespace=direct)
    assert said["content"] == f"dm {time_of_day}" and said["room_id"] == shared.direct["id"]
    assert {(place, event) for place, event, _, _ in device.events} == {(channel, "channel"), (direct, "dm")}


def test_both_ways_in_at_once(shared, yard, transports):
    room = f"/ws-channel-{shared.channel['id']}"
    device = yard.device(shared.member, transports, namespaces=["/", room])
    device.next("ready")
    text = f"both {time.monotonic()}"
    Yard.say(shared.owner, shared.channel, text)
    device.said(text)
    device.next("channel", lambda each: each["content"] == text, namespace=room)


def test_binary_and_unknown_events_break_nothing(shared, yard, transports):
    device = yard.device(shared.owner, transports)
    device.next("ready")
    device.client.emit("message", b"\x00\x01")
    device.client.emit("nobody-knows-this", {"a": [1, {"b": None}]})
    device.client.emit("message", {"channel_id": shared.channel["id"], "text": b"bytes"})
    assert device.send(shared.channel, "still here")["ok"]


# Coming back.


def test_missed_messages_come_first_and_in_order(yard, transports):
    room = trio()
    first = yard.device(room.member, transports)
    first.next("ready")
    Yard.say(room.owner, room.channel, "before")
    seen = first.said("before")
    first.close()
    missed = [f"missed {number}" for number in range(20)]
    for text in missed:
        Yard.say(room.owner, room.channel, text)
    changed = Yard.history(room.member, room.channel, limit=200)[-1]
    ok(room.owner.http.patch(f"/api/v1/messages/{changed['id']}", json={"text": "before, edited"}))
    position = {"seq": seen["seq"], "change": seen["change"]}
    again = yard.device(room.member, transports, auth={"channels": {room.channel["id"]: position}})
    again.next("ready")
    assert [message["text"] for message in again.of("message")] == missed
    assert [message["seq"] for message in again.of("message")] == list(range(seen["seq"] + 1, seen["seq"] + 21))
    assert [message["text"] for message in again.of("message:edited")] == ["before, edited"]
    # What is live goes on from there.
    Yard.say(room.owner, room.channel, "live")
    assert again.said("live")["seq"] == seen["seq"] + 21


def test_a_number_alone_is_enough_to_come_back(yard, transports):
    room = trio()
    for number in range(3):
        Yard.say(room.owner, room.direct, f"number {number}")
    device = yard.device(room.member, transports, auth={"channels": {room.direct["id"]: 1}})
    device.next("ready")
    assert [message["text"] for message in device.of("message")] == ["number 1", "number 2"]
    answer = device.client.call("sync", {"channels": {room.direct["id"]: 2}}, timeout=15)
    assert "number 2" in str(answer) and "number 1" not in str(answer)


def test_reading_on_one_device_reaches_the_other(yard, transports):
    room = trio()
    phone, laptop = yard.device(room.member, transports), yard.device(room.member, transports)
    other = yard.device(room.owner, transports)
    for device in (phone, laptop, other):
        device.next("ready")
    for number in range(3):
        Yard.say(room.owner, room.channel, f"read me {number}")
    last = laptop.said("read me 2")["seq"]
    overview = ok(room.member.http.get("/api/v1/conversations-overview"))
    unread = {each["id"]: each["unread_count"] for each in overview["channels"]}
    assert unread[room.channel["id"]] == 3
    phone.client.emit("read", {"channel_id": room.channel["id"], "seq": last})
    read = laptop.next("read")
    assert (read["channel_id"], read["last_read_seq"], read["unread_count"]) == (room.channel["id"], last, 0)
    overview = ok(room.member.http.get("/api/v1/conversations-overview"))
    assert {each["id"]: each["unread_count"] for each in overview["channels"]}[room.channel["id"]] == 0
    Yard.say(room.owner, room.channel, "the end")
    other.said("the end")
    assert other.of("read") == []


# Being cut off.


def test_a_removed_member_is_cut(yard, transports):
    room = trio()
    namespace = f"/ws-channel-{room.channel['id']}"
    device = yard.device(room.member, transports, namespaces=["/", namespace])
    watcher = yard.device(room.owner, transports)
    device.next("ready")
    watcher.next("ready")
    ok(room.owner.http.delete(f"/api/v1/channels/{room.channel['id']}/members/{room.member.id}"))
    device.has_ended(namespace)
    # News of the way in may still be under way from the other process of chat: this is about the way out.
    device.next("member", lambda each: each["action"] == "removed")
    Yard.say(room.owner, room.channel, "among us")
    Yard.say(room.owner, room.direct, "to you")
    watcher.said("among us")
    device.said("to you")
    assert "among us" not in str(device.events)
    refused = device.send(room.channel, "let me in")
    assert not refused["ok"] and refused["error"]["status"] in (403, 404)
    late = Device()
    with pytest.raises(socketio.exceptions.ConnectionError):
        late.open({"token": room.member.token}, transports, [namespace])
    assert late.errors[namespace]["message"] in ("forbidden", "not-found")


def test_a_revoked_token_is_cut(yard, transports):
    room = trio()
    namespaces = ["/", f"/ws-dm-{room.direct['id']}"]
    device = yard.device(room.member, transports, namespaces=namespaces)
    device.next("ready")
    revoked = people.Api().post(
        "/oauth/revoke",
        data={
            "client_id": people.app()["client_id"],
            "client_secret": people.app()["client_secret"],
            "token": room.member.token,
        },
    )
    assert revoked.status_code == 200, revoked.text
    for namespace in namespaces:
        device.has_ended(namespace)
    Yard.say(room.owner, room.direct, "are you there?")
    late = Device()
    with pytest.raises(socketio.exceptions.ConnectionError):
        late.open({"token": room.member.token}, transports)
    assert late.errors["/"]["message"] == "unauthorized"
    assert "are you there?" not in str(device.events)


def test_who_is_blocked_is_not_heard(yard, transports):
    room = trio()
    device = yard.device(room.member, transports, namespaces=["/", f"/ws-dm-{room.direct['id']}"])
    device.next("ready")
    assert device.send(room.direct, "hello")["ok"]
    room.owner.client.account_block(room.member.id)
    device.has_ended(f"/ws-dm-{room.direct['id']}")
    eventually(lambda: not device.send(room.direct, "hello?")["ok"], "the block is known")
    # Known once, known for good, in every process of chat.
    for _ in range(6):
        refused = device.send(room.direct, "hello?")
        assert not refused["ok"] and refused["error"]["status"] == 403 and refused["error"]["code"] == "blocked"
    assert room.owner.http.post(
        f"/api/v1/channels/{room.direct['id']}/messages", json={"text": "and now?"}
    ).json()["code"] == "blocked"
    room.owner.client.account_unblock(room.member.id)
    eventually(lambda: device.send(room.direct, "friends again")["ok"], "the end of the block is known")


# Who is there.


def test_typing_and_presence(yard, transports):
    room = trio()
    owner = yard.device(room.owner, transports)
    owner.next("ready")
    member = yard.device(room.member, transports)
    member.next("ready")
    owner.next("presence", lambda each: each.get("account_id") == room.member.id and each["online"] is True)
    member.next("presence", lambda each: room.owner.id in (each["online"] if isinstance(each["online"], list) else []))
    stranger = yard.device(room.stranger, transports)
    stranger.next("ready")
    member.client.emit("typing", {"channel_id": room.channel["id"]})
    assert owner.next("typing") == {"channel_id": room.channel["id"], "account_id": room.member.id}
    member.close()
    # A client of long polling may go without a word: then the server waits for its next pong.
    owner.next("presence", lambda each: each.get("account_id") == room.member.id and each["online"] is False, seconds=60)
    assert member.of("typing") == []
    assert room.member.id not in str(stranger.events) and room.owner.id not in str(stranger.events)


# While away.


def test_notifications_for_who_is_away(yard):
    room = trio()

    def kinds(person=room.member, **query):
        return [each["type"] for each in ok(person.http.get("/api/v1/notifications", params=query))]

    Yard.say(room.owner, room.direct, "Are you up?")
    last = Yard.say(room.owner, room.direct, "Tea at four")
    Yard.say(room.owner, room.channel, f"@{room.member.name} bring cups")
    eventually(lambda: sorted(kinds(**CHAT_KINDS)) == ["chat_mention", "direct_message"], "both are told")
    told = {each["type"]: each for each in ok(room.member.http.get("/api/v1/notifications", params=CHAT_KINDS))}
    entry = eventually(
        lambda: [
            each
            for each in ok(room.member.http.get("/api/v1/notifications", params={"types[]": ["direct_message"]}))
            if each["message"]["seq"] == last["seq"]
        ],
        "the entry shows the newest",
    )
    assert len(entry) == 1 and entry[0]["message"]["text"] == "Tea at four"
    assert told["chat_mention"]["message"]["channel_name"] == room.channel["name"]
    assert told["chat_mention"]["account"]["id"] == room.owner.id
    assert kinds() == [] and room.member.client.notifications() == []

    ok(room.member.http.post(f"/api/v1/channels/{room.direct['id']}/read", json={}))
    eventually(lambda: kinds(**CHAT_KINDS) == ["chat_mention"], "what is read goes")

    # Who is connected gets the entry, too, for nobody can know whether they are still there; it goes when they read.
    device = yard.device(room.member)
    device.next("ready")
    said = Yard.say(room.owner, room.direct, f"are you here? {time.monotonic()}")
    device.said(said["text"])
    eventually(lambda: sorted(kinds(**CHAT_KINDS)) == ["chat_mention", "direct_message"], "the entry is there")
    ok(room.member.http.post(f"/api/v1/channels/{room.direct['id']}/read", json={"seq": said["seq"]}))
    eventually(lambda: kinds(**CHAT_KINDS) == ["chat_mention"], "what is read live goes")


# Bad input.


@pytest.fixture
def everything_lives_on(shared, yard):
    """Another client's connection is not disturbed, and gateway and chat answer."""
    device = yard.device(shared.owner)
    device.next("ready")
    yield
    text = f"still here {time.monotonic()}"
    assert device.send(shared.channel, text)["ok"]
    device.said(text)
    assert not device.ends
    assert people.Api().get("/health").status_code == 200


def test_foreign_rooms_stay_closed(shared, yard, transports, everything_lives_on):
    private = Yard.channel(shared.playground, shared.owner, type="private")
    secret = Yard.say(shared.owner, private, "a secret")
    for person in (shared.stranger, shared.member):
        device = yard.device(
            person, transports, auth={"channels": {private["id"]: 0, "1": 0, "9223372036854775807": 0}}
        )
        ready = device.next("ready")
        assert private["id"] not in str(ready)
        refused = device.send(private, "let me in")
        assert not refused["ok"] and refused["error"]["status"] in (403, 404)
        device.client.emit("typing", {"channel_id": private["id"]})
        device.client.emit("read", {"channel_id": private["id"], "seq": 1})
        answer = device.client.call("sync", {"channels": {private["id"]: 0}}, timeout=15)
        assert secret["id"] not in str(answer) and "a secret" not in str(answer)
        for namespace in (f"/ws-channel-{private['id']}", f"/ws-dm-{private['id']}", "/ws-channel-x", "/elsewhere"):
            late = Device()
            with pytest.raises(socketio.exceptions.ConnectionError):
                late.open({"token": person.token}, transports, [namespace])
            assert late.errors[namespace]["message"] in ("forbidden", "not-found"), late.errors
        assert "a secret" not in str(device.events)


@pytest.mark.parametrize(
    "position",
    [-1, -(2**63), 2**63, 1e300, "x", None, [], {}, {"seq": -5}, {"seq": 0, "change": -1}, {"seq": 2**64}],
    ids=str,
)
def test_impossible_positions(shared, yard, position, everything_lives_on):
    channels = {shared.channel["id"]: position}
    device = Device()
    yard.devices.append(device)
    try:
        device.open({"token": shared.member.token, "channels": channels})
    except socketio.exceptions.ConnectionError:
        assert device.errors["/"]["message"]
        device = yard.device(shared.member)
    device.next("ready")
    for event in ("sync", "read"):
        payload = {"channels": channels} if event == "sync" else {"channel_id": shared.channel["id"], "seq": position}
        device.client.emit(event, payload)
    assert device.send(shared.channel, "still here")["ok"]


@pytest.mark.parametrize(
    "event, payload",
    [
        ("message", None), ("message", []), ("message", {}), ("message", {"channel_id": 7, "text": 7}),
        ("message", {"channel_id": "x", "text": "x"}), ("message", {"channel_id": "99999999999999999999", "text": "x"}),
        ("message", {"channel_id": "{channel}", "text": ""}), ("message", {"channel_id": "{channel}", "text": "a" * 4001}),
        ("message", {"channel_id": "{channel}", "text": "nul \x00"}), ("message", {"channel_id": "{channel}", "text": "a", "reply_to_id": "-1"}),
        ("message", {"channel_id": "{channel}", "text": "a", "client_id": "c" * 5000}),
        ("message", {"channel_id": "{channel}", "text": "a", "attachment_ids": ["1"] * 11}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_message_is_a_problem(shared, yard, event, payload, everything_lives_on):
    device = yard.device(shared.member)
    device.next("ready")
    if isinstance(payload, dict) and payload.get("channel_id") == "{channel}":
        payload = {**payload, "channel_id": shared.channel["id"]}
    answer = device.client.call(event, payload, timeout=15)
    assert answer["ok"] is False, answer
    assert 400 <= answer["error"]["status"] < 500 and answer["error"]["code"]


def test_a_thousand_namespaces(shared, yard, everything_lives_on):
    """Each is refused or the connection ends; nothing else happens."""
    socket = raw(shared.member.token)
    for number in range(1000):
        socket.send(f'40/ws-channel-{number},{{"token":"{shared.member.token}"}}')
    answers = drain(socket)
    assert answers and all(not answer.startswith("40/") for answer in answers)
    same = raw(shared.member.token)
    for _ in range(1000):
        same.send(f'40/ws-channel-{shared.channel["id"]},{{"token":"{shared.member.token}"}}')
    drain(same)


PACKETS = [
    "4", "49", "4x", "42", "42[", "42{}", "42[]", "42[7]", '42["message"', "42/", "42/nowhere", '42/nowhere,["message"]',
    '4299999999999999999999999["message",{}]', "43", '43["x"]', "43-1[]", '439999[]', "44", "41/nowhere,", "45", "451-",
    '451-["message",{"_placeholder":true,"num":0}]', '459999999-["message"]', '45-1-["message"]',
    '451-["message",{"_placeholder":true,"num":-1}]', "46", "461-1[]", "5", "1", "3probe", "2probe", "9", "b!!!!", "",
    "40", '40{"token":7}', "40[", "40/" + "n" * 5000 + ",", '42["message",' + "[" * 5000 + "]" * 5000 + "]",
    '42["message",{"channel_id":"\\ud800"}]', "\u0000", '42["' + "e" * 100_000 + '"]', '42["connect"]', '42["disconnect"]',
]


@pytest.mark.parametrize("packet", PACKETS, ids=lambda packet: packet[:24])
def test_malformed_packets_over_websocket(shared, packet, everything_lives_on):
    socket = raw(shared.member.token)
    socket.send(packet)
    drain(socket, 0.2)


@pytest.mark.parametrize("packet", PACKETS, ids=lambda packet: packet[:24])
def test_malformed_packets_over_polling(shared, packet, everything_lives_on):
    opened = requests.get(f"{people.BASE_URL}/socket.io/?EIO=4&transport=polling", timeout=10)
    sid = opened.text.split('"sid":"')[1].split('"')[0]
    url = f"{people.BASE_URL}/socket.io/?EIO=4&transport=polling&sid={sid}"
    requests.post(url, data=f'40{{"token":"{shared.member.token}"}}', timeout=10)
    answer = requests.post(url, data=packet.encode("utf-8", "surrogatepass"), timeout=10)
    assert answer.status_code < 500


@pytest.mark.parametrize("query", ["", "EIO=3", "EIO=x&transport=polling", "EIO=4&transport=carrier-pigeon", "EIO=4&transport=polling&sid=nobody"])
def test_bad_handshakes(query, everything_lives_on):
    assert requests.get(f"{people.BASE_URL}/socket.io/?{query}", timeout=10).status_code == 400


def test_too_much_at_once(shared, everything_lives_on):
    socket = raw(shared.member.token)
    try:
        socket.send('42["message",{"text":"' + "a" * 3_000_000 + '"}]')
    except OSError:
        return  # The server had enough before we were done: a refusal, too.
    drain(socket)


def raw(token):
    """A WebSocket whose default namespace is connected, without a client library's good manners."""
    import websocket

    url = people.BASE_URL.replace("http", "ws", 1) + "/socket.io/?EIO=4&transport=websocket"
    socket = websocket.create_connection(url, timeout=10)
    assert socket.recv().startswith("0{")
    socket.send(f'40{{"token":"{token}"}}')
    while not socket.recv().startswith("40{"):
        pass
    return socket


def drain(socket, seconds=2.0):
    """What comes within a while, or until the server closes."""
    import websocket

    said, deadline = [], time.monotonic() + seconds
    try:
        while (left := deadline - time.monotonic()) > 0:
            socket.settimeout(left)
            said.append(str(socket.recv()))
            if not socket.connected:
                break
    except (websocket.WebSocketException, OSError):
        pass
    socket.close()
    return said
