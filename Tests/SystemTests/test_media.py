# SPDX-License-Identifier: Apache-2.0
"""Files as clients send, describe and show them, through the gateway to the worker and back."""

import base64
import hashlib
import io

import pytest
import requests

import people
from chatting import Yard
from pictures import SECRET, picture
from waiting import eventually


def ready(person, media):
    """The file once something can be shown of it."""
    eventually(lambda: person.http.get(f"/api/v1/media/{media}").status_code != 206, "the file being worked on", seconds=60)
    answer = person.http.get(f"/api/v1/media/{media}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_client_uploads_and_describes(ada, minji):
    sent = picture(1600, 800, (200, 40, 90))
    taken = ada.client.media_post(io.BytesIO(sent), "image/png", description="A red wall", focus=(0.25, -0.5))
    media = ready(ada, taken.id)
    assert media["type"] == "image" and media["description"] == "A red wall" and media["blurhash"]
    assert media["meta"]["focus"] == {"x": 0.25, "y": -0.5}
    assert media["meta"]["original"]["width"] == 1600 and media["meta"]["small"]["width"] <= 640
    changed = ada.client.media_update(taken, description="A wall")
    assert changed.description == "A wall"
    # Nobody else knows of it.
    assert minji.http.get(f"/api/v1/media/{taken.id}").status_code == 404
    for url in (media["url"], media["preview_url"]):
        shown = requests.get(url, timeout=30)
        assert shown.status_code == 200 and shown.headers["Content-Type"].startswith("image/")
        assert SECRET not in shown.content and b"Comment" not in shown.content
        assert "immutable" in shown.headers["Cache-Control"] and shown.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in shown.headers["Content-Security-Policy"]
        again = requests.get(url, headers={"If-None-Match": shown.headers["ETag"]}, timeout=30)
        assert again.status_code == 304 and not again.content
        part = requests.get(url, headers={"Range": "bytes=2-11"}, timeout=30)
        assert part.status_code == 206 and part.content == shown.content[2:12]
        head = requests.head(url, timeout=30)
        assert head.status_code == 200 and int(head.headers["Content-Length"]) == len(shown.content)
        assert requests.get(url[:-6] + "aaaaaa", timeout=30).status_code == 404
    assert ada.http.delete(f"/api/v1/media/{taken.id}").status_code == 200
    assert ada.http.get(f"/api/v1/media/{taken.id}").status_code == 404


@pytest.mark.parametrize("content", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"#EXTM3U\nfile:///etc/passwd", b"MZ"])
def test_what_is_no_picture_is_refused(ada, content):
    answer = ada.http.post("/api/v2/media", files={"file": ("a.jpg", content, "image/jpeg")})
    assert answer.status_code == 422 and answer.json()["error"]


def test_a_damaged_picture_fails(ada):
    damaged = picture(64, 64, (1, 2, 3))[:60]
    taken = ada.http.post("/api/v2/media", files={"file": ("a.png", damaged, "image/png")})
    if taken.status_code != 422:
        path = f"/api/v1/media/{taken.json()['id']}"
        eventually(lambda: ada.http.get(path).status_code == 422, "the upload failing", seconds=60)


def test_an_upload_goes_on_where_it_was_cut(ada):
    sent = picture(300, 200, (10, 200, 30))
    tus = {"Tus-Resumable": "1.0.0"}
    described = requests.options(f"{people.BASE_URL}/api/v1/media/resumable", timeout=30)
    assert described.headers["Tus-Version"] == "1.0.0"
    metadata = "description " + base64.b64encode("초록".encode()).decode()
    begun = ada.http.post("/api/v1/media/resumable", headers={**tus, "Upload-Length": str(len(sent)), "Upload-Metadata": metadata})
    assert begun.status_code == 201
    path = begun.headers["Location"].removeprefix(people.BASE_URL)
    assert path.startswith("/")

    def offset():
        return int(ada.http.request("HEAD", path, headers=tus).headers["Upload-Offset"])

    def send(at, part, **more):
        fields = {**tus, "Upload-Offset": str(at), "Content-Type": "application/offset+octet-stream", **more}
        return ada.http.patch(path, data=part, headers=fields)

    assert offset() == 0
    checksum = "sha256 " + base64.b64encode(hashlib.sha256(sent[:100]).digest()).decode()
    assert send(0, sent[:100], **{"Upload-Checksum": checksum}).status_code == 204
    assert offset() == 100
    assert send(50, sent[50:]).status_code == 409
    assert send(100, sent[100:]).status_code == 204
    media = ready(ada, path.rsplit("/", 1)[1])
    assert media["description"] == "초록" and media["meta"]["original"]["width"] == 300


