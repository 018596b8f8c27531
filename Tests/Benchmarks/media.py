# SPDX-License-Identifier: Apache-2.0
"""Files in numbers: what it costs to make the sizes of a picture, against vipsthumbnail; to serve files, against nginx with sendfile;
and the memory that gateway and media need while many send or fetch large files at a time."""

import argparse
import getpass
import hashlib
import hmac
import json
import os
import pathlib
import resource
import secrets
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "FaultTests"))
from client import sign_up  # noqa: E402
from crowds import MEBIBYTE, Peak  # noqa: E402
from stack import Stack, wait_until  # noqa: E402
from timelines import cpu_seconds  # noqa: E402

ROUNDS = 3
SIZES = {"1 KB": 1 << 10, "100 KB": 100 << 10, "1 MB": MEBIBYTE, "10 MB": 10 * MEBIBYTE, "50 MB": 50 * MEBIBYTE}
NGINX = """user {user}; worker_processes 1; pid {folder}/pid; error_log /dev/null; daemon off;
events {{ worker_connections 1024; }}
http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type image/jpeg;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{ listen 127.0.0.1:{port}; root {root}; }} }}
"""


def middle(values):
    return sorted(values)[len(values) // 2]


def run_measured(command, **options):
    """Processor seconds of a command and all that it starts, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def photograph(folder, width=4000, height=3000):
    """Twelve megapixels with edges, soft places and noise, as a camera's JPEG."""
    parts = [f"{folder}/{colour}.v" for colour in ("red", "green", "blue")]
    for seed, part in enumerate(parts):
        for command in (
            ["perlin", f"{part}.p.v", str(width), str(height), "--cell-size", "256", "--seed", str(seed)],
            ["linear", f"{part}.p.v", f"{part}.l.v", "110", "120"],
            ["gaussnoise", f"{part}.n.v", str(width), str(height), "--sigma", "6", "--mean", "0", "--seed", str(seed)],
            ["add", f"{part}.l.v", f"{part}.n.v", part],
        ):
            subprocess.run(["vips", *command], check=True)
    subprocess.run(["vips", "bandjoin", " ".join(parts), f"{folder}/all.v"], check=True)
    subprocess.run(["vips", "cast", f"{folder}/all.v", f"{folder}/bytes.v", "uchar"], check=True)
    subprocess.run(["vips", "copy", f"{folder}/bytes.v", f"{folder}/in.jpg[Q=92]", "--interpretation", "srgb"], check=True)
    return f"{folder}/in.jpg"


def processing(media):
    """All sizes of a photograph by a worker, and each of them by vipsthumbnail."""
    with tempfile.TemporaryDirectory() as folder:
        picture = photograph(folder)
        limits = {
            "pixels": 100_000_000, "frames": 1500, "animatedPixels": 1_000_000_000, "videoPixels": 8_912_896,
            "animationSeconds": 120, "videoSeconds": 600, "audioSeconds": 7200,
        }  # fmt: skip
        ours, theirs = [], []
        for number in range(ROUNDS):
            work = f"{folder}/ours{number}"
            os.mkdir(work)
            order = {"input": picture, "directory": work, "purpose": "attachment", "limits": limits}
            spent, report = run_measured([media, "worker", str(os.getpid())], input=json.dumps(order).encode() + b"\n")
            ours.append(spent)
            made = {item["file"]: item for item in json.loads(report)["made"]["_0"]["renditions"]}
            whole = 0.0
            for name, item in made.items():
                quality = 80 if name.endswith("webp") else 85
                size = f"{item['width']}x{item['height']}"
                target = f"{folder}/theirs{number}-{name}[Q={quality},strip]"
                whole += run_measured(["vipsthumbnail", picture, "--size", size, "-o", target])[0]
            theirs.append(whole)
        print(
            f"12 megapixels ({os.path.getsize(picture) / 1e6:.1f} MB) to {len(made)} files: {1000 * middle(ours):.0f} ms CPU, vipsthumbnail "
            f"{1000 * middle(theirs):.0f} ms, ratio {middle(ours) / middle(theirs):.2f}; the worker makes a blurhash and a dominant colour besides",
            flush=True,
        )


class Served:
    """Files in the storage, with the links by which they are asked for."""

    def __init__(self, stack):
        self.stack = stack
        keys = list((stack.state / "secrets").glob("*/media-link-key"))
        self.key = keys[0].read_bytes().strip()
        self.made = []

    def link(self, size):
        content = secrets.token_bytes(size)
        name = f"{hashlib.sha256(content).hexdigest()[:32]}.jpg"
        path = self.stack.state / "media/files" / name[:2] / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        self.made.append(path)
        code = hmac.new(self.key, f"o:{name}".encode(), hashlib.sha256).hexdigest()[:32]
        return f"/media/o/{code}/{name}", f"/{name[:2]}/{name}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path in self.made:
            path.unlink()


def serving(stack, served):
    """Processor milliseconds a file, by gateway and media, by media alone, and by nginx with sendfile."""
    with tempfile.TemporaryDirectory() as folder:
        port = stack.port + 90
        pathlib.Path(folder, "conf").write_text(NGINX.format(user=getpass.getuser(), folder=folder, port=port, root=stack.state / "media/files"))
        os.chmod(folder, 0o755)
        nginx = subprocess.Popen(["nginx", "-c", f"{folder}/conf"], stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: not socket.socket().connect_ex(("127.0.0.1", port)), 10, "nginx")
            gateway, media = stack.pid("gateway"), stack.pid("media")
            for label, size in SIZES.items():
                ours, raw = served.link(size)
                ways = {
                    "through the gateway": (f"http://127.0.0.1:{stack.port}{ours}", {gateway: "gateway", media: "media"}),
                    "media": (f"http://127.0.0.1:{stack.port_of('media')}{ours}", {media: "media"}),
                    "nginx": (f"http://127.0.0.1:{port}{raw}", {nginx.pid: "nginx"}),
                }
                costs = {way: [] for way in ways}
                rates = {way: [] for way in ways}
                for _ in range(ROUNDS):
                    for way, (url, roots) in ways.items():
                        before = sum(cpu_seconds(roots).values())
                        ran = subprocess.run(["wrk", "-t1", "-c8", "-d3", url], capture_output=True, text=True, check=True).stdout
                        spent = sum(cpu_seconds(roots).values()) - before
                        if "Non-2xx" in ran:
                            raise SystemExit(f"{way}: {ran}")
                        count = int(ran.split(" requests in")[0].split()[-1])
                        costs[way].append(1000 * spent / max(1, count))
                        rates[way].append(count / 3)
                nginx_cost = middle(costs["nginx"])
                print(
                    f"{label}: "
                    + "; ".join(
                        f"{way} {middle(costs[way]):.3f} ms CPU, {middle(rates[way]):.0f}/s ({middle(costs[way]) / nginx_cost:.1f})" for way in ways
                    ),
                    flush=True,
                )
        finally:
            nginx.terminate()
            nginx.wait()


def slow_downloads(stack, served, count=50, size=50 * MEBIBYTE, seconds=20, rate=100 << 10):
    """Clients that read 100 KB a second of a large file."""
    path, _ = served.link(size)
    selector, clients = selectors.DefaultSelector(), []
    peak = Peak(stack, "gateway", "media")
    for _ in range(count):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 10)
        client.connect(("127.0.0.1", stack.port))
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: madang\r\n\r\n".encode())
        clients.append(client)
    got, ended = [0] * count, time.monotonic() + seconds
    while time.monotonic() < ended:
        for index, client in enumerate(clients):
            part = client.recv(rate // 4)
            if not part:
                raise SystemExit(f"a slow download was cut off after {got[index]} octets")
            got[index] += len(part)
        time.sleep(0.25)
    peak.stop()
    for client in clients:
        client.close()
    selector.close()
    told = ", ".join(f"{name} +{value / MEBIBYTE:.1f} MiB" for name, value in peak.growth.items())
    print(f"{count} clients that fetch {size // MEBIBYTE} MiB slowly ({min(got)} to {max(got)} octets in {seconds} s): {told}", flush=True)


def many_uploads(stack, base_url, count=64, size=40 * MEBIBYTE):
    """Uploads at once, of what is no film after its first octets, so that they cost nothing later; others read meanwhile."""
    people = list(sign_up(base_url, [f"heavy_{secrets.token_hex(4)}" for _ in range(8)]).values())
    reader = people[0]
    head = b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41" + bytes(1000)
    block = secrets.token_bytes(MEBIBYTE)
    start = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n' + head
    end = b"\r\n--b--\r\n"
    statuses = []

    def upload(index):
        client = socket.create_connection(("127.0.0.1", stack.port), timeout=600)
        length = len(start) + size + len(end)
        client.sendall(
            f"POST /api/v2/media HTTP/1.1\r\nHost: madang\r\nAuthorization: Bearer {people[index % len(people)].token}\r\n"
            f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {length}\r\n\r\n".encode() + start
        )
        for _ in range(size // len(block)):
            client.sendall(block)
        client.sendall(end)
        statuses.append(client.recv(4096).split(b" ", 2)[1].decode())
        client.close()

    def reading(until):
        took = []
        while not until():
            began = time.monotonic()
            reader.call("GET", "/api/v1/timelines/home")
            took.append(1000 * (time.monotonic() - began))
            time.sleep(0.01)
        return sorted(took)[int(0.99 * (len(took) - 1))], len(took)

    deadline = time.monotonic() + 5
    alone, _ = reading(lambda: time.monotonic() > deadline)
    peak = Peak(stack, "gateway", "media")
    began = time.monotonic()
    threads = [threading.Thread(target=upload, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    meanwhile, reads = reading(lambda: not any(thread.is_alive() for thread in threads))
    took = time.monotonic() - began
    peak.stop()
    told = ", ".join(f"{name} +{value / MEBIBYTE:.1f} MiB" for name, value in peak.growth.items())
    answers = {status: statuses.count(status) for status in sorted(set(statuses))}
    print(
        f"{count} uploads of {size // MEBIBYTE} MiB at once: {count * size / MEBIBYTE / took:.0f} MiB/s, answers {answers}, {told}; "
        f"home timelines of somebody else p99 {alone:.1f} ms before, {meanwhile:.1f} ms meanwhile ({reads} reads)",
        flush=True,
    )


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--base-url", required=True)
    arguments.add_argument("--run", required=True)
    arguments.add_argument("--media", required=True, help="the program media")
    options = arguments.parse_args()
    if not shutil.which("vipsthumbnail"):
        raise SystemExit("vipsthumbnail is missing: apt install libvips-tools")
    stack = Stack(options.run, options.base_url)
    processing(options.media)
    with Served(stack) as served:
        serving(stack, served)
        slow_downloads(stack, served)
    many_uploads(stack, options.base_url)


if __name__ == "__main__":
    main()
