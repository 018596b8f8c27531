# SPDX-License-Identifier: Apache-2.0
"""Media and its workers are killed while people upload: what was acknowledged gets ready, and nothing else stays on the disk."""

import os
import pathlib
import threading
import time
from collections import Counter

from client import sign_up
from uploads import Uploads
from stack import wait_until

UPLOADS, PEOPLE = 200, 4


def children(stack):
    """Ids of the processes that look into files now, and of those that make them; whether it is one of the former."""
    services = {stack.pid(name) for name in stack.copies("media")}
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = dict(line.split(":\t", 1) for line in (entry / "status").read_text().splitlines() if ":\t" in line)
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(status["PPid"]) in services:
                found.append((int(entry.name), status["Seccomp"] == "2"))
    return found


def is_enough(stack):
    """Whether one more kill could be the last that an upload survives: it is worked on three times at most."""
    rows = stack.psql("SELECT coalesce(max(attempts), 0) FROM media.uploads WHERE state = 'processing'", quiet=True)
    return not rows or int(rows[0][0]) > 2


def kill_child(stack, random):
    """What was killed, if there was anything."""
    if not (running := children(stack)):
        return None
    process, is_worker = random.choice(running)
    try:
        os.kill(process, 9)
        return "worker" if is_worker else "fork server"
    except ProcessLookupError:
        return None


def differences(stack):
    """Files without a row, rows without a file, and what else lies in the folder."""
    folder = stack.state / "media"
    there = {path.name for path in (folder / "files").glob("*/*")}
    rows = {row[0] for row in stack.psql("SELECT name FROM media.files")}
    needed = {row[0] for row in stack.psql("SELECT DISTINCT file FROM media.renditions")}
    rest = [path.name for part in ("incoming", "work") for path in (folder / part).iterdir()]
    return {"strays": len(there - rows), "missing": len((rows | needed) - there), "unneeded": len(rows - needed), "remains": len(rest)}


def killed(stack, options):
    """SIGKILL of media's processes and of workers during 200 uploads; then `media gc`."""
    accounts = list(sign_up(stack.base_urls, [f"uploader_{options.random.randrange(1 << 30)}_{index}" for index in range(PEOPLE)]).values())
    everybody = [Uploads(stack, account) for account in accounts]
    count = options.times or UPLOADS

    def upload(uploads, first):
        made = iter(range(first, count, PEOPLE))
        for number in made:
            # What failed was not acknowledged, and is sent again as a person would.
            wait_until(lambda: uploads.upload(number), 120, f"the upload {number} being acknowledged", pause=0.3)

    threads = [threading.Thread(target=upload, args=(uploads, index)) for index, uploads in enumerate(everybody)]
    for thread in threads:
        thread.start()
    kills, child_kills = Counter(), Counter()
    while any(thread.is_alive() for thread in threads):
        time.sleep(options.random.uniform(0.5, 1.5))
        if is_enough(stack):
            continue
        if options.random.random() < 0.4:
            name = options.random.choice(stack.copies("media"))
            kills[name] += bool(stack.kill(name))
        else:
            child_kills[kill_child(stack, options.random)] += 1
    for thread in threads:
        thread.join()
    stack.wait_ready(*stack.copies("media"))

    there = [uploads.is_there(media) for uploads in everybody for media in uploads.acknowledged]
    open_jobs = "SELECT count(*) FROM media.uploads WHERE state IN ('receiving', 'processing')"
    wait_until(lambda: stack.psql(open_jobs) == [["0"]], 120, "the end of all jobs", pause=1)

    def is_clean():
        stack.control("media", "gc")
        return not any(differences(stack).values())

    # What is younger than a minute may be on its way.
    try:
        wait_until(is_clean, 150, "a clean folder", pause=15)
    finally:
        left = differences(stack)
    unexpected = stack.unexpected_ends(kills)
    passed = len(there) == count and all(there) and not any(left.values()) and sum(kills.values()) and child_kills["worker"] and not unexpected
    return passed, (
        f"{len(there)}/{count} uploads acknowledged, lost {there.count(False)}/0, {sum(kills.values())} kills of media, "
        f"{child_kills['worker']} of workers, {child_kills['fork server']} of fork servers; after gc {left}; ends that nobody caused {unexpected or 0}"
    )
