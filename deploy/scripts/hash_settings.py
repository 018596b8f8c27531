#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads settings, a NAME=value a line, and writes each name with a hash of its value: enough to see that one has changed.

Of NAME_FILE it is the content of the file that counts.
"""

import hashlib
import pathlib
import sys

# The last of a name counts, as it does for a process.
found = {}
for line in sys.stdin.read().splitlines():
    name, _, value = line.partition("=")
    if name.endswith("_FILE"):
        try:
            value = pathlib.Path(value).read_text()
        except OSError:
            value = ""
    found[name] = hashlib.sha256(value.encode()).hexdigest()[:16]
for name, digest in sorted(found.items()):
    print(name, digest)
