# SPDX-License-Identifier: Apache-2.0
"""People who use Madang, each with an account of their own."""

import dataclasses
import functools
import os
import secrets

import mastodon

import recording

BASE_URL = os.environ.get("MADANG_BASE_URL", "").rstrip("/")
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
SCOPES = ["read", "write", "follow", "push"]


# Everybody whom the tests made up: their secrets must be found nowhere afterwards.
known = []


@dataclasses.dataclass
class Person:
    name: str
    password: str
    token: str | None = None

    def __post_init__(self):
        known.append(self)

    @property
    def email(self):
        return f"{self.name}@example.com"

    @functools.cached_property
    def http(self):
        """Plain requests with the person's token."""
        return Api(self.token)

    @functools.cached_property
    def client(self):
        """Mastodon.py, signed in."""
        return mastodon.Mastodon(
            access_token=self.token,
            api_base_url=BASE_URL,
            session=recording.Session(),
            ratelimit_method="throw",
            request_timeout=30,
        )

    @functools.cached_property
    def id(self):
        return self.http.get("/api/v1/accounts/verify_credentials").json()["id"]


class Api:
    def __init__(self, token=None):
        self.session = recording.Session()
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def request(self, method, path, **options):
        options.setdefault("timeout", 30)
        return self.session.request(method, BASE_URL + path, **options)

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    def put(self, path, **options):
        return self.request("PUT", path, **options)

    def patch(self, path, **options):
        return self.request("PATCH", path, **options)

    def delete(self, path, **options):
        return self.request("DELETE", path, **options)


def stranger(name="somebody"):
    """A person who has no account yet. Every name is new, so a run can be repeated on the same server."""
    return Person(f"{name}_{secrets.token_hex(4)}", f"correct horse {secrets.token_hex(8)}")


@functools.cache
def app(redirect_uris=OUT_OF_BAND):
    answer = Api().post(
        "/api/v1/apps",
        data={"client_name": "System tests", "redirect_uris": redirect_uris, "scopes": " ".join(SCOPES)},
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


@functools.cache
def app_token():
    answer = Api().post(
        "/oauth/token",
        data={
            "grant_type": "client_credentials",
            "client_id": app()["client_id"],
            "client_secret": app()["client_secret"],
            "scope": " ".join(SCOPES),
        },
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["access_token"]


def member(name="somebody"):
    """A person who has just signed up through the API."""
    person = stranger(name)
    answer = Api(app_token()).post(
        "/api/v1/accounts",
        data={
            "username": person.name,
            "email": person.email,
            "password": person.password,
            "agreement": "true",
            "locale": "en",
        },
    )
    assert answer.status_code == 200, answer.text
    person.token = answer.json()["access_token"]
    return person


def own_app(person):
    """Plain requests of the same person by an app of the operator's own."""
    answer = Api().post("/api/v1/sessions", data={"username": person.name, "password": person.password})
    assert answer.status_code == 200, answer.text
    return Api(answer.json()["access_token"])
