# SPDX-License-Identifier: Apache-2.0
"""The catalogue of GIFs as apps written for GIPHY see it, by GIPHY's own client, and what people keep of it."""

import json
import secrets
import struct

import giphy_client
import pytest
import requests
from giphy_client.rest import ApiException

import people
import upstream
from chatting import Yard
from pages import Browser
from test_media import picture, ready
from test_operating import administered, dev
from test_sign_in import authorize_address, exchange
from waiting import eventually

# Each run has a word and a colour of its own, so that it finds nothing of others.
WORD = "zq" + "".join(secrets.choice("bcdfghjkmnp") for _ in range(8))
COLOUR = list(secrets.token_bytes(2))
ALWAYS = ["original", "preview_gif", "fixed_width", "fixed_height", "downsized", "original_mp4"]


def gif(frames, colour):
    """A GIF of 16x8 points whose frames are of two colours in turn."""
    table = bytes(colour) + b"\xff\xff\xff"
    head = b"GIF89a" + struct.pack("<HHBBB", 16, 8, 0x80, 0, 0) + table + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    body = b""
    for number in range(frames):
        # Codes of three bits, with a clear before each point, so that they never become longer (GIF89a, appendix F).
        codes = [code for _ in range(128) for code in (4, number % 2)] + [5]
        bits = sum(code << (3 * place) for place, code in enumerate(codes))
        data = bits.to_bytes((3 * len(codes) + 7) // 8, "little")
        body += b"\x21\xf9\x04\0" + struct.pack("<H", 10) + b"\0\0" + b"\x2c" + struct.pack("<HHHHB", 0, 0, 16, 8, 0) + b"\x02"
        for start in range(0, len(data), 255):
            part = data[start : start + 255]
            body += bytes([len(part)]) + part
        body += b"\0"
    return head + body + b"\x3b"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of six files, five of them in a list, and two that are no pictures."""
    root = tmp_path_factory.mktemp("gifs")
    files = []
    for number, (name, kind) in enumerate(
        [("one", "gif"), ("two", "gif"), ("three", "gif"), ("sticker", "sticker"), ("text", "text")]
    ):
        (root / f"{name}.gif").write_bytes(gif(4, [number * 40, *COLOUR]))
        files.append({
            "file": f"{name}.gif", "title": f"{WORD} {name}", "tags": [WORD, name], "kind": kind, "rating": "pg" if name == "three" else "g",
            "category": f"Category {WORD}", "subcategory": name,
        })  # fmt: skip
    (root / "catalogue.json").write_text(json.dumps(files))
    deep = root / f"Folder {WORD}" / "Part"
    deep.mkdir(parents=True)
    (deep / f"{WORD}-four.png").write_bytes(picture(40, 20, [9, *COLOUR]))
    (root / "bad.gif").write_bytes(b"GIF89a and nothing")
    (root / "none.mp4").write_bytes(b"no film")
    return root


@pytest.fixture(scope="module")
def imported(folder):
    done = dev("import-gifs", str(folder))
    assert done.returncode == 1, "two are bad\n" + done.stdout + done.stderr
    assert "bad.gif" in done.stderr and "none.mp4" in done.stderr, done.stderr
    counts = dict(line.rsplit(None, 1) for line in done.stdout.strip().splitlines()[-3:])
    assert counts == {"imported": "6", "there already": "0", "not taken": "2"}, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def giphy(imported):
    client = giphy_client.ApiClient(host=f"{people.BASE_URL}/v1")
    return giphy_client.DefaultApi(client)


def raw(path, **parameters):
    return requests.get(f"{people.BASE_URL}/v1{path}", params=parameters, timeout=30)


def test_a_second_import_doubles_nothing(imported):
    (imported / "bad.gif").rename(imported / "bad.txt")
    (imported / "none.mp4").rename(imported / "none.txt")
    done = dev("import-gifs", str(imported), "--rating", "g")
    assert done.returncode == 0, done.stdout + done.stderr
    counts = dict(line.rsplit(None, 1) for line in done.stdout.strip().splitlines()[-3:])
    assert counts == {"imported": "0", "there already": "6", "not taken": "0"}
    assert dev("import-gifs", str(imported / "nowhere")).returncode != 0
    assert dev("import-gifs", str(imported), "--speed", "9").returncode != 0


def test_giphys_client_finds(giphy):
    assert giphy.gifs_search_get("any key", WORD).pagination.total_count == 4
    found = giphy.gifs_search_get("any key", WORD, limit=2, offset=0)
    assert found.pagination.total_count == 4 and found.pagination.count == 2 and found.meta.status == 200
    rest = giphy.gifs_search_get("any key", WORD, limit=2, offset=2)
    assert len({one.id for one in found.data + rest.data}) == 4
    assert [one.slug for one in giphy.gifs_search_get("k", f"{WORD} one").data if one.slug.startswith(f"{WORD}-one-")]
    mild = giphy.gifs_search_get("k", WORD, rating="g")
    assert len(mild.data) == 3 and all(one.rating == "g" for one in mild.data)
    [sticker] = giphy.stickers_search_get("k", WORD).data
    assert sticker.type == "sticker" and sticker.is_sticker
    one = found.data[0]
    assert giphy.gifs_gif_id_get("k", one.id).data.id == one.id
    ids = [each.id for each in rest.data + found.data]
    assert [each.id for each in giphy.gifs_get("k", ",".join(ids)).data] == ids
    assert len(giphy.gifs_trending_get("k", limit=3).data) == 3
    assert giphy.stickers_trending_get("k").data
    assert giphy.gifs_translate_get("k", f"my {WORD} two").data.type == "gif"
    drawn = giphy.gifs_random_get("k", tag=WORD)
    assert drawn.data.id in ids and requests.get(drawn.data.image_original_url, timeout=30).content[:4] == b"GIF8"
    assert giphy.stickers_random_get("k", tag=WORD).data.id == sticker.id


def test_every_item_has_what_apps_decode(giphy):
    """G3, G4: of what the iOS app reads nothing is missing, and sizes are known before the pictures."""
    answer = raw("/gifs/search", q=WORD, api_key="k")
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    for item in answer.json()["data"] + raw("/text/search", q=WORD).json()["data"]:
        assert all(isinstance(item[name], str) and item[name] for name in ("type", "id", "url", "title", "rating", "slug"))
        for name in ALWAYS:
            shown = item["images"][name]
            assert all(isinstance(shown[part], str) for part in ("url", "width", "height", "size")), name
            file = requests.get(shown["url"], timeout=30)
            assert file.status_code == 200 and len(file.content) == int(shown["size"]) and "immutable" in file.headers["Cache-Control"]
            if name != "original_mp4":
                assert file.headers["Content-Type"] == "image/gif"
                assert struct.unpack("<HH", file.content[6:10]) == (int(shown["width"]), int(shown["height"])), name
        images = item["images"]
        assert int(images["preview_gif"]["size"]) < 50_000 and images["fixed_width"]["width"] == "200"
        assert images["fixed_height"]["height"] == "200" and images["fixed_height_small"]["height"] == "100"
        # G8: to be kept on the device.
        kept = requests.get(images["original"]["url"] + "?download", timeout=30)
        assert kept.headers["Content-Disposition"].startswith("attachment")


def test_words_and_categories(giphy):
    assert {"name": WORD} in raw("/gifs/search/tags", q=WORD[:6]).json()["data"]
    related = [one["name"] for one in raw(f"/tags/related/{WORD}").json()["data"]]
    assert "one" in related and WORD not in related
    assert isinstance(raw("/trending/searches").json()["data"], list)
    categories = {one["name"]: one for one in raw("/gifs/categories").json()["data"]}
    own = categories[f"Category {WORD}"]
    assert {"name": "one", "name_encoded": "one"} in own["subcategories"] and own["gif"]["images"]["original"]["url"]
    parts = raw(f"/gifs/categories/{own['name_encoded']}").json()["data"]
    assert [one["name"] for one in parts] == ["one", "three", "two"]
    [only] = raw(f"/gifs/categories/{own['name_encoded']}/two").json()["data"]
    assert only["title"] == f"{WORD} two"
    assert f"Folder {WORD}" in categories, "what its path says of a file that is not in the list"
    assert {one["id"] for one in raw("/gifs/related", gif_id=only["id"]).json()["data"]}
    assert raw("/randomid").json()["data"]["random_id"] != raw("/randomid").json()["data"]["random_id"]


def test_errors_are_giphys(giphy):
    for path, parameters, status in [
        ("/gifs/search", {}, 400), ("/gifs/search", {"q": "a" * 51}, 414), ("/gifs/search", {"q": "a", "rating": "x"}, 400),
        ("/gifs/1", {}, 404), ("/gifs/abc", {}, 404), ("/gifs/translate", {}, 400), ("/gifs", {}, 400), ("/stickers/nothing", {}, 404),
    ]:  # fmt: skip
        answer = raw(path, **parameters)
        assert answer.status_code == status and answer.json()["meta"]["status"] == status, f"{path}: {answer.text}"
    with pytest.raises(ApiException) as refused:
        giphy.gifs_gif_id_get("k", "1")
    assert refused.value.status == 404
    # The other app's paths are still its own.
    other = raw("/users/me")
    assert other.status_code == 400 and other.json()["errorCode"] == "E05"


def test_favourites_are_there_on_every_device(giphy, newcomer):
    found = giphy.gifs_search_get("k", WORD).data
    phone, tablet = newcomer, people.Person(newcomer.name, newcomer.password)
    tablet.token = signed_in_again(tablet)
    for one in (found[0], found[1], found[0]):
        assert phone.http.post(f"/api/v1/gifs/favourites/{one.id}").status_code == 200
    shown = tablet.http.get("/api/v1/gifs/favourites")
    assert [one["id"] for one in shown.json()] == [found[1].id, found[0].id]
    assert shown.json()[0]["images"]["preview_gif"]["width"]
    assert tablet.http.delete(f"/api/v1/gifs/favourites/{found[1].id}").status_code == 200
    assert [one["id"] for one in phone.http.get("/api/v1/gifs/favourites").json()] == [found[0].id]
    made = phone.http.post("/api/v1/gifs/collections", data={"name": "고양이"}).json()
    assert phone.http.post(f"/api/v1/gifs/collections/{made['id']}/gifs/{found[2].id}").status_code == 200
    assert tablet.http.get(f"/api/v1/gifs/collections/{made['id']}").json()["gifs_count"] == 1
    assert [one["id"] for one in tablet.http.get(f"/api/v1/gifs/collections/{made['id']}/gifs").json()] == [found[2].id]


def signed_in_again(person):
    """The token of another device."""
    browser = Browser(people.BASE_URL).authorize(authorize_address(people.app(), people.OUT_OF_BAND), person)
    return exchange(people.app(), browser.code, people.OUT_OF_BAND).json()["access_token"]


def test_a_gif_goes_into_a_post_and_a_message(giphy, ada, minji):
    [first, *_] = giphy.gifs_search_get("k", WORD).data
    taken = ada.http.post(f"/api/v1/gifs/{first.id}/media")
    assert taken.status_code == 200 and taken.json()["type"] == "gifv", taken.text
    eventually(
        lambda: ada.http.post("/api/v1/statuses", json={"status": "움짤", "media_ids": [taken.json()["id"]]}).status_code == 200,
        "a post with it",
    )
    [file] = minji.client.account_statuses(ada.id, limit=1)[0].media_attachments
    assert file.type == "gifv" and requests.get(file.url, timeout=30).headers["Content-Type"] == "video/mp4"
    place = Yard.playground(ada, minji)
    channel = Yard.channel(place, ada, minji)
    another = ada.http.post(f"/api/v1/gifs/{first.id}/media").json()["id"]
    Yard.say(ada, channel, "움짤", attachment_ids=[another])

    def shown():
        [message] = Yard.history(minji, channel)
        return message["attachments"] and message["attachments"][0]["state"] == "ready"

    eventually(shown, "a message with it", seconds=30)


@pytest.mark.skipif(not (upstream.PLACE and upstream.KEY), reason="needs a Madang that asks the tests for GIFs (MADANG_TEST_GIPHY)")
def test_what_others_have_follows(giphy, others, newcomer):
    """One's own first, then theirs, each once, and their key stays where it is."""
    word = f"{WORD} three"
    others.has[word] = 60
    far = [f"{word.replace(' ', '')}X{number}" for number in range(60)]
    seen, total = [], 1
    while len(seen) < total:
        page = giphy.gifs_search_get("an app's key", word, limit=25, offset=len(seen), lang="ko")
        assert page.pagination.offset == len(seen) and page.data
        seen += [one.id for one in page.data]
        total = page.pagination.total_count
    assert seen[1:] == far and seen[0].isdigit() and total == 61
    for _ in range(3):
        assert raw("/gifs/search", q=word.upper(), lang="ko").json()["data"][1]["id"] == far[0]
    asked = [given for _, given in others.asked if given.get("q") == word]
    assert [(one["offset"], one["api_key"], one["lang"]) for one in asked] == [("0", upstream.KEY, "ko"), ("50", upstream.KEY, "ko")]
    assert giphy.gifs_gif_id_get("k", far[7]).data.id == far[7]
    assert [one.id for one in giphy.gifs_get("k", f"{far[8]},{seen[0]},nobodyX1").data] == [far[8], seen[0]]
    assert upstream.KEY not in raw("/gifs/search", q=word).text
    for name in (far[3], seen[0], far[3]):
        assert newcomer.http.post(f"/api/v1/gifs/favourites/{name}").status_code == 200
    assert [one["id"] for one in newcomer.http.get("/api/v1/gifs/favourites").json()] == [seen[0], far[3]]
    assert newcomer.http.delete(f"/api/v1/gifs/favourites/{far[3]}").status_code == 200
    assert [one["id"] for one in newcomer.http.get("/api/v1/gifs/favourites").json()] == [seen[0]]
    assert newcomer.http.post(f"/api/v1/gifs/{far[3]}/media").status_code == 422
    assert raw("/gifs/nobodyX1").status_code == 404


def test_who_administers_puts_gifs_there(giphy, newcomer):
    sent = gif(3, [99, *COLOUR])
    files = {"file": ("a.gif", sent, "image/gif")}
    media = newcomer.http.post("/api/v2/media", files=files, data={"purpose": "gif", "description": "A wave"}).json()
    ready(newcomer, media["id"])
    entry = {"media_id": media["id"], "title": f"{WORD} by hand", "tags": ["hand"]}
    assert newcomer.http.post("/api/v1/gifs", json=entry).status_code == 403
    administered(newcomer.name, "promote", "moderator")

    # A token that was in use says for a while what its owner was.
    desk = people.Api(signed_in_again(newcomer))
    added = desk.post("/api/v1/gifs", json=entry)
    assert added.status_code == 200, added.text
    item = added.json()["data"]
    assert item["user"]["username"] == newcomer.name and item["alt_text"] == "A wave"
    assert raw("/gifs/search", q=f"{WORD} hand").json()["data"][0]["id"] == item["id"]
    assert desk.put(f"/api/v1/gifs/{item['id']}", json={"title": f"{WORD} foot"}).status_code == 200
    assert desk.delete(f"/api/v1/gifs/{item['id']}").status_code == 200
    assert raw(f"/gifs/{item['id']}").status_code == 404