def test_limits_are_as_the_instance_says(ada):
    limits = ada.client.instance_v2().configuration.media_attachments
    assert "image/png" in limits.supported_mime_types and limits.image_size_limit > 1 << 20
    assert ada.http.post("/api/v1/media/resumable", headers={
        "Tus-Resumable": "1.0.0", "Upload-Length": str(limits.video_size_limit + 1)
    }).status_code == 413  # fmt: skip


def attached(person, count):
    return [person.client.media_post(io.BytesIO(picture(60 + number, 40, (number, 0, 0))), "image/png") for number in range(count)]


def test_a_post_shows_files_until_it_is_gone(ada, minji):
    files = attached(ada, 4)
    post = ada.client.status_post("네 장", media_ids=[files[2], files[0], files[1], files[3]])
    assert [int(file.id) for file in post.media_attachments] == [int(files[number].id) for number in (2, 0, 1, 3)]
    for file in minji.client.status(post.id).media_attachments:
        assert file.type == "image" and "/media/o/" in file.url and requests.get(file.url, timeout=30).status_code == 200
    # A file belongs to one post, and to whoever uploaded it.
    for person in (ada, minji):
        refused = person.http.post("/api/v1/statuses", json={"status": "mine", "media_ids": [str(files[0].id)]})
        assert refused.status_code == 422, refused.text
    kept = [str(files[number].id) for number in (2, 3)]
    changes = {"status": "두 장", "media_ids": kept, "media_attributes": [{"id": kept[1], "description": "넷째"}]}
    edited = ada.http.put(f"/api/v1/statuses/{post.id}", json=changes).json()
    assert [file["id"] for file in edited["media_attachments"]] == kept
    assert [file["description"] for file in edited["media_attachments"]] == [None, "넷째"]
    # What is deleted to be written again keeps its files for the next attempt.
    ada.client.status_delete(post.id)
    again = ada.client.status_post("다시", media_ids=[files[2], files[3]])
    assert len(again.media_attachments) == 2


def test_what_is_said_of_a_file_later_is_said_in_its_post(ada, minji):
    [file] = attached(ada, 1)
    post = ada.client.status_post("describe", media_ids=[file])
    assert minji.client.status(post.id).media_attachments[0].description is None
    changed = ada.client.media_update(file, description="초록 문", focus=(0.5, -0.5))
    assert changed.description == "초록 문"

    def shown():
        status = minji.http.get(f"/api/v1/statuses/{post.id}").json()
        return status["media_attachments"][0]["description"] == "초록 문" and status

    status = eventually(shown, "the post saying so")
    assert status["media_attachments"][0]["meta"]["focus"] == {"x": 0.5, "y": -0.5} and status["edited_at"] is None
    assert len(minji.http.get(f"/api/v1/statuses/{post.id}/history").json()) == 1


def test_who_may_not_see_a_post_has_no_link_to_its_files(ada, minji):
    post = ada.client.status_post("followers", media_ids=attached(ada, 1), visibility="private")
    [file] = post.media_attachments
    assert "/media/x/" in file.url and requests.get(file.url, timeout=30).status_code == 200
    assert minji.http.get(f"/api/v1/statuses/{post.id}").status_code == 404
    parts = file.url.split("/")
    assert requests.get("/".join([*parts[:4], "o", *parts[6:]]), timeout=30).status_code == 404
    parts[5] = parts[5][:-1] + ("0" if parts[5][-1] != "0" else "1")
    assert requests.get("/".join(parts), timeout=30).status_code == 404


def test_a_message_shows_a_file_once_it_is_ready(ada, minji):
    place = Yard.playground(ada, minji)
    channel = Yard.channel(place, ada, minji)
    sent = ada.http.post("/api/v2/media", files={"file": ("a.png", picture(900, 600, (9, 9, 9)), "image/png")}).json()["id"]
    Yard.say(ada, channel, "보세요", attachment_ids=[sent])

    def shown():
        [message] = Yard.history(minji, channel)
        [file] = message["attachments"]
        return file["state"] == "ready" and file

    file = eventually(shown, "the message's file being ready", seconds=60)
    assert "/media/x/" in file["url"] and requests.get(file["url"], timeout=30).status_code == 200
