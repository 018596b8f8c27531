# SPDX-License-Identifier: Apache-2.0
"""Media, and whoever hands over a part, are killed while archives are made: each becomes whole, once, and nothing else stays."""

import io
import json
import time
import urllib.parse
import urllib.request
import zipfile
from collections import Counter

from client import Client, sign_up
from uploads import Uploads
from stack import wait_until

PEOPLE, POSTS, PICTURES = 3, 1000, 12
VICTIMS = ["media", "media", "posts", "chat", "auth", "notifications", "search"]


def complete(stack, account, export, posts, pictures):
    """What is wrong with an archive."""
    url = urllib.parse.urlsplit(export["url"])
    with urllib.request.urlopen(f"{account.choose()}{url.path}", timeout=120) as answer:
        archive = zipfile.ZipFile(io.BytesIO(answer.read()))
    wrong = []
    if archive.testzip() is not None:
        wrong.append("damaged")
    names = archive.namelist()
    if len(names) != len(set(names)):
        wrong.append("a file twice")
    kept = sorted(post["id"] for post in json.loads(archive.read("posts/posts.json")))
    if kept != sorted(posts):
        wrong.append(f"{len(kept)} posts of {len(posts)}")
    media = json.loads(archive.read("media/media.json"))
    if {entry["id"] for entry in media if entry["file"] in names} != set(pictures):
        wrong.append("pictures")
    return wrong


def own_app(account, name):
    """The same person by an app of the operator's own: no other one may ask for an archive."""
    signed_in, _ = account.insist("POST", "/api/v1/sessions", {"username": name, "password": f"correct horse {name}"})
    return Client(account.base_urls, signed_in["access_token"])


def killed(stack, options):
    """SIGKILL of media and of the services while three people's archives are made."""
    names = [f"leaver_{options.random.randrange(1 << 30)}_{index}" for index in range(PEOPLE)]
    accounts = list(sign_up(stack.base_urls, names).values())
    posts, pictures = [], []
    for account in accounts:
        posts.append([account.insist("POST", "/api/v1/statuses", {"status": f"글 {number}"})[0]["id"] for number in range(POSTS)])
        uploads = Uploads(stack, account)
        for number in range(PICTURES):
            wait_until(lambda uploads=uploads, number=number: uploads.upload(number), 120, "an upload being acknowledged", pause=0.3)
        pictures.append([media for media in uploads.acknowledged if uploads.is_there(media)])
    owners = [own_app(account, name) for account, name in zip(accounts, names, strict=True)]
    exports = [owner.call("POST", "/api/v1/exports")[0]["id"] for owner in owners]

    def shown():
        return [owner.insist("GET", f"/api/v1/exports/{export}")[0] for owner, export in zip(owners, exports, strict=True)]

    kills, began = Counter(), time.monotonic()
    # One that died while it wrote is written three times at most.
    while any(export["state"] in ("gathering", "writing") for export in shown()) and time.monotonic() - began < 600:
        if sum(count for name, count in kills.items() if name.startswith("media")) < 2 or options.random.random() < 0.2:
            name = options.random.choice(stack.copies(options.random.choice(VICTIMS)))
            kills[name] += bool(stack.kill(name))
        time.sleep(options.random.uniform(0.2, 1.0))
    stack.wait_ready(*kills)
    ends = shown()
    wrong = [
        complete(stack, *of) if of[1]["state"] == "ready" else [of[1]["state"]] for of in zip(accounts, ends, posts, pictures, strict=True)
    ]
    left = stack.psql("SELECT (SELECT count(*) FROM media.export_parts), (SELECT count(*) FROM media.files WHERE name LIKE '%.zip')")
    unexpected = stack.unexpected_ends(kills)
    passed = not any(wrong) and left == [["0", str(PEOPLE)]] and sum(kills.values()) and not unexpected
    return passed, (
        f"{len(exports)} archives of {POSTS} posts, wrong {[each for each in wrong if each] or 0}, {sum(kills.values())} kills; "
        f"parts and archives left {left}; ends that nobody caused {unexpected or 0}"
    )
