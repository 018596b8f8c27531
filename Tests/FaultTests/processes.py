# SPDX-License-Identifier: Apache-2.0
"""Processes that are paused, restarted, stopped and killed all at once under load (F23, F28, F29, F30, F37)."""

import asyncio
import concurrent.futures
import multiprocessing
import random
import signal
import threading
import time

from client import Away, Client, Refused
from outages import length
from sockets import Connection
from sockets import Refused as NotConnected
from stack import SERVICES, Failed, wait_until
from traffic import Traffic

# Something small that only this service answers.
PROBES = {
    "auth": "/api/v1/apps/verify_credentials",
    "posts": "/api/v1/timelines/home?limit=1",
    "chat": "/api/v1/playgrounds?limit=1",
    "notifications": "/api/v1/notifications?limit=1",
}


def probe(stack, account, service, timeout=2):
    """Whether the service answers within the time."""
    try:
        Client(stack.base_urls, account.token, timeout=timeout).call("GET", PROBES[service])
        return True
    except Away:
        return False
    except Refused as refusal:
        raise Failed(f"the probe of {service} was refused: {refusal}") from refusal


def paused(stack, options):
    """F23: both processes of each service are stopped in turn (SIGSTOP); the other services go on, and it recovers."""
    seconds = length(options, 30, 5)
    traffic = Traffic(stack, options.random).prepare()
    account = traffic.accounts[traffic.names[0]]
    # A token that a gateway has not seen yet is auth's to judge: each event loop of each gateway gets to know it first.
    for url in stack.base_urls * 8:
        Client(url, account.token).insist("GET", PROBES["notifications"])
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(5,), kwargs={"until": stopped.is_set})
    worker.start()
    affected, slowest = [], 0.0
    try:
        for service in PROBES:
            for name in stack.copies(service):
                stack.signal(name, signal.SIGSTOP)
            try:
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    affected += [(service, other) for other in PROBES if other != service and not probe(stack, account, other, 5)]
                    time.sleep(0.5)
            finally:
                for name in stack.copies(service):
                    stack.signal(name, signal.SIGCONT)
            began = time.monotonic()
            wait_until(lambda: probe(stack, account, service, 10), 60, f"the recovery of {service}")
            slowest = max(slowest, time.monotonic() - began)
    finally:
        stopped.set()
        worker.join()
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    passed = clean and not dead and not affected and slowest <= 10 * options.slack
    return passed, f"{len(PROBES)} services stopped {seconds:g} s each, others without an answer {affected or 0}, recovered in {slowest:.1f}/10 s"


class Balancer:
    """What stands before two gateways: it asks each for its readiness and sends nobody to one that is not."""

    def __init__(self, stack):
        self.stack = stack
        self.ready = list(stack.base_urls)
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        names = self.stack.copies("gateway")
        while not self.stopped.wait(0.1):
            ready = [url for name, url in zip(names, self.stack.base_urls) if self.stack.get(name, "/health/ready", 1) is not None]
            self.ready = ready or self.ready

    def direct(self, accounts):
        for number, account in enumerate(accounts):
            account.choose = lambda number=number: self.ready[number % len(self.ready)]


def rolling_restart(stack, options):
    """F28: every process is restarted in turn; no request behind a balancer fails, none is repeated."""
    if not stack.is_wide:
        raise Failed("a rolling restart needs two processes of each service")
    times = options.times or (1 if options.short else 3)
    traffic = Traffic(stack, options.random).prepare()
    balancer = Balancer(stack)
    balancer.direct(traffic.accounts.values())
    stopped = threading.Event()
    traffic.latencies.clear()
    rate = options.rate or (20 if options.short else 50)
    worker = threading.Thread(target=traffic.run, args=(rate,), kwargs={"until": stopped.is_set, "retry": False})
    worker.start()
    restarts = 0
    try:
        for _ in range(times):
            for service in SERVICES:
                for name in stack.copies(service):
                    old = stack.pid(name)
                    stack.stop(name)
                    stack.start(name)
                    stack.wait_ready(name)
                    if not stack.is_new(name, old):
                        raise Failed(f"{name} was not restarted")
                    restarts += 1
                    # As a balancer's own health check would, before the next one goes.
                    wait_until(lambda: len(balancer.ready) == len(stack.base_urls), 30, "both gateways ready")
    finally:
        stopped.set()
        worker.join()
        balancer.stopped.set()
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    sent, failures = len(traffic.ledger.attempted), sum(traffic.failures.values())
    return clean and not dead and not failures, f"{restarts} restarts, {sent} requests, failed {failures}/0, slowest {traffic.percentile(1):.1f} s"


