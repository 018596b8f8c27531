#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the keys of the tests' push providers, once: what an operator would have of Apple and of Google, and the stand-ins' certificate.

    push_keys.py FOLDER PORT
"""

import json
import pathlib
import subprocess
import sys

KEY_ID, TEAM_ID, PROJECT, ACCOUNT = "TESTKEY123", "TESTTEAM12", "yard-of-tests", "push@yard-of-tests.example"


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def make(folder, port):
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (folder / "fcm.key").exists():
        curve = ("-pkeyopt", "ec_paramgen_curve:P-256")
        names = "subjectAltName=IP:127.0.0.1,DNS:localhost"
        openssl("req", "-x509", "-newkey", "ec", *curve, "-nodes", "-keyout", folder / "tls.key", "-out", folder / "tls.pem", "-days", 3650,
                "-subj", "/CN=Push of the tests", "-addext", names)  # fmt: skip
        openssl("genpkey", "-algorithm", "EC", *curve, "-out", folder / "apns.p8")
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", folder / "fcm.key")
    account = {
        "type": "service_account", "project_id": PROJECT, "private_key_id": "1", "private_key": (folder / "fcm.key").read_text(),
        "client_email": ACCOUNT, "token_uri": f"https://127.0.0.1:{port}/token",
    }  # fmt: skip
    (folder / "fcm.json").write_text(json.dumps(account))
    for path in folder.iterdir():
        path.chmod(0o600)


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
