# SPDX-License-Identifier: Apache-2.0
"""Words that are blocked at the command line, and what people notice of it."""

import secrets

import people
from test_operating import dev
from waiting import eventually


def test_a_blocked_word_is_refused_everywhere_within_seconds():
    word = "unsayable" + secrets.token_hex(4)
    person = people.member("writer")
    assert person.http.post("/api/v1/statuses", data={"status": f"so {word}!"}).status_code == 200
    done = dev("admin", "block", word)
    assert done.returncode == 0, done.stdout + done.stderr
    try:
        eventually(
            lambda: person.http.post("/api/v1/statuses", data={"status": f"so {word}!"}).status_code == 422,
            "the word is refused",
        )
        problem = person.http.post("/api/v1/statuses", data={"status": word.upper()}).json()
        assert problem["code"] == "blocked-content" and word not in str(problem).lower()
        assert person.http.post("/api/v1/statuses", data={"status": f"{word}x is another"}).status_code == 200
    finally:
        assert dev("admin", "unblock", word).returncode == 0
    eventually(
        lambda: person.http.post("/api/v1/statuses", data={"status": f"again {word}"}).status_code == 200,
        "the word is free",
    )


def test_there_are_no_terms_until_they_are_published():
    answer = people.Api().get("/api/v1/instance/terms_of_service")
    assert answer.status_code == 404
    assert people.Api().get("/api/v1/instance/rules").json()
