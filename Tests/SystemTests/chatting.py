# SPDX-License-Identifier: Apache-2.0
"""People who chat: the routes of chat, and python-socketio, unmodified, over every transport."""

import collections
import secrets
import threading
import time

import socketio

import people

TRANSPORTS = {"polling": ["polling"], "websocket": ["websocket"], "upgrade": None}


class Device:
    """One Socket.IO connection that remembers every event it received."""

    def __init__(self):
        self._arrived = threading.Condition()
        self.events = []
        self.errors = {}
        self.ends = {}
        self.client = socketio.Client(reconnection=False)

    def open(self, auth, transports=None, namespaces=("/",), headers=None, query=""):
        """Connects the namespaces; raises socketio's ConnectionError when one is refused."""
        for namespace in namespaces:
            self._listen(namespace)
        self.client.connect(
            people.BASE_URL + query,
            headers=headers or {},
            auth=auth,
            transports=transports,
            namespaces=list(namespaces),
            wait_timeout=10,
        )
        return self

    def _listen(self, namespace):
        def took(event, *arguments):
            with self._arrived:
                self.events.append((namespace, event, arguments[0] if arguments else None, time.monotonic()))
                self._arrived.notify_all()

        def refused(*arguments):
            with self._arrived:
                self.errors[namespace] = arguments[0] if arguments else None
                self._arrived.notify_all()

        def ended(*_):
            with self._arrived:
                self.ends[namespace] = time.monotonic()
                self._arrived.notify_all()

        self.client.on("*", took, namespace=namespace)
        self.client.on("connect_error", refused, namespace=namespace)
        self.client.on("disconnect", ended, namespace=namespace)

    def wait_for(self, condition, what, seconds=15):
        """The first true value of `condition()`, asked again with each event."""
        with self._arrived:
            value = None

            def holds():
                nonlocal value
                value = condition()
                return value

            assert self._arrived.wait_for(holds, timeout=seconds), f"after {seconds} s still not: {what}; {self.events}"
            return value

    def of(self, event, namespace="/"):
        """The arguments of every such event so far."""
        return [argument for place, name, argument, _ in self.events if (place, name) == (namespace, event)]

    def next(self, event, matching=lambda argument: True, namespace="/", seconds=15):
        """The first such event that matches, whether it has come already or comes yet."""
        found = lambda: [argument for argument in self.of(event, namespace) if matching(argument)]  # noqa: E731
        return self.wait_for(found, f"{event} on {namespace}", seconds)[0]

    def forget(self):
        with self._arrived:
            self.events.clear()

    def has_ended(self, namespace="/", seconds=5):
        """The moment at which the server cut the namespace."""
        return self.wait_for(lambda: self.ends.get(namespace), f"the end of {namespace}", seconds)

    def send(self, channel, text, **more):
        """Sends a message; the acknowledgement."""
        return self.client.call("message", {"channel_id": channel["id"], "text": text, **more}, timeout=15)

    def said(self, text, namespace="/"):
        return self.next("message", lambda message: message["text"] == text, namespace)

    def close(self):
        self.client.disconnect()


class Yard:
    """Somebody's playground, and devices that are closed afterwards."""

    def __init__(self):
        self.devices = []

    def device(self, person, transports=None, **options):
        auth = {"token": person.token, **options.pop("auth", {})}
        device = Device()
        self.devices.append(device)
        return device.open(auth, transports, **options)

    def close(self):
        for device in self.devices:
            device.close()

    @staticmethod
    def playground(owner, *members):
        made = ok(owner.http.post("/api/v1/playgrounds", json={"name": f"Yard {secrets.token_hex(3)}"}))
        code = ok(owner.http.post(f"/api/v1/playgrounds/{made['id']}/invites", json={}))["code"]
        for member in members:
            ok(member.http.post(f"/api/v1/invites/{code}/accept"))
        return made

    @staticmethod
    def channel(playground, owner, *members, type="public"):
        path = f"/api/v1/playgrounds/{playground['id']}/channels"
        made = ok(owner.http.post(path, json={"name": f"tea {secrets.token_hex(3)}", "type": type}))
        if members:
            ids = [member.id for member in members]
            ok(owner.http.post(f"/api/v1/channels/{made['id']}/members", json={"account_ids": ids}))
        return made

    @staticmethod
    def direct(opener, *others):
        """Direct messages among people who share a playground."""
        return ok(opener.http.post("/api/v1/direct_channels", json={"account_ids": [other.id for other in others]}))

    @staticmethod
    def history(person, channel, **query):
        return ok(person.http.get(f"/api/v1/channels/{channel['id']}/messages", params=query))

    @staticmethod
    def say(person, channel, text, **more):
        return ok(person.http.post(f"/api/v1/channels/{channel['id']}/messages", json={"text": text, **more}))


Trio = collections.namedtuple("Trio", "owner member stranger playground channel direct")


def trio():
    """Two who share a playground, a channel and direct messages, and one who shares nothing."""
    owner, member, stranger = people.member("minji"), people.member("haruto"), people.member("stranger")
    playground = Yard.playground(owner, member)
    channel = Yard.channel(playground, owner, member)
    return Trio(owner, member, stranger, playground, channel, Yard.direct(owner, member))


def ok(answer):
    assert answer.ok, f"{answer.request.method} {answer.request.path_url}: {answer.status_code} {answer.text[:500]}"
    return answer.json() if answer.content else None
