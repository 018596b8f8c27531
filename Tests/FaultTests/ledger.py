# SPDX-License-Identifier: Apache-2.0
"""What was asked of Madang, what it answered, and whether the product agrees afterwards."""

import json
import pathlib
import tempfile
import threading
from collections import Counter


class Ledger:
    """Writes each intention before it is sent and each outcome after it, so that even the driver may die."""

    def __init__(self, path=None):
        self.path = path or pathlib.Path(tempfile.mkdtemp(prefix="madang-drill-")) / "ledger.jsonl"
        self._file = open(self.path, "a", buffering=1)
        self._lock = threading.Lock()
        self.attempted = {}
        self.outcome = {}
        self.why = Counter()

    def intend(self, key, **what):
        with self._lock:
            self.attempted[key] = what
            self._file.write(json.dumps({"intend": key, **what}) + "\n")

    def note(self, key, outcome, **what):
        """`outcome` is acknowledged (2xx), refused (4xx) or unknown (anything else)."""
        with self._lock:
            self.outcome[key] = outcome
            self.attempted[key].update(what)
            if outcome != "acknowledged":
                self.why[outcome, str(what.get("why"))[:120]] += 1
            self._file.write(json.dumps({"key": key, "outcome": outcome, **what}) + "\n")

    def keys(self, outcome):
        return {key for key in self.attempted if self.outcome.get(key, "unknown") == outcome}


def judge(ledger, observed: Counter, what: str, among=None) -> dict:
    """Compares the ledger with how often each key was seen. `among` limits it to the keys that should be seen there."""
    acknowledged, refused, unknown = (ledger.keys(each) for each in ("acknowledged", "refused", "unknown"))
    if among is not None:
        acknowledged, refused, unknown = acknowledged & among, refused & among, unknown & among
    return {
        "what": what,
        "sent": len(ledger.attempted if among is None else among),
        "acknowledged": len(acknowledged),
        "lost": len(acknowledged - set(observed)),
        "duplicated": sum(1 for count in observed.values() if count > 1),
        "unexpected": len(set(observed) - set(ledger.attempted if among is None else among)),
        "refused_but_present": len(refused & set(observed)),
        "refused": len(refused),
        "unknown": len(unknown),
        "recovered": len(unknown & set(observed)),
    }


def is_clean(verdict: dict) -> bool:
    """Nothing lost, doubled, foreign or left open; and everything that was sent was acknowledged in the end."""
    wrong = ("lost", "duplicated", "unexpected", "refused_but_present", "refused", "unknown")
    return not any(verdict[name] for name in wrong) and verdict["acknowledged"] == verdict["sent"]
