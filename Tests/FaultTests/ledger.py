# SPDX-License-Identifier: Apache-2.0
"""What was asked of Madang, what it answered, and whether the product agrees afterwards."""

import json
import threading
from collections import Counter


class Ledger:
    """Writes each intention before it is sent and each outcome after it, so that even the driver may die."""

    def __init__(self, path):
        self._file = open(path, "a", buffering=1)
        self._lock = threading.Lock()
        self.attempted = {}
        self.outcome = {}

    def intend(self, key, **what):
        with self._lock:
            self.attempted[key] = what
            self._file.write(json.dumps({"intend": key, **what}) + "\n")

    def note(self, key, outcome, **what):
        """`outcome` is acknowledged (2xx), refused (4xx) or unknown (anything else)."""
        with self._lock:
            self.outcome[key] = outcome
            self._file.write(json.dumps({"key": key, "outcome": outcome, **what}) + "\n")

    def keys(self, outcome):
        return {key for key in self.attempted if self.outcome.get(key, "unknown") == outcome}


def judge(ledger, observed: Counter, what: str) -> dict:
    """Compares the ledger with how often each key was seen; the first four numbers must be zero."""
    acknowledged, refused, unknown = (ledger.keys(each) for each in ("acknowledged", "refused", "unknown"))
    return {
        "what": what,
        "lost": len(acknowledged - set(observed)),
        "duplicated": sum(1 for count in observed.values() if count > 1),
        "unexpected": len(set(observed) - set(ledger.attempted)),
        "refused_but_present": len(refused & set(observed)),
        "recovered": len(unknown & set(observed)),
        "acknowledged": len(acknowledged),
        "unknown": len(unknown),
    }


def is_clean(verdict: dict) -> bool:
    return not any(verdict[name] for name in ("lost", "duplicated", "unexpected", "refused_but_present"))
