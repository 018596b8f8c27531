# SPDX-License-Identifier: Apache-2.0
"""Sessions that remember every JSON answer, for the check of shapes."""

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


_lock = threading.Lock()
answers: list[Answer] = []


def remember(answer):
    with _lock:
        answers.append(answer)


class Session(requests.Session):
    def send(self, request, **options):
        response = super().send(request, **options)
        streamed = options.get("stream") and "event-stream" in response.headers.get("Content-Type", "")
        if response.ok and not streamed and "application/json" in response.headers.get("Content-Type", ""):
            path = urllib.parse.urlsplit(request.url).path
            remember(Answer(request.method.lower(), path, response.status_code, response.json()))
        return response
