# SPDX-License-Identifier: Apache-2.0
"""What the sink of mail took, and how it is made to fail."""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "deploy" / "scripts"))
import mail_sink  # noqa: E402

FOLDER = pathlib.Path(os.environ.get("MADANG_TEST_MAIL") or "none")


def is_there():
    return (FOLDER / "letters").is_dir()


def fail(replies=None, **shares):
    """Shares of what goes wrong by chance, and answers to addresses; nothing of either puts everything right again."""
    part = FOLDER / "faults.part"
    part.write_text(json.dumps({"shares": shares, "replies": replies or {}}))
    part.rename(FOLDER / "faults.json")


def to(address):
    """Letters to somebody, the newest last."""
    found = []
    for path in sorted((FOLDER / "letters").glob(f"*_{mail_sink.plain(address)}.eml")):
        try:
            found.append(mail_sink.Letter("", address, path.read_bytes()))
        except FileNotFoundError:
            continue
    return found


def told():
    """What became of each letter: its recipient, how it ended, why, and its id."""
    try:
        return [json.loads(line) for line in (FOLDER / "told.jsonl").read_text().splitlines()]
    except FileNotFoundError:
        return []


def complaints():
    try:
        return (FOLDER / "complaints").read_text().splitlines()
    except FileNotFoundError:
        return []


def link(letter):
    """Where its link leads, without the origin."""
    [found] = set(re.findall(r"https?://[^/\s]+(/auth/\S+)", letter.body()))
    return found
