# SPDX-License-Identifier: Apache-2.0
"""Sessions that remember every answer, for the checks of shapes and of secrets."""

import dataclasses
import threading
import urllib.parse

import requests


@dataclasses.dataclass(frozen=True)
class Answer:
    method: str
    path: str
    status: int
    body: object


@dataclasses.dataclass(frozen=True)
class Said:
    """An answer as it came, whatever it was, and with which token it was asked for."""

    method: str
    path: str
    token: str
    text: str


_lock = threading.Lock()
answers: list[Answer] = []
said: list[Said] = []


def remember(answer):
    with _lock:
        answers.append(answer)


class Session(requests.Session):
    def send(self, request, **options):
        response = super().send(request, **options)
        path = urllib.parse.urlsplit(request.url).path
        is_stream = options.get("stream") and "event-stream" in response.headers.get("Content-Type", "")
        if not is_stream:
            head = "".join(f"{name}: {value}\n" for name, value in response.headers.items())
            token = request.headers.get("Authorization", "")
            token = (token.decode("latin-1") if isinstance(token, bytes) else token).removeprefix("Bearer ")
            with _lock:
                said.append(Said(request.method.lower(), path, token, head + response.text))
        if response.ok and not is_stream and "application/json" in response.headers.get("Content-Type", ""):
            remember(Answer(request.method.lower(), path, response.status_code, response.json()))
        return response
