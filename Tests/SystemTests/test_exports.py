# SPDX-License-Identifier: Apache-2.0
"""Everything that is somebody's as an archive, read by Python's zipfile."""

import csv
import io
import json
import zipfile

import requests

import people
from pictures import SECRET, picture
from waiting import eventually

POSTS = 1000


def upload(person, colour, description):
    files = {"file": ("사진.png", picture(400, 300, colour), "image/png")}
    taken = person.http.post("/api/v2/media", files=files, data={"description": description}).json()["id"]
    eventually(lambda: person.http.get(f"/api/v1/media/{taken}").status_code == 200, "the file being ready", seconds=60)
    return taken


def made(person):
    """The archive that a person asks for by an app of the operator's own, once it is there."""
    own = people.own_app(person)
    asked = own.post("/api/v1/exports")
    assert asked.status_code == 202, asked.text
    path = f"/api/v1/exports/{asked.json()['id']}"

    def shown():
        answer = own.get(path)
        assert answer.status_code == 200 and answer.json()["state"] != "failed", answer.text
        return answer.json() if answer.json()["state"] == "ready" else None

    return eventually(shown, "the archive being ready", seconds=180)


def opened(export):
    answer = requests.get(export["url"], timeout=120)
    assert answer.status_code == 200 and len(answer.content) == export["bytes"]
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    return archive


def test_everything_of_somebody_is_in_their_archive(newcomer, another):
    posts = []
    for number in range(POSTS):
        answer = newcomer.http.post("/api/v1/statuses", data={"status": f"마당의 글 {number}"})
        assert answer.status_code == 200, answer.text
        posts.append(answer.json()["id"])
    picture_id = upload(newcomer, (10, 20, 30), "빨간 벽")
    theirs = another.client.status_post("a secret of somebody else", visibility="private")
    shown = another.client.status_post("seen by all")
    newcomer.client.status_favourite(shown.id)
    newcomer.client.status_bookmark(shown.id)
    newcomer.client.account_follow(another.id)
    newcomer.client.account_update_credentials(display_name="새 사람", note="마당에서 만나요")

    export = made(newcomer)
    archive = opened(export)
    names = archive.namelist()
    assert len(names) == len(set(names))

    def load(name):
        return json.loads(archive.read(name))

    def table(name):
        return list(csv.reader(io.StringIO(archive.read(name).decode(), newline="")))

    kept = load("posts/posts.json")
    assert [post["id"] for post in kept] == posts
    assert {post["text"] for post in kept} == {f"마당의 글 {number}" for number in range(POSTS)}
    assert load("posts/profile.json")["display_name"] == "새 사람"
    assert [entry["post_id"] for entry in load("posts/favourites.json")] == [str(shown.id)]
    assert len(table("posts/bookmarks.csv")) == 2
    assert table("posts/following_accounts.csv")[1][0].split("@")[0] == another.name
    assert load("account/account.json")["email"] == newcomer.email
    media = load("media/media.json")
    assert [(entry["id"], entry["description"]) for entry in media] == [(str(picture_id), "빨간 벽")]
    image = archive.read(media[0]["file"])
    assert len(image) > 100 and SECRET not in image

    # Each file is said to be something, in three languages, and nothing else is there.
    index = load("index.json")
    described = {entry["path"]: entry["about"] for entry in index["files"]}
    assert all(set(about) == {"en", "ko", "ja"} for about in described.values())
    assert {name for name in names if name not in described} == {"index.json", media[0]["file"]}

    everything = b"".join(archive.read(name) for name in names)
    for secret in (newcomer.password, newcomer.token, theirs.content, "a secret of somebody else"):
        assert secret.encode() not in everything


def test_an_archive_is_its_owners_alone_and_made_once_a_day(newcomer, another):
    export = made(newcomer)
    path = f"/api/v1/exports/{export['id']}"
    own, other = people.own_app(newcomer), people.own_app(another)
    for answer in (other.get(path), other.delete(path)):
        assert answer.status_code == 404
    assert requests.get(people.BASE_URL + path, timeout=30).status_code == 401
    assert other.get("/api/v1/exports").json() == []
    again = own.post("/api/v1/exports")
    assert again.status_code == 429 and 86_000 < int(again.headers["Retry-After"]) <= 86_400

    whole = requests.get(export["url"], timeout=30)
    assert whole.headers["Content-Type"] == "application/zip" and "no-store" in whole.headers["Cache-Control"]
    part = requests.get(export["url"], headers={"Range": "bytes=10-19"}, timeout=30)
    assert part.status_code == 206 and part.content == whole.content[10:20]
    # A link that somebody made themselves, or of whose name or time something was changed.
    head, until, code, name = export["url"].rsplit("/", 3)
    for forged in (f"{head}/{until}/{'0' * len(code)}/{name}", f"{head}/zzzzzz/{code}/{name}", f"{head}/{until}/{code}/{'0' * 32}.zip"):
        assert requests.get(forged, timeout=30).status_code == 404

    assert own.delete(path).status_code == 200
    assert requests.get(export["url"], timeout=30).status_code == 404
    assert own.get("/api/v1/exports").json() == []


def test_an_app_that_was_let_in_gets_no_archive(newcomer):
    """Its token has `read`, and an archive has addresses and sessions, which no scope reads."""
    path = f"/api/v1/exports/{made(newcomer)['id']}"
    asked = [newcomer.http.post("/api/v1/exports"), newcomer.http.get("/api/v1/exports"), newcomer.http.get(path), newcomer.http.delete(path)]
    assert [answer.status_code for answer in asked] == [403] * 4
    assert people.own_app(newcomer).get(path).json()["state"] == "ready"


def test_who_may_not_read_everything_gets_no_archive(newcomer):
    # The app's own token has no account.
    assert people.Api(people.app_token()).post("/api/v1/exports").status_code == 422
    assert people.Api().post("/api/v1/exports").status_code == 401
    own = people.own_app(newcomer)
    assert own.get("/api/v1/exports/1").status_code == 404
    assert own.get("/api/v1/exports/nothing").status_code == 404
