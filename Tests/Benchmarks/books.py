# SPDX-License-Identifier: Apache-2.0
"""The catalogue of books with four sources that answer at once: what an answer costs search, for words that nobody asked before, whose
answers it merges, and for words whose answers it knows."""

import argparse
import concurrent.futures
import pathlib
import secrets
import sys
import time
import urllib.parse

tests = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(tests / "FaultTests"), str(tests / "SystemTests")]
import books  # noqa: E402
from client import sign_up  # noqa: E402
from same_sql import share  # noqa: E402
from stack import Stack  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

# What a source gives at once, half of it the same editions as the source before.
PART = 40


class Bench:
    def __init__(self, options, outside):
        self.options, self.outside = options, outside
        self.stack = Stack(options.run, options.base_url)
        (self.reader,) = sign_up(options.base_url, [f"books_{int(time.time())}"]).values()

    def cpu(self):
        return sum(cpu_seconds({self.stack.pid("search"): "search"}).values())

    def find(self, words):
        began = time.monotonic()
        found, _ = self.reader.call("GET", "/api/v1/books?" + urllib.parse.urlencode({"q": words, "limit": 50}))
        return len(found), 1000 * (time.monotonic() - began)

    def ask(self, label, asked):
        """Every one of some words, four at a time."""
        before, began = self.cpu(), time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(self.find, asked))
        took, spent = time.monotonic() - began, self.cpu() - before
        if any(count != 50 for count, _ in answers):
            raise SystemExit(f"books: {label} found {sorted({count for count, _ in answers})}")
        moments = [moment for _, moment in answers]
        print(
            f"books, {label}: {len(asked) / took:.0f}/s, p50 {share(moments, 0.5):.1f} ms, p99 {share(moments, 0.99):.1f} ms, "
            f"{1000 * spent / len(asked):.2f} ms CPU of search",
            flush=True,
        )


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True, help="the folder with the supervisors' files")
    arguments.add_argument("--words", type=int, default=200)
    arguments.add_argument("--rounds", type=int, default=10)
    options = arguments.parse_args()
    with books.Books() as outside:
        words = [f"word{secrets.token_hex(5)}" for _ in range(options.words)]
        for turn, source in enumerate(["naver", "kakao", "google", "openlibrary"]):
            first = secrets.randbelow(10**8) if turn == 0 else first + PART // 2 * options.words
            outside.has[source] = [
                (f"{word} {number}", first + options.words * number + place) for place, word in enumerate(words) for number in range(PART)
            ]
        bench = Bench(options, outside)
        bench.ask(f"{len(words)} words that nobody asked before", words)
        bench.ask("the same words again", words * options.rounds)


if __name__ == "__main__":
    main()
