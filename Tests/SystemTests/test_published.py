# SPDX-License-Identifier: Apache-2.0
"""What docker compose publishes, and what of the inside can be asked for through the gateway."""

import http.client
import re
import urllib.parse

import pytest

import living
import people

INSIDE = [
    "/metrics", "/health/details", "/internal/principal", "/internal/statistics", "/internal/rooms", "/debug", "/debug/pprof", "/admin",
    "/api/queues", "/api/overview", "/.env", "/run/madang/amqp", "/.git/config", "//metrics", "/./metrics", "/api/../metrics", "/%6detrics",
    "/metrics/", "/metrics?x", "/assets/../metrics", "/assets/%2e%2e/metrics",
]  # fmt: skip


def services():
    """The services of docker-compose.yml with their lines."""
    found, name = {}, None
    lines = (living.ROOT / "docker-compose.yml").read_text().splitlines()
    for line in lines[lines.index("services:") + 1 :]:
        if line and not line.startswith((" ", "#")):
            break
        if head := re.fullmatch(r"  ([a-z-]+):", line):
            name = head[1]
            found[name] = []
        elif name:
            found[name].append(line.strip())
    return found


def test_only_the_gateway_is_published():
    found = services()
    assert {"postgres", "rabbitmq", *living.SERVICES} <= set(found)
    published = [name for name, lines in found.items() if any(re.match(r"(ports|network_mode: *host|expose):?", line) for line in lines)]
    assert published == ["gateway"]
    # One port, on this machine only unless the operator says otherwise; the one for metrics is not it.
    ports = [line for line in found["gateway"] if line.startswith("ports:")]
    assert ports == ['ports: ["${MADANG_BIND:-127.0.0.1:3000}:3000"]']
    assert "MADANG_ADMIN_LISTEN: 0.0.0.0:3001" in found["gateway"]


def test_nothing_but_the_gateway_leaves_the_inside():
    text = (living.ROOT / "docker-compose.yml").read_text()
    assert re.search(r"^  inside: \{internal: true\}$", text, re.MULTILINE)
    outside = [name for name, lines in services().items() if any(line.startswith("networks:") and "outside" in line for line in lines)]
    assert outside == ["gateway"]
    # auth asks issuers, media asks for pages, search for books, notifications brings messages for devices, and nobody on that network
    # asks for anything of theirs.
    asking = [name for name, lines in services().items() if any(line.startswith("networks:") and "asking" in line for line in lines)]
    assert sorted(asking) == ["auth", "media", "notifications", "search"]
    # What several services share publishes nothing either.
    shared = text[: text.index("\nservices:")]
    assert not re.search(r"^\s+(ports|network_mode):", shared, re.MULTILINE)
    assert "networks: [inside]" in shared


@pytest.mark.parametrize("path", INSIDE)
def test_the_inside_is_not_asked_for_through_the_gateway(path):
    url = urllib.parse.urlsplit(people.BASE_URL)
    for method in ("GET", "POST"):
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
        connection.request(method, path, headers={"X-Madang-Internal": "guess", "X-Forwarded-For": "127.0.0.1", "Content-Length": "0"})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        assert answer.status in (400, 404, 405), f"{method} {path}: {answer.status} {text[:200]}"
        assert "madang_" not in text and "# HELP" not in text


@pytest.mark.parametrize("path", ["/health", "/health/live", "/health/ready"])
def test_health_tells_no_details(path):
    answer = people.Api().get(path)
    assert answer.status_code == 200
    assert not re.search(r"postgres|rabbit|127\.0\.0\.1|queue|version|slot|auth|chat", answer.text, re.IGNORECASE), answer.text
