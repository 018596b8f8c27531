# SPDX-License-Identifier: Apache-2.0
"""What an operator is told of a stack in which something is wrong, and how it comes to run with other settings."""

import os
import subprocess
import time

from stack import ROOT, Failed, wait_until


def doctor(stack, **environment):
    """What is said, and the exit code."""
    done = subprocess.run(
        [ROOT / "deploy/scripts/control", "doctor"],
        env={**os.environ, "MADANG_STATE": str(stack.state), "MADANG_PORT": str(stack.port), **environment},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    if done.stderr.strip():
        raise Failed(f"doctor: {done.stderr[-500:]}")
    return done.stdout, done.returncode


def doctor_tells(stack, options):
    """Each fault is named with a remedy and makes the exit code 1; so it is no more once the fault is gone."""
    began = time.monotonic()
    told = []

    def expect(what, **environment):
        text, code = doctor(stack, **environment)
        if what not in text or code != 1:
            raise Failed(f"the doctor does not say {what!r} ({code}): {text}")
        told.append(what)

    def refuse(what):
        text, _ = doctor(stack)
        if what in text:
            raise Failed(f"the doctor still says {what!r}: {text}")

    stack.wait_quiet()
    refuse("is not ready")
    # It looks at the programs that run, and not at those that this shell would build.
    other = "debug" if os.environ.get("MADANG_CONFIGURATION", "release") == "release" else "release"
    if "built anew" in doctor(stack, MADANG_CONFIGURATION=other)[0]:
        raise Failed("the doctor looked at programs that do not run")

    # A setting that this shell has and the processes have not; and one that none of them reads.
    expect("MADANG_LARGE_ACCOUNT has another value here than where posts, posts-2 was started" if stack.is_wide else "MADANG_LARGE_ACCOUNT has another", MADANG_LARGE_ACCOUNT="4000")
    before = {name: stack.pid(name) for name in stack.processes}
    said = stack.control("apply", MADANG_LARGE_ACCOUNT="4000", MADANG_NOBODY_READS="x")
    changed = {name for name in before if stack.pid(name) != before[name]}
    if changed != set(stack.copies("posts")) or "MADANG_NOBODY_READS is read by no program" not in said:
        raise Failed(f"applied to {changed}: {said}")
    if doctor(stack, MADANG_LARGE_ACCOUNT="4000")[0].count("MADANG_LARGE_ACCOUNT"):
        raise Failed("the setting is still not in force")
    # What is bad is refused before anything is stopped.
    before = {name: stack.pid(name) for name in stack.processes}
    try:
        stack.control("apply", MADANG_LARGE_ACCOUNT="many")
        raise AssertionError("bad settings were taken")
    except Failed as failure:
        if "nothing was changed" not in str(failure):
            raise
    if before != {name: stack.pid(name) for name in stack.processes}:
        raise Failed("something was restarted for bad settings")
    stack.control("apply")

    # A process that is down, and one that refuses to run.
    stack.stop("chat")
    expect("chat does not run.")
    try:
        stack.control("start", "chat", MADANG_POSTGRES_FILE="/nowhere/at/all")
    except Failed:
        pass
    wait_until(lambda: stack.pid("chat") is None, 30, "the end of chat")
    expect("chat refuses to run and is not tried again")
    stack.start("chat")
    stack.wait_ready("chat")
    refuse("chat refuses to run")

    # A secret that others can read.
    secret = stack.state / "secrets/posts/postgres"
    secret.chmod(0o644)
    expect("1 secrets can be read by others, such as")
    secret.chmod(0o600)

    # An event that is not told.
    stack.psql(
        "INSERT INTO posts.outbox (event_id, type, subject, audience, envelope, recorded_at, attempts, due_at) VALUES "
        "(gen_random_uuid(), 'posts.Never.v1', 'drill', 'events', '{}', now() - interval '5 minutes', 1, now() + interval '1 hour')"
    )
    expect("1 events of posts have not been told for up to")
    stack.psql("DELETE FROM posts.outbox WHERE type = 'posts.Never.v1'")

    # An index of the release before.
    stack.psql("INSERT INTO search.term_upgrades DEFAULT VALUES")
    expect("Search looks for what was written before an update")
    stack.psql("DELETE FROM search.term_upgrades")

    # A report that nobody looks at.
    stack.psql(
        "INSERT INTO posts.reports (id, category, comment, created_at, updated_at) "
        "VALUES (1, 'other', 'drill', now() - interval '25 hours', now() - interval '25 hours')"
    )
    wait_until(lambda: stack.metric("posts", "madang_reports_waiting") == 1, 120, "the report being counted")
    expect("1 reports have waited for longer than a day.")
    stack.psql("DELETE FROM posts.reports WHERE id = 1")

    # The broker away.
    stack.stop("rabbitmq")
    wait_until(lambda: stack.metric("posts", "madang_broker_connected") == 0, 30, "the loss")
    expect("rabbitmq does not run.")
    expect("posts does not reach the broker.")
    stack.start("rabbitmq")
    stack.wait_ready()
    wait_until(lambda: all(stack.metric(name, "madang_broker_connected") == 1 for name in stack.services), 60, "the connections")
    stack.wait_quiet()
    refuse("does not reach the broker")
    return True, f"{len(told)} faults told, settings applied to posts alone ({time.monotonic() - began:.0f} s)"
