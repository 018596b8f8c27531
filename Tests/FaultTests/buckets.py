# SPDX-License-Identifier: Apache-2.0
"""Stored files in a bucket of a real server of S3, which others can read, and which is away for a while."""

import http.client
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import boto3
from botocore.config import Config

from client import sign_up
from uploads import Uploads
from stack import Failed, wait_until

BUCKET, ACCESS_KEY, SECRET_KEY = "madang-files", "of-the-drill", "secret-of-the-drill"


class Server:
    """`rclone serve s3` over a folder."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port
        self.endpoint = f"http://127.0.0.1:{port}"
        pathlib.Path(folder, BUCKET).mkdir()
        self.process = None

    def start(self):
        program = pathlib.Path(sys.executable).with_name("rclone")
        arguments = ["serve", "s3", "--addr", f"127.0.0.1:{self.port}", "--auth-key", f"{ACCESS_KEY},{SECRET_KEY}", self.folder]
        environment = {**os.environ, "RCLONE_CONFIG": "/dev/null"}
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        wait_until(self.answers, 30, "rclone")

    def answers(self):
        try:
            urllib.request.urlopen(self.endpoint, timeout=2)
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def objects(self):
        """What is in the bucket, as another client sees it."""
        options = Config(s3={"addressing_style": "path"})
        client = boto3.client(
            "s3", endpoint_url=self.endpoint, aws_access_key_id=ACCESS_KEY, aws_secret_access_key=SECRET_KEY, region_name="us-east-1", config=options
        )
        keys = [item["Key"] for page in client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET) for item in page.get("Contents", [])]
        return {key.split("/")[1]: client.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys}


def fetched(link, **headers):
    """Status, headers and octets of a file, without following where it leads."""
    url = urllib.parse.urlsplit(link)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    connection.request("GET", f"{url.path}?{url.query}" if url.query else url.path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def expect(condition, what):
    if not condition:
        raise Failed(what)


def in_a_bucket(stack, options):
    """Uploads, what serves them, and an absence of the server; as the stack was when it is over."""
    copies = stack.copies("media")
    uploads = Uploads(stack, next(iter(sign_up(stack.base_urls, [f"keeper_{options.random.randrange(1 << 30)}"]).values())))

    def restart(**settings):
        stack.stop(*copies)
        stack.start(*copies, **settings)
        stack.wait_ready(*copies)

    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, stack.port + 95)
        settings = {
            "MADANG_S3_ENDPOINT": server.endpoint, "MADANG_S3_BUCKET": BUCKET,
            "MADANG_S3_ACCESS_KEY": ACCESS_KEY, "MADANG_S3_SECRET_KEY": SECRET_KEY,
        }  # fmt: skip
        server.start()
        try:
            restart(**settings)
            for number in range(4):
                expect(uploads.upload(number), f"upload {number} was refused")
            # One of which a file is so large that it is sent in parts.
            expect(uploads.upload(4, width=2000, height=1400, has_alpha=True), "the large upload was refused")
            expect(all(uploads.is_there(media) for media in uploads.acknowledged), "an upload is not there")
            objects = server.objects()
            rows = {row[0] for row in stack.psql("SELECT DISTINCT file FROM media.renditions WHERE upload_id = ANY ('{%s}')" % ",".join(uploads.acknowledged))}
            expect(set(objects) == rows, f"{len(rows - set(objects))} files are not in the bucket, {len(set(objects) - rows)} too many are")
            largest = max(objects, key=lambda name: len(objects[name]))
            expect(len(objects[largest]) > 8 << 20, "no file was large enough to be sent in parts")
            for media in uploads.acknowledged:
                link = uploads.account.call("GET", f"/api/v1/media/{media}")[0]["url"]
                name = link.rsplit("/", 1)[1]
                status, _, body = fetched(link)
                expect(status == 200 and body == objects[name], f"{name} is served with {status}, {len(body)} octets")
                status, head, body = fetched(link, Range="bytes=5-1000004")
                expect(status == 206 and body == objects[name][5:1000005], f"a part of {name}: {status}, {head['Content-Range']}")
            expect(not list((stack.state / "media/work").iterdir()), "something is left of what was worked on")

            server.stop()
            waiting = uploads.upload(5)
            expect(waiting, "nothing could be uploaded while the bucket was away")
            status, _, _ = fetched(link)
            expect(status >= 500, f"a file of a bucket that is away: {status}")
            tried = "SELECT state FROM media.uploads WHERE id = " + waiting

            def attempts():
                return sum("could not be worked on" in line for _, line in stack.lines(*copies))

            # More than a file has of which a worker ends.
            wait_until(lambda: attempts() > 3, 120, "four attempts")
            expect(stack.psql(tried) == [["processing"]], "an upload was given up because the bucket was away")
            server.start()
            expect(uploads.is_there(waiting), "the upload did not become ready when the bucket was back")

            restart(**settings, MADANG_S3_PUBLIC="true")
            status, head, _ = fetched(link)
            expect(status == 302 and head["Location"].startswith(server.endpoint), f"{status} {head['Location']}")
            status, _, body = fetched(head["Location"])
            expect(status == 200 and body == objects[link.rsplit("/", 1)[1]], f"the link of the bucket: {status}")
            status, _, _ = fetched(head["Location"].replace("Expires=3600", "Expires=36000"))
            expect(status == 403, f"a link that was changed: {status}")
            count = len(uploads.acknowledged)
            for media in uploads.acknowledged:
                uploads.account.call("DELETE", f"/api/v1/media/{media}")
        finally:
            restart()
            server.stop()
    return True, f"{count} uploads, {len(objects)} files read by another client, the largest {len(objects[largest])} octets in parts; none given up while away"
