# SPDX-License-Identifier: Apache-2.0
"""A plain client of the public interface for drills: one connection a thread, no retries of its own."""

import concurrent.futures
import http.client
import json
import re
import select
import threading
import time
import urllib.parse


class Away(Exception):
    """No usable answer: a broken connection, a time-out or a 5xx. The request may or may not have happened."""


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body[:200]!r}")
        self.status = status


def is_over(connection):
    """Whether the other side has closed an idle connection; every client that keeps connections looks before it uses one again."""
    if connection.sock is None:
        return False
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return bool(poll.poll(0))


class Client:
    """`base_url` may be a list of gateways: another one is asked when one gives no usable answer."""

    def __init__(self, base_url, token=None, timeout=15):
        self.base_urls = [base_url] if isinstance(base_url, str) else list(base_url)
        self.token = token
        self.timeout = timeout
        self._local = threading.local()

    def choose(self):
        """The gateway that this thread asks."""
        return self.base_urls[getattr(self._local, "turn", 0) % len(self.base_urls)]

    def _leave(self):
        """Forgets the connection, and the gateway as well."""
        if connection := getattr(self._local, "connection", None):
            connection.close()
        self._local.connection = None
        self._local.turn = getattr(self._local, "turn", 0) + 1

    def call(self, method, path, form=None, headers=()):
        """The decoded answer and its headers; raises Refused for a 4xx and Away when nobody knows what happened."""
        connection = getattr(self._local, "connection", None)
        chosen = self.choose()
        if connection is None or self._local.base_url != chosen or is_over(connection):
            url = urllib.parse.urlsplit(chosen)
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=self.timeout)
            self._local.connection, self._local.base_url = connection, chosen
        head = dict(headers)
        if self.token:
            head["Authorization"] = f"Bearer {self.token}"
        body = None
        if isinstance(form, bytes):
            body = form
        elif form is not None:
            body = urllib.parse.urlencode(form)
            head["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body=body, headers=head)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._leave()
            raise Away(repr(error)) from error
        if answer.status >= 500:
            self._leave()
            raise Away(f"{answer.status} {text[:200]!r}")
        if answer.status >= 400:
            raise Refused(answer.status, text)
        return (json.loads(text) if text else None), answer.headers

    def insist(self, method, path, form=None, headers=(), seconds=90):
        """Calls again while the answer is unknown, as a person would; for requests that may be repeated."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.call(method, path, form, headers)
            except Away:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.3)

    def pages(self, path):
        """Every element of a list, by following `Link: rel="next"`."""
        while path:
            elements, headers = self.insist("GET", path)
            yield from elements
            following = re.search(r'<([^>]+)>; *rel="next"', headers.get("Link") or "")
            path = None
            if following and elements:
                url = urllib.parse.urlsplit(following[1])
                path = f"{url.path}?{url.query}"


def share_connections(clients):
    """Lets the clients whom a thread speaks for use one connection, as a phone does that keeps its own: none is opened for a request."""
    local = threading.local()
    for client in clients:
        client._local = local


def sign_up(base_url, names, scopes="read write follow"):
    """Accounts by name, each as a Client with its token."""
    app_form = {"client_name": "drill", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": scopes}
    app, _ = Client(base_url).insist("POST", "/api/v1/apps", app_form)
    token, _ = Client(base_url).insist(
        "POST",
        "/oauth/token",
        {
            "grant_type": "client_credentials",
            "client_id": app["client_id"],
            "client_secret": app["client_secret"],
            "scope": scopes,
        },
    )

    def make(name):
        made, _ = Client(base_url, token["access_token"], timeout=60).call(
            "POST",
            "/api/v1/accounts",
            {
                "username": name,
                "email": f"{name}@example.org",
                "password": f"correct horse {name}",
                "agreement": "true",
                "locale": "en",
            },
        )
        client = Client(base_url, made["access_token"])
        client.app = app
        return name, client

    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        return dict(pool.map(make, names))
