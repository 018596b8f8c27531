# SPDX-License-Identifier: Apache-2.0
"""Waiting for conditions, with a bound."""

import threading
import time


def eventually(condition, what, seconds=15):
    """The first true value of `condition()`, asked again and again."""
    pause = threading.Event()
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"after {seconds} s still not: {what} (last: {value!r})"
        pause.wait(0.03)
