# SPDX-License-Identifier: Apache-2.0
"""Nothing secret is in anything that was answered, logged or measured while the other tests ran. Runs last."""

import collections
import json
import os
import pathlib
import re
import urllib.request

import books
import generating
import letters
import living
import people
import push_services
import recording

# Whoever asks here is given what they will need; no other answer has a token in it.
GIVES_TOKENS = re.compile(
    r"/oauth/(token|authorize.*)|/api/v1/(apps|accounts|sessions|sessions/refresh|sessions/[a-z]+(/account)?)|/auth/sign_(in|up)|/v1/(auth/refresh|users/(join|login).*)"
)
ALWAYS_WRONG = [
    r"\$argon2", r"amqp://", r"host=127\.0\.0\.1", r"BEGIN [A-Z ]*PRIVATE KEY", r"/opt/madang", re.escape(str(living.ROOT)), r"\.swift:\d+", r"Fatal error",
    r"\b(INSERT INTO|SELECT .{1,80} FROM|UPDATE \w+ SET)\b", r"X-Madang-Principal", r"madang-tests",
]


def run_folder():
    return pathlib.Path(os.environ.get("MADANG_RUN") or living.ROOT / ".madang" / "run")


def secrets_of_the_stack():
    """What is in the files under `secrets`, by its place; long enough to be nobody's word by chance."""
    found = {}
    for path in (run_folder().parent / "secrets").rglob("*"):
        # The broker's definitions hold hashes and names; public keys are public.
        if path.is_file() and "public" not in path.name and path.suffix != ".json":
            for word in re.findall(r"[A-Za-z0-9+/_=-]{16,}", path.read_text(errors="replace")):
                found[word] = str(path.name)
    if key := os.environ.get("MADANG_GIPHY_KEY"):
        found[key] = "the key of GIPHY"
    found |= {key: f"the key of {name}" for name, key in books.KEYS.items() if key}
    for path in (path for kind in ("*.p8", "fcm.key") for path in pathlib.Path(push_services.KEYS or "none").glob(kind)):
        found |= {word: f"the push key {path.name}" for word in re.findall(r"[A-Za-z0-9+/_=]{16,}", path.read_text())}
    found |= {token: "a token for providers of push" for token in push_services.seen}
    if letters.is_there():
        found[(letters.FOLDER / "password").read_text()] = "the password of the server of mail"
    return found


def secrets_of_people():
    """Every password, and every token and code that an answer gave to somebody."""
    found = {person.password: "a password" for person in people.known if len(person.password) > 24}
    for answer in recording.answers:
        for one in generating.walk(answer.body):
            for name in ("access_token", "refresh_token", "client_secret", "accessToken", "refreshToken"):
                if isinstance(one.get(name), str) and len(one[name]) >= 16:
                    found[one[name]] = f"a {name}"
    return found


def found_in(text, wanted):
    """Which of the secrets a text holds. By whole words, so that a run of thousands stays a matter of seconds."""
    # Passwords of the tests are several words: those are looked for one by one, by their random last one.
    return {wanted[word] for word in set(re.findall(r"[A-Za-z0-9+/_=!-]{12,}", text)) if word in wanted}


def by_word(wanted):
    return {max(re.findall(r"[A-Za-z0-9+/_=!-]+", secret), key=len): what for secret, what in wanted.items()}


def logs():
    for path in sorted((run_folder().parent / "logs").glob("*.log")):
        yield path.name, path.read_text(errors="replace")


def metrics():
    ports = living.ports()
    base = int(people.BASE_URL.rsplit(":", 1)[1])
    for name in living.pids():
        place = {"gateway": "admin", "gateway-2": "admin-2"}.get(name, name)
        with urllib.request.urlopen(f"http://127.0.0.1:{base + ports[place]}/metrics", timeout=10) as answer:
            yield name, answer.read().decode()


def test_no_secret_was_answered():
    own, stack = by_word(secrets_of_people()), by_word(secrets_of_the_stack())
    assert len(own) > 20 and len(stack) > 10 and len(recording.said) > 500, "the other tests left nothing to look at"
    wrong = collections.Counter()
    for answer in recording.said:
        held = found_in(answer.text, stack)
        if not GIVES_TOKENS.fullmatch(answer.path):
            held |= found_in(answer.text, own)
        held |= {what for what in ("a password",) if what in found_in(answer.text, own)}
        held |= {pattern for pattern in ALWAYS_WRONG if re.search(pattern, answer.text)}
        for what in held:
            wrong[f"{answer.method} {answer.path}: {what}"] += 1
    assert not wrong, "\n".join(f"{times} times {what}" for what, times in wrong.most_common(20))


def test_mail_addresses_are_their_owners():
    """An address is answered to nobody but the person whose it is."""
    owners = collections.defaultdict(set)
    for person in people.known:
        owners[person.email.lower()] |= {person.token, person.name}
    wrong = collections.Counter()
    for answer in recording.said:
        # Only people's: a generated name may look like an address that is nobody's.
        for address in owners.keys() & re.findall(r"[\w.+-]+@example\.com", answer.text.lower()):
            asked_by_owner = answer.token in owners[address] if answer.token else GIVES_TOKENS.fullmatch(answer.path)
            if not asked_by_owner:
                wrong[f"{answer.method} {answer.path}"] += 1
    assert not wrong, wrong.most_common(20)


def test_no_secret_was_logged_or_measured():
    own, stack = by_word(secrets_of_people()), by_word(secrets_of_the_stack())
    addresses = {person.email.lower() for person in people.known}
    wrong, looked = collections.Counter(), 0
    for name, text in [*logs(), *(("metrics of " + name, text) for name, text in metrics())]:
        looked += len(text)
        held = found_in(text, {**own, **stack})
        held |= {"a mail address" for address in re.findall(r"[\w.+-]+@example\.com", text.lower()) if address in addresses}
        held |= {pattern for pattern in (r"\$argon2", r"BEGIN [A-Z ]*PRIVATE KEY", r"Fatal error") if re.search(pattern, text)}
        for what in held:
            wrong[f"{name}: {what}"] += 1
    assert looked > 10_000, f"no logs under {run_folder().parent}"
    assert not wrong, wrong


def test_the_scan_sees_what_is_wrong():
    """The judge itself."""
    wanted = by_word({"correct horse 0123456789abcdef": "a password", "x" * 43: "a token"})
    assert found_in(json.dumps({"a": "correct horse 0123456789abcdef"}), wanted) == {"a password"}
    assert found_in("Bearer " + "x" * 43, wanted) == {"a token"}
    assert found_in("x" * 44 + " correct horse", wanted) == set()
