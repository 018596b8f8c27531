# SPDX-License-Identifier: Apache-2.0
"""Previews of links: pages on hosts of this machine, each mentioned by one to three posts. How long until the last card is shown, how
often a page is asked for, how many of a host at a time, and what a link costs against curl fetching the same pages and pictures.

Fails where a page was fetched more than once, or more than two of a host at a time."""

import argparse
import asyncio
import collections
import concurrent.futures
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from media import middle, run_measured  # noqa: E402
from stack import ENGINES, SERVICES, Stack, wait_until  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

PEOPLE, ROUNDS = 40, 3
# How long a page takes to come, so that what is asked for at a time is seen.
PAUSE = 0.05
# As much HTML as pages have that somebody links to.
FILLING = "<p>마당에서 만나요. What people write of an evening.</p>\n" * 500


def hosts(count):
    return [f"127.1.0.{number}" for number in range(1, count + 1)]


class Pages(threading.Thread):
    """Sites that answer with a page or its picture, and count who asks."""

    def __init__(self, names, port, picture):
        super().__init__(daemon=True)
        self.names, self.port, self.picture = names, port, picture
        self.asked, self.now, self.most = collections.Counter(), collections.Counter(), collections.Counter()
        self.ready = threading.Event()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        async with await asyncio.start_server(self.answer, self.names, self.port, backlog=1000) as server:
            self.ready.set()
            await server.serve_forever()

    async def answer(self, reader, writer):
        host = writer.get_extra_info("sockname")[0]
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                self.asked[host, path] += 1
                self.now[host] += 1
                self.most[host] = max(self.most[host], self.now[host])
                try:
                    await asyncio.sleep(PAUSE)
                    kind, body = ("image/jpeg", self.picture) if path.startswith("/picture") else ("text/html; charset=utf-8", self.page(path))
                    writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                    await writer.drain()
                finally:
                    self.now[host] -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def page(self, path):
        return (
            f'<!DOCTYPE html><html lang="ko"><head><title>{path}</title><meta property="og:title" content="마당 {path}">'
            f'<meta property="og:description" content="만나요"><meta property="og:image" content="/picture{path}"></head><body>{FILLING}'
        ).encode()

    def reset(self):
        self.asked.clear()
        self.most.clear()


def small_picture(folder):
    """As large as pages have them for their previews, with soft places."""
    for command in (
        ["perlin", f"{folder}/p.v", "1200", "630", "--cell-size", "128"], ["linear", f"{folder}/p.v", f"{folder}/l.v", "110", "120"],
        ["cast", f"{folder}/l.v", f"{folder}/c.v", "uchar"], ["jpegsave", f"{folder}/c.v", f"{folder}/small.jpg", "--Q", "85"],
    ):  # fmt: skip
        subprocess.run(["vips", *command], check=True)
    return pathlib.Path(folder, "small.jpg").read_bytes()


def curl(urls, folder):
    """Processor seconds of one curl for all of them, over connections that it keeps."""
    lines = [f'url = "{url}"\noutput = "/dev/null"' for url in urls]
    pathlib.Path(folder, "urls").write_text("\n".join(lines))
    return run_measured(["curl", "-sS", "--fail", "--parallel", "--parallel-max", "8", "-K", f"{folder}/urls"], stderr=subprocess.DEVNULL)[0]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--port", required=True, type=int, help="of the pages, which MADANG_OUTBOUND_ALLOW names")
    arguments.add_argument("--links", type=int, default=1000)
    arguments.add_argument("--hosts", type=int, default=50)
    options = arguments.parse_args()
    stack = Stack(options.run, options.base_url)
    tag = secrets.token_hex(4)
    names = hosts(options.hosts)
    with tempfile.TemporaryDirectory() as folder:
        pages = Pages(names, options.port, small_picture(folder))
        pages.start()
        if not pages.ready.wait(10):
            raise SystemExit("the pages cannot be served")
        paths = [(names[number % len(names)], f"/{tag}/{number}") for number in range(options.links)]
        urls = [f"http://{host}:{options.port}{path}" for host, path in paths]
        people = list(sign_up(options.base_url, [f"linking_{tag}_{number}" for number in range(PEOPLE)]).values())
        # Each link once, every second twice, every third once more.
        texts = [f"see {url} {turn}" for turn in range(3) for number, url in enumerate(urls) if number % (turn + 1) == 0]
        stack.wait_quiet(60)

        def shown():
            return int(stack.psql(f"SELECT count(*) FROM posts.cards WHERE card IS NOT NULL AND url LIKE '%/{tag}/%'")[0][0])

        def post(numbered):
            number, text = numbered
            people[number % PEOPLE].call("POST", "/api/v1/statuses", {"status": text})

        roots = {stack.pid(process): process for process in ENGINES + SERVICES}
        before, began = cpu_seconds(roots), time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
            list(pool.map(post, enumerate(texts)))
        posted = time.monotonic() - began
        wait_until(lambda: shown() == len(urls), 120 + len(urls), "a card of each link")
        took = time.monotonic() - began
        media = cpu_seconds(roots)["media"] - before["media"]
        stack.wait_quiet(120)
        again = [f"{host}{path}" for (host, path), count in pages.asked.items() if count != 1]
        most, fetched = max(pages.most.values()), sum(pages.asked.values())
        pages.reset()
        everything = urls + [f"http://{host}:{options.port}/picture{path}" for host, path in paths]
        theirs = middle([curl(everything, folder) for _ in range(ROUNDS)])
        print(
            f"previews: {len(urls)} links on {len(names)} hosts in {len(texts)} posts: posted within {posted:.1f} s, the last card shown after "
            f"{took:.1f} s ({len(urls) / took:.1f}/s); {fetched} pages and pictures asked for, {len(again)} of them not once, at most {most} of a "
            f"host at a time; media and its workers {1000 * media / len(urls):.1f} ms CPU a link, curl {1000 * theirs / len(urls):.2f} ms, "
            f"ratio {media / theirs:.1f}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        if again or most > 2 or fetched != 2 * len(urls):
            raise SystemExit(f"missed: {again[:5]}")


if __name__ == "__main__":
    main()
