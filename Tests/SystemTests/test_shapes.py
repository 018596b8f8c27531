# SPDX-License-Identifier: Apache-2.0
"""Every answer that the other tests got has the members and types that clients of the Mastodon API rely on.

Runs last. The types are listed in Tests/Fixtures/shapes.json; which endpoint answers with which, in the surface, from which
deploy/docs/openapi.json is made.
"""

import collections
import json
import pathlib
import re

import recording

SHAPES = json.loads((pathlib.Path(__file__).parents[1] / "Fixtures" / "shapes.json").read_text())
TYPES = SHAPES["types"]
PLAIN = {
    "any": lambda value: True,
    "flag": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "word": lambda value: isinstance(value, str) and value != "",
    "id": lambda value: isinstance(value, str) and re.fullmatch(r"\d{1,19}", value),
    "time": lambda value: isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value),
    "day": lambda value: isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value),
    "count": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    "url": lambda value: isinstance(value, str) and re.match(r"(https?|wss?)://[^/\s]+", value),
}


def members(name):
    """The members of a type, with those of the one it adds to."""
    own = dict(TYPES[name])
    base = own.pop("+", None)
    return {**(members(base) if base else {}), **own}


def faults(kind, value, place, met):
    """What is wrong with a value, as texts; notes in `met` which types were found."""
    if kind.endswith("?"):
        if value is None:
            return
        kind = kind[:-1]
    if kind.startswith("["):
        if not isinstance(value, list):
            yield f"{place} is no list"
            return
        for element in value:
            yield from faults(kind[1:-1], element, place + "[]", met)
    elif kind in PLAIN:
        if not PLAIN[kind](value):
            yield f"{place} is no {kind}"
    elif kind not in TYPES:
        if value not in kind.split("|"):
            yield f"{place} is none of {kind}"
    elif not isinstance(value, dict):
        yield f"{place} is no {kind}"
    else:
        met[kind] += 1
        for name, inner in members(kind).items():
            may_miss, name = name.endswith("?"), name.removesuffix("?")
            if name in value:
                yield from faults(inner, value[name], f"{place}.{name}", met)
            elif not may_miss:
                yield f"{place}.{name} is missing"


def kind_of(schema):
    """The type as shapes.json writes it, of a schema as openapi.json has it."""
    if schema.get("type") == "array":
        return f"[{kind_of(schema['items'])}]"
    return schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else "any"


def endpoints():
    """Pattern, name and type of every answer that is written down."""
    paths = json.loads((pathlib.Path(__file__).parents[2] / "deploy" / "docs" / "openapi.json").read_text())["paths"]
    # A fixed part wins over one that varies.
    for path in sorted(paths, key=lambda path: path.replace("{", "~")):
        for method, operation in paths[path].items():
            content = operation["responses"]["2XX"].get("content", {})
            if "application/json" in content:
                pattern = re.compile(method + " " + re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "/?")
                yield pattern, f"{method} {path}", kind_of(content["application/json"]["schema"])


ANSWERS = list(endpoints())


def test_every_answer_has_its_shape():
    met, wrong, unknown = collections.Counter(), {}, set()
    for answer in recording.answers:
        if answer.path.startswith(tuple(SHAPES["ours"])):
            continue
        known = next((one for one in ANSWERS if one[0].fullmatch(f"{answer.method} {answer.path}")), None)
        if known is None:
            # A list that is empty on this server promises nothing about its elements.
            if answer.body != []:
                unknown.add(f"{answer.method} {answer.path}")
            continue
        for fault in faults(known[2], answer.body, known[2], met):
            wrong.setdefault(f"{known[1]}: {fault}", json.dumps(answer.body)[:300])
    assert not wrong, "\n".join(f"{fault}: {body}" for fault, body in wrong.items())
    assert not unknown, f"no shape is written down for {sorted(unknown)}"
    missing = set(SHAPES["must_be_met"]) - set(met)
    assert not missing, f"no test was answered with {missing}"


def test_the_check_sees_what_is_wrong():
    """The judge itself: each of these must be found."""
    found = collections.Counter()
    whole = {"id": "1", "username": "a", "acct": "a", "url": "http://a/@a"}
    assert list(faults("Mention", whole, "", found)) == []
    for change in ({"id": 1}, {"id": "x"}, {"username": ""}, {"url": "a"}, {"acct": None}):
        assert list(faults("Mention", {**whole, **change}, "", found)), change
    assert list(faults("Mention", {"id": "1"}, "", found)) and list(faults("[Mention]", whole, "", found))
    assert not list(faults("Mention?", None, "", found)) and list(faults("Mention", None, "", found))
