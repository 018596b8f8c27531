# SPDX-License-Identifier: Apache-2.0
"""A process whose settings are bad is not started again and again."""

import os
import signal
import subprocess

import living
import waiting

SUPERVISE = living.ROOT / "deploy/scripts/supervise"


def program(name):
    """The program that a running process runs."""
    return os.readlink(f"/proc/{living.pids()[name]}/exe").removesuffix(" (deleted)")


def environment(**settings):
    return {name: value for name, value in os.environ.items() if not name.startswith("MADANG_")} | settings


def test_bad_settings_end_supervision(tmp_path):
    done = subprocess.run(
        [SUPERVISE, "posts", tmp_path, "TERM", program("posts")], env=environment(), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 78
    # Tried once, and everything that is missing is named at once.
    assert done.stderr.count('"message":"process ended"') == 1
    assert "not started again" in done.stderr
    assert "MADANG_POSTGRES is missing" in done.stderr and "MADANG_AMQP is missing" in done.stderr
    assert (tmp_path / "posts.code").read_text().strip() == "78"
    assert not (tmp_path / "posts.pid").exists()


def test_other_ends_are_tried_again(tmp_path):
    with subprocess.Popen([SUPERVISE, "false", tmp_path, "TERM", "false"], stderr=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            assert '"code":1' in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def test_bad_settings_may_stay_where_supervisors_know_no_codes(tmp_path):
    """As with compose, whose restart policies look at no exit code."""
    log = tmp_path / "log"
    with open(log, "w") as file:
        process = subprocess.Popen([program("posts")], env=environment(MADANG_ON_REFUSAL="stay"), stderr=file)
    try:
        waiting.eventually(lambda: "Stays without serving" in log.read_text(), "it stays")
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 78
    finally:
        process.kill()
    assert log.read_text().count("MADANG_POSTGRES is missing") == 1
