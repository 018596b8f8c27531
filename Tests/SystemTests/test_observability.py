# SPDX-License-Identifier: Apache-2.0
"""What the alerts and the dashboard ask about is what the processes show."""

import json
import re
import urllib.request

import living
import people

HERE = living.ROOT / "deploy/observability"
# Prometheus's own.
BESIDES = {"up"}


def exposed():
    """The name of everything that some process of the running Madang measures."""
    ports, port = living.ports(), int(people.BASE_URL.rsplit(":", 1)[1])
    found = {}
    for name in living.SERVICES:
        at = port + ports["admin" if name == "gateway" else name]
        with urllib.request.urlopen(f"http://127.0.0.1:{at}/metrics", timeout=10) as answer:
            for line in answer.read().decode().splitlines():
                if line and not line.startswith("#"):
                    found.setdefault(re.match(r"[a-zA-Z_:]+", line)[0], set()).add(name)
    return found


def asked(expression):
    """The names of metrics in an expression: words that are no functions, labels or texts."""
    bare = re.sub(r'"[^"]*"|\{[^}]*\}|\b(by|without|on)\s*\([^)]*\)', " ", expression)
    return {word for word in re.findall(r"\b([a-z][a-z_0-9]*)\b(?!\s*\()", bare) if "_" in word or word in BESIDES}


def expressions():
    rules = re.findall(r"^\s+expr: (.*)$", (HERE / "rules.yml").read_text(), re.M)
    dashboard = json.loads((HERE / "dashboard.json").read_text())
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    assert len(rules) > 20 and len(shown) > 20
    return rules + shown


def test_every_metric_that_is_asked_about_is_shown():
    # Something must have been asked for requests to be counted.
    urllib.request.urlopen(f"{people.BASE_URL}/api/v2/instance").read()
    people.member("metrics")
    wanted = {name for expression in expressions() for name in asked(expression)} - BESIDES
    missing = wanted - set(exposed())
    assert not missing, f"no process shows {sorted(missing)}"


def test_each_service_shows_its_links():
    found = exposed()
    for name in ("madang_database_waiting", "madang_relay_holder", "madang_outbox_age_seconds"):
        assert found[name] == set(living.STORES), name
    assert found["madang_broker_blocked"] == set(living.SERVICES)


def test_every_alert_is_explained():
    alerts = set(re.findall(r"alert: (\w+)", (HERE / "rules.yml").read_text()))
    told = set(re.findall(r"`(Madang[A-Z]\w+)`", (living.ROOT / "deploy/docs/operations.md").read_text()))
    assert alerts == told
