# SPDX-License-Identifier: Apache-2.0
"""Exchanges with a whole Madang that were agreed on, kept as files: Tests/Fixtures/http/clients/NAME.txt.

Whatever differs from run to run (ids, moments, secrets, names, how many people there are) is written as what it is.
"""

import difflib
import email.utils
import json
import pathlib
import re
import urllib.parse

import people

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "http" / "clients"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DAY = re.compile(r'(\\?")\d{4}-\d\d-\d\d(\\?")')
COUNTS = re.compile(r'"(active_month|activeMonth|user_count|status_count|total|localPosts)":\d+')
# Made anew for each Madang.
KEYS = re.compile(r'"(public_key|vapid_key)":"[\w-]+"')
SECONDS = re.compile(r'"created_at":\d+')
TAG_DAY = re.compile(r'"day":"(\d+)"')
ID = re.compile(r"(?<![\w.])\d{15,19}(?![\w.])")


class Record:
    def __init__(self):
        self.text = ""
        self.names = {people.BASE_URL: "https://madang.test", urllib.parse.urlsplit(people.BASE_URL).netloc: "madang.test"}

    def call(self, value, name):
        """From here on `value` is written as `name`."""
        self.names[value] = name
        return value

    def ask(self, method, path, token=None, form=None, fields=None, body=None, status=200, is_shared=False):
        """Asks and writes down both sides; answers with what the JSON says.

        `form` is sent as a browser's FormData (multipart), `fields` in the address, `body` as JSON. What `is_shared` depends
        on what others do at the same time, so its body is not written down.
        """
        options = {}
        if form:
            options["files"] = {name: (None, value) for name, value in form.items()}
        if fields:
            path += "?" + urllib.parse.urlencode(fields)
        if body:
            options["json"] = body
        answer = people.Api(token).request(method, path, **options)
        self.text += f"{method} {path}\n"
        if token:
            self.text += f"as {token}\n"
        for name, value in (form or {}).items():
            self.text += f"{name}={json.dumps(value)}\n"
        if body:
            self.text += json.dumps(body, ensure_ascii=False, sort_keys=True) + "\n"
        self.text += f"\n{answer.status_code}\n"
        for name in ("Content-Type", "Link"):
            if name in answer.headers and not (is_shared and name == "Link"):
                self.text += f"{name}: {answer.headers[name]}\n"
        told = re.sub(r'"request_id":"[^"]*"', '"request_id":"…"', answer.text)
        today = int(email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()) // 86_400
        told = TAG_DAY.sub(lambda day: f'"day":"<{today - int(day[1]) / 86_400:g} days ago>"', told)
        self.text += ("(what everybody wrote)" if is_shared else told) + "\n\n"
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json()

    def note(self, text):
        """Something besides requests: a frame of a socket."""
        self.text += text + "\n\n"

    def plain(self):
        text = self.text
        # The longest first: an origin has the domain in it.
        for value, name in sorted(self.names.items(), key=lambda item: -len(item[0])):
            text = text.replace(value, name).replace(urllib.parse.quote(value, safe=""), urllib.parse.quote(name, safe=""))
        text = MOMENT.sub("<moment>", text)
        text = DAY.sub(r"\1<day>\2", text)
        text = COUNTS.sub(r'"\1":<count>', text)
        text = KEYS.sub(r'"\1":"<key>"', text)
        text = SECONDS.sub('"created_at":<seconds>', text)
        known = {}
        return ID.sub(lambda found: f"<{known.setdefault(found[0], len(known) + 1)}>", text)

    def expect(self, name):
        """Compares with the file; a missing one is written, for somebody to read and commit."""
        file, text = FOLDER / f"{name}.txt", self.plain()
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            raise AssertionError(f"{file.name} was missing and has been written: read it and commit it")
        changed = difflib.unified_diff(file.read_text().splitlines(), text.splitlines(), "agreed", "now", n=0, lineterm="")
        assert not (told := "\n".join(changed)), told
