# SPDX-License-Identifier: Apache-2.0
"""Every answer that the other tests got has the shape that an independent description of the API gives it.

Runs last, and only where MADANG_OPENAPI names the description (OpenAPI 3.1, such as abraham/mastodon-openapi).
"""

import collections
import json
import os
import pathlib
import re

import jsonschema
import pytest

import recording

ASKED = {"Account", "Status", "Notification", "Relationship", "Context", "Token", "Instance"}
JUDGED = ASKED | {"CredentialAccount", "V1Instance"}
# Kinds of notification that only a client of ours asks for: the description does not know them.
OWN_KINDS = ("chat_mention", "direct_message")


@pytest.fixture(scope="module")
def description():
    path = os.environ.get("MADANG_OPENAPI")
    if not path:
        pytest.skip("MADANG_OPENAPI names no description of the API")
    return json.loads(pathlib.Path(path).read_text())


def operations(description):
    """For each method: pattern of the path, and the schema of its answer."""
    found = collections.defaultdict(list)
    for path, methods in description["paths"].items():
        # A path without a varying part comes before one with it.
        pattern = re.compile(re.sub(r"\\?\{[^}]*\\?\}", "[^/]+", path) + "/?")
        for method, operation in methods.items():
            if not isinstance(operation, dict):
                continue
            for status, response in operation.get("responses", {}).items():
                content = response.get("content", {}).get("application/json", {})
                if status.startswith("2") and "schema" in content:
                    found[method].append((path.count("{"), pattern, content["schema"]))
    for of_method in found.values():
        of_method.sort(key=lambda one: one[0])
    return found


def names(schema):
    return {ref.rsplit("/", 1)[1] for ref in re.findall(r"#/components/schemas/\w+", json.dumps(schema))}


def test_every_answer_has_its_shape(description):
    found = operations(description)
    validators, judged, wrong = {}, collections.Counter(), collections.OrderedDict()
    for answer in recording.answers:
        for _, pattern, schema in found[answer.method]:
            if not pattern.fullmatch(answer.path):
                continue
            if not names(schema) & JUDGED:
                break
            key = json.dumps(schema, sort_keys=True)
            if key not in validators:
                whole = {"components": description["components"], "allOf": [schema]}
                validators[key] = jsonschema.Draft202012Validator(whole)
            if any(isinstance(one, dict) and one.get("type") in OWN_KINDS for one in listed(answer.body)):
                break
            judged.update(names(schema) & JUDGED)
            for error in deepest(validators[key].iter_errors(answer.body)):
                place = re.sub(r"\[\d+\]", "[]", error.json_path)
                wrong.setdefault(
                    (answer.method, pattern.pattern, place, error.message[:200]), str(error.instance)[:200]
                )
            break
    assert not wrong, "\n".join(f"{' '.join(where)}: {value}" for where, value in wrong.items())
    missing = ASKED - set(judged)
    assert not missing, f"no test was answered with {missing}"
    print(dict(judged))


def listed(body):
    return body if isinstance(body, list) else [body]


def deepest(errors):
    for error in errors:
        if error.context:
            yield jsonschema.exceptions.best_match([error])
        else:
            yield error
