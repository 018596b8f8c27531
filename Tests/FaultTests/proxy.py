# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy that delays, cuts and swallows: the network between the services and PostgreSQL or RabbitMQ.

    proxy.py --listen NAME=PORT:TARGET … --control PORT

One line on the control port changes one proxy, and is answered with one line of JSON:

    NAME pass                         forwards everything
    NAME latency MILLISECONDS JITTER  each piece that passes is late by MILLISECONDS ± JITTER, in order
    NAME hole                         takes connections and pieces, and forwards nothing
    NAME cut-before TEXT COUNT        resets a connection instead of sending TEXT to the target, COUNT times
    NAME cut-answer TEXT COUNT        resets it instead of passing an answer with TEXT back, COUNT times
    NAME resets PROBABILITY SEED      each piece is, with this probability, a reset of its connection instead
    NAME drop                         resets every connection that is open now
    NAME count                        how many connections are open, were opened, and were cut

A TCP proxy can lose a connection, not a packet: loss, duplication and corruption of packets are repaired by TCP below it and
show as latency and as resets, which is what it makes.
"""

import argparse
import asyncio
import json
import random
import socket
import struct


class Proxy:
    def __init__(self, name, target):
        self.name = name
        self.target = target
        self.open = set()
        self.opened = 0
        self.cuts = 0
        self.make_pass()

    def make_pass(self):
        self.mode = "pass"
        self.latency = self.jitter = self.probability = 0.0
        self.text, self.left = b"", 0
        self.random = random.Random(0)

    def order(self, words):
        verb, *rest = words
        if verb == "drop":
            for pair in list(self.open):
                self.cut(pair)
        elif verb == "latency":
            self.make_pass()
            self.mode, self.latency, self.jitter = verb, float(rest[0]) / 1000, float(rest[1]) / 1000
        elif verb == "hole":
            self.make_pass()
            self.mode = verb
        elif verb in ("cut-before", "cut-answer"):
            self.make_pass()
            self.mode, self.text, self.left = verb, rest[0].encode(), int(rest[1])
        elif verb == "resets":
            self.make_pass()
            self.mode, self.probability, self.random = verb, float(rest[0]), random.Random(int(rest[1]))
        elif verb == "pass":
            was_hole = self.mode == "hole"
            self.make_pass()
            if was_hole:
                # What was swallowed makes nonsense of everything after it.
                self.order(["drop"])
        elif verb != "count":
            return {"error": f"unknown order {verb}"}
        return {"open": len(self.open), "opened": self.opened, "cuts": self.cuts, "left": self.left}

    def cut(self, pair):
        """Resets both sides: the peers get ECONNRESET."""
        self.cuts += 1
        for writer in pair:
            raw = writer.get_extra_info("socket")
            if raw is not None:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        self.open.discard(pair)

    async def serve(self, reader, writer):
        self.opened += 1
        try:
            # In a hole even the connection to the target is not made.
            while self.mode == "hole":
                await asyncio.sleep(0.1)
                if reader.at_eof():
                    return writer.close()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return writer.transport.abort()
        pair = (writer, far_writer)
        self.open.add(pair)
        try:
            await asyncio.gather(self.carry(pair, reader, far_writer, True), self.carry(pair, far_reader, writer, False))
        except OSError:
            self.cut(pair)
        finally:
            self.open.discard(pair)
            for side in pair:
                side.close()

    async def carry(self, pair, reader, writer, to_target):
        queue = asyncio.Queue(maxsize=256)

        async def late():
            """Writes what has waited long enough, in order."""
            loop = asyncio.get_running_loop()
            while True:
                due, piece = await queue.get()
                await asyncio.sleep(max(0, due - loop.time()))
                if piece is None:
                    return writer.write_eof()
                writer.write(piece)
                await writer.drain()

        deliverer = asyncio.create_task(late())
        loop = asyncio.get_running_loop()
        try:
            while pair in self.open:
                piece = await reader.read(65536)
                if pair not in self.open:
                    return
                if not piece:
                    await queue.put((loop.time() + self.latency, None))
                    await deliverer
                    return
                if self.mode == "hole":
                    continue
                if self.mode == "resets" and self.random.random() < self.probability:
                    return self.cut(pair)
                if self.left and to_target == (self.mode == "cut-before") and self.text in piece:
                    self.left -= 1
                    return self.cut(pair)
                if self.mode != "latency" and queue.empty():
                    writer.write(piece)
                    await writer.drain()
                    continue
                delay = max(0.0, self.latency + self.random.uniform(-self.jitter, self.jitter))
                await queue.put((loop.time() + delay, piece))
        finally:
            deliverer.cancel()


async def run(options):
    proxies = {}
    for text in options.listen:
        name, place = text.split("=")
        port, target = map(int, place.split(":"))
        proxies[name] = Proxy(name, target)
        await asyncio.start_server(proxies[name].serve, "127.0.0.1", port)

    async def control(reader, writer):
        while line := await reader.readline():
            name, *words = line.decode().split()
            answer = proxies[name].order(words) if name in proxies and words else {"error": "unknown proxy"}
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(control, "127.0.0.1", options.control)
    await server.serve_forever()


def tell(port, *words):
    """Gives a running proxy one order."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(" ".join(map(str, words)).encode() + b"\n")
        answer = json.loads(connection.makefile().readline())
    if "error" in answer:
        raise SystemExit(f"proxy: {answer['error']}")
    return answer


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--listen", action="append", required=True)
    arguments.add_argument("--control", type=int, required=True)
    asyncio.run(run(arguments.parse_args()))