def stop_under_load(stack, options):
    """F29: everything is asked to stop while people write; every process ends with 0 in time and nothing is lost."""
    traffic = Traffic(stack, options.random).prepare()
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(options.rate or 30,), kwargs={"until": stopped.is_set})
    worker.start()
    time.sleep(2)
    times = {}

    def stop(name):
        began = time.monotonic()
        stack.stop(name)
        times[name] = time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:
        list(pool.map(stop, stack.services))
    codes = {name: (stack.run / f"{name}.code").read_text().strip() for name in stack.services}
    stack.stop("rabbitmq", "postgres")
    stack.start("postgres", "rabbitmq", *stack.services)
    stack.wait_ready()
    stopped.set()
    worker.join()
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    wrong = {name: code for name, code in codes.items() if code != "0"}
    slowest = max(times.values())
    return clean and not dead and not wrong and slowest <= 25, f"exit codes other than 0: {wrong or 'none'}, slowest {slowest:.1f}/25 s"


def all_at_once(stack, options):
    """F30: SIGKILL of everything in one moment, again and again."""
    times, slowest = options.times or (2 if options.short else 20), 0.0
    traffic = Traffic(stack, options.random, patience=180).prepare()
    stopped = threading.Event()
    worker = threading.Thread(target=traffic.run, args=(options.rate or 20,), kwargs={"until": stopped.is_set})
    worker.start()
    busy = 0
    try:
        for _ in range(times):
            time.sleep(options.random.uniform(1, 3))
            wait_until(lambda: traffic.in_flight, 10, "a request under way", 0.001)
            busy += 1
            pids = {name: stack.kill(name) for name in stack.processes}
            began = time.monotonic()
            for name, pid in pids.items():
                wait_until(lambda: stack.is_new(name, pid) and stack.is_ready(name), 90, f"the return of {name}")
            slowest = max(slowest, time.monotonic() - began)
    finally:
        stopped.set()
        worker.join()
    stack.wait_quiet(180)
    clean, dead = traffic.verdicts(), stack.dead_letters()
    return clean and not dead and slowest <= 60, f"{times} times everything, {busy} with requests under way, healthy after {slowest:.1f}/60 s, dead {dead}/0"


def sockets_of(url, tokens, count, pipe):
    """Opens so many sockets, waits for their end, and opens them again when told; in a process of its own, so that its work is none of others' time."""
    opened = []

    async def connect():
        while True:
            try:
                return opened.append(await Connection.open(url, {"token": random.choice(tokens)}, lambda *_: None))
            except (OSError, TimeoutError, NotConnected):
                # As Socket.IO clients wait.
                await asyncio.sleep(random.uniform(0.5, 3))

    async def come_back():
        for start in range(0, count, 50):
            await asyncio.gather(*(connect() for _ in range(min(50, count - start))))
        pipe.send("open")
        first = list(opened)
        opened.clear()
        for one in first:
            await one.closed
        pipe.send("closed")
        await asyncio.to_thread(pipe.recv)
        began = time.monotonic()
        await asyncio.gather(*(connect() for _ in range(count)))
        pipe.send(time.monotonic() - began)
        await asyncio.to_thread(pipe.recv)
        for one in opened:
            one.abort()

    asyncio.run(come_back())


def herd(stack, options):
    """F37, smaller: many sockets come back after a gateway's restart while others use the API."""
    count = options.times or (200 if options.short else 1000)
    traffic = Traffic(stack, options.random, kinds=("reply",)).prepare()
    gateway = stack.copies("gateway")[0]
    traffic.patience = 60
    here, there = multiprocessing.Pipe()
    tokens = [account.token for account in traffic.accounts.values()]
    crowd = multiprocessing.get_context("fork").Process(target=sockets_of, args=(stack.base_urls[0], tokens, count, there))
    crowd.start()
    try:
        expect(here, "open", 120)
        stack.stop(gateway)
        stack.start(gateway)
        stack.wait_ready(gateway)
        expect(here, "closed", 60)
        # The same without the crowd: what this machine can do.
        traffic.latencies.clear()
        first = traffic.run(10, seconds=10)
        alone = traffic.percentile(0.99)
        traffic.latencies.clear()
        here.send("go")
        traffic.run(10, seconds=20, first=first)
        taken = here.recv() if here.poll(120) else float("inf")
        late, middle = traffic.percentile(0.99), traffic.percentile(0.5)
        here.send("end")
    finally:
        crowd.join(30)
        crowd.kill()
    stack.wait_quiet()
    limit = 0.5 * options.slack
    clean = traffic.verdicts(("posts", "notifications"))
    return clean and taken <= 30 and late <= limit, (
        f"{count} sockets back in {taken:.1f}/30 s, API p99 meanwhile {late:.2f}/{limit:g} s, median {middle:.2f} s, p99 without them {alone:.2f} s"
    )


def expect(pipe, word, seconds):
    if not pipe.poll(seconds) or pipe.recv() != word:
        raise Failed(f"the sockets are not {word} after {seconds} s")
