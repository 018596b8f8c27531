# SPDX-License-Identifier: Apache-2.0
"""A person at a browser: opens pages, fills in forms, presses buttons."""

import dataclasses
import html.parser
import urllib.parse

import requests


@dataclasses.dataclass
class Form:
    action: str
    method: str
    fields: dict
    kinds: dict
    buttons: list


class _Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms, self.codes, self.text = [], [], []
        self._in_code = False

    def handle_starttag(self, tag, attributes):
        a = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append(Form(a.get("action", ""), a.get("method", "get").lower(), {}, {}, []))
        elif tag == "code":
            self._in_code = True
            self.codes.append("")
        elif tag == "input" and "readonly" in a:
            # Shown to be copied.
            self.codes.append(a.get("value", ""))
        elif tag in ("input", "button", "select", "textarea") and self.forms:
            form = self.forms[-1]
            kind = a.get("type", "submit" if tag == "button" else "text").lower()
            if kind == "submit":
                form.buttons.append((a.get("name"), a.get("value", "")))
            elif "name" in a:
                form.kinds[a["name"]] = kind
                if kind != "checkbox":
                    form.fields[a["name"]] = a.get("value", "")
                elif "checked" in a:
                    form.fields[a["name"]] = a.get("value", "on")
                if kind == "checkbox":
                    form.kinds[a["name"]] = "checkbox:" + a.get("value", "on")

    def handle_endtag(self, tag):
        if tag == "code":
            self._in_code = False

    def handle_data(self, data):
        self.text.append(data)
        if self._in_code:
            self.codes[-1] += data


class Browser:
    def __init__(self, base_url):
        self.session = requests.Session()
        self.session.headers["Accept"] = "text/html"
        self.base_url = base_url
        self.response = None

    def open(self, address):
        return self._follow("get", urllib.parse.urljoin(self.base_url + "/", address))

    def _follow(self, method, url, data=None):
        """Follows redirects within this server; one to elsewhere is where an app would take over."""
        origin = urllib.parse.urlsplit(self.base_url)
        headers = {"Origin": self.base_url} if method == "post" else {}
        for _ in range(10):
            self.response = self.session.request(method, url, data=data, headers=headers, allow_redirects=False)
            if not self.response.is_redirect:
                return self
            url = urllib.parse.urljoin(url, self.response.headers["Location"])
            target = urllib.parse.urlsplit(url)
            if (target.scheme, target.netloc) != (origin.scheme, origin.netloc):
                return self
            method, data, headers = "get", None, {}
        raise AssertionError(f"redirected for ever, at last to {url}")

    @property
    def page(self):
        reader = _Reader()
        reader.feed(self.response.text)
        return reader

    @property
    def text(self):
        return " ".join(" ".join(self.page.text).split())

    @property
    def elsewhere(self):
        """The address outside of this server to which the last answer sent the browser, or None."""
        return self.response.headers.get("Location") if self.response.is_redirect else None

    def form(self, having=None):
        """The form with a field of this kind or name."""
        for form in self.page.forms:
            if having is None or having in form.kinds or having in form.kinds.values():
                return form
        raise AssertionError(f"no form with {having} on {self.response.url}: {self.text[:300]}")

    def submit(self, form, button=None, **values):
        data = dict(form.fields)
        for name, kind in form.kinds.items():
            if kind.startswith("checkbox:") and values.get(name, True):
                data[name] = kind.removeprefix("checkbox:")
        data.update({name: value for name, value in values.items() if value is not True})
        if button is None and form.buttons:
            button = form.buttons[0]
        if button and button[0]:
            data[button[0]] = button[1]
        url = urllib.parse.urljoin(self.response.url, form.action or self.response.url)
        return self._follow(form.method, url, data)

    def sign_up(self, person):
        self.open("/auth/sign_up")
        assert self.response.status_code == 200, self.text[:300]
        form = self.form("password")
        return self.submit(form, **_credentials(form, person))

    def sign_in(self, person):
        form = self.form("password")
        return self.submit(form, **_credentials(form, person))

    def authorize(self, address, person):
        """Signs in if asked to, and consents. Afterwards the browser is where the code is."""
        self.open(address)
        for _ in range(3):
            if self.elsewhere or self.code:
                return self
            assert self.response.status_code == 200, f"{self.response.status_code} {self.text[:300]}"
            if any("password" in form.kinds.values() for form in self.page.forms):
                self.sign_in(person)
            else:
                self.consent()
        return self

    def consent(self):
        for form in self.page.forms:
            for button in form.buttons or [None]:
                said = f"{form.action} {form.fields} {button}".lower()
                if not any(word in said for word in ("deny", "denied", "cancel", "refuse", "sign_out", "decision=no")):
                    return self.submit(form, button)
        raise AssertionError(f"nothing to consent to on {self.response.url}: {self.text[:300]}")

    @property
    def code(self):
        """The authorization code, from the address or, out of band, from the page."""
        if self.elsewhere:
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.elsewhere).query)
            return query.get("code", [None])[0]
        if self.response.status_code != 200:
            return None
        page = self.page
        for form in page.forms:
            if form.fields.get("code"):
                return form.fields["code"]
        codes = [code.strip() for code in page.codes if len(code.strip()) >= 20]
        return codes[0] if codes else None


def _credentials(form, person):
    values = {}
    for name, kind in form.kinds.items():
        if kind == "password":
            values[name] = person.password
        elif kind == "email":
            values[name] = person.email
        elif "user" in name or "name" in name or "identifier" in name or name == "login":
            if kind in ("text", "email"):
                values[name] = person.name
    return values
