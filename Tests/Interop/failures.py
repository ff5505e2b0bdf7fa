# SPDX-License-Identifier: MIT
"""Failures of MSAL Python with msal-extensions, and the same situations with Tessera."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peer
import peer_program
from crowd import CLIENT, PEOPLE, seed, sign_in, size
from scene import HOST, Scene
from workers import KINDS, Worker, version

from examples import expect

AUTHORITY = f"https://{HOST}/organizations"
MANY = size()[0] == 200
"""Whether this is the long form."""


def killed_writers(folder: Path) -> str:
    """E2: a busy writer of a file of 100 KB is killed repeatedly at random moments."""
    trials = 120 if MANY else 15
    rng = random.Random(seed())
    with Scene(folder, "--no-rotation") as scene:
        seen: Counter[str] = Counter()
        for _ in range(trials):
            scene.fill(60)
            process = scene.theirs("write", "busy", "0")
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(rng.random() * 0.03)
            process.kill()
            process.communicate()
            seen[scene.state()] += 1
            seen["lock left"] += scene.lock.exists()
        scene.fill(60)
        home = sign_in(scene.configuration, scene.provider, PEOPLE[0])
        ours, waited = ours_killed(scene, home, trials, rng)
    damaged = f"{seen['torn'] + seen['empty']} of {trials} files unreadable, {seen['empty']} of them empty"
    return (
        f"peer: {damaged}, {seen['lock left']} locks left; Tessera: {ours['torn'] + ours['empty']} of {trials},"
        f" next writer after {waited * 1000:.0f} ms at most"
    )


def ours_killed(
    scene: Scene, home: str, trials: int, rng: random.Random
) -> tuple[Counter[str], float]:
    """Returns the states of the file after our writers were killed, and the longest time of the next writer."""
    seen: Counter[str] = Counter()
    worst = 0.0
    request = {"home_account_id": home, "scopes": ["User.Read"], "force_refresh": True}
    next_one = scene.ours()
    for _ in range(trials):
        worker = scene.ours()
        worker.send_command("ask", 0, request)
        scene.worker_pool.wait(lambda worker=worker: bool(worker.answers), "a write")  # type: ignore[misc]
        time.sleep(rng.random() * 0.03)
        scene.worker_pool.remove(worker)
        seen[scene.state()] += 1
        newest = max(
            version(each.text.split()[0]) for each in worker.take() if each.kind == "fetched"
        )
        began = time.monotonic()
        next_one.send_command("ask", 1, request)
        scene.worker_pool.wait_until_done(next_one)
        worst = max(worst, time.monotonic() - began)
        (answer,) = next_one.take()
        expect(
            answer.kind == "fetched" and answer.version > newest,
            f"then {answer.kind} {answer.text[:100]}",
        )
        expect(not scene.lock.exists(), "the lock is left")
    expect(not seen["torn"] and not seen["empty"], f"the file was {dict(seen)}")
    return seen, worst


def held_lock(folder: Path) -> str:
    """E5: another program holds the lock for eight seconds, like msal-node-extensions."""
    seconds = 8.0
    with Scene(folder, "--no-rotation") as scene:
        scene.fill(60)
        home = sign_in(scene.configuration, scene.provider, PEOPLE[0])

        def theirs() -> str:
            process = scene.theirs("write", "busy", "1")
            assert process.stdout is not None
            return process.stdout.readline().strip()

        def ours() -> str:
            worker = scene.ours()
            worker.send_command(
                "ask", 1, {"home_account_id": home, "scopes": ["User.Read"], "force_refresh": True}
            )
            scene.worker_pool.wait_until_done(worker)
            (answer,) = worker.take()
            return answer.kind

        them = held(scene, seconds, theirs)
        us = held(scene, seconds, ours)
        expect(us[0] >= seconds and us[1] == "fetched", f"Tessera returned {us[1]} after {us[0]:.1f} s")
        return f"peer: {them[1]!r} after {them[0]:.1f} s; Tessera: stored after {us[0]:.1f} s"


def held(scene: Scene, seconds: float, act: Callable[[], str]) -> tuple[float, str]:
    """Returns the time and the result of a writer while another program holds the lock."""
    scene.lock.unlink(missing_ok=True)
    descriptor = os.open(scene.lock, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
    os.write(descriptor, str(os.getpid()).encode())
    number = os.fstat(descriptor).st_ino
    stolen = []

    def leave() -> None:
        stolen.append(not scene.lock.exists() or scene.lock.stat().st_ino != number)
        scene.lock.unlink(missing_ok=True)

    timer = threading.Timer(seconds, leave)
    began = time.monotonic()
    timer.start()
    try:
        printed = act()
        waited = time.monotonic() - began
    finally:
        timer.join()
        os.close(descriptor)
    expect(not stolen[0], "the lock of another program was removed")
    return waited, printed


def many_refreshes(folder: Path) -> str:
    """E6: many programs request a token at once, with refresh tokens that are rotated."""
    count = 32 if MANY else 8
    with Scene(folder, origin=f"https://{HOST}") as scene:
        theirs = they_refresh(scene, count)
    with Scene(folder) as scene:
        scene.file.unlink()
        home = sign_in(scene.configuration, scene.provider, PEOPLE[0])
        ours = we_refresh(scene, home, count)
    expect(ours == (1, count, 0), f"Tessera: requests, tokens, reuses are {ours}")
    printed = "{} requests, {} tokens, {} refresh tokens used twice"
    return f"{count} programs; peer: {printed.format(*theirs)}; Tessera: {printed.format(*ours)}"


def they_refresh(scene: Scene, count: int) -> tuple[int, int, int]:
    """Returns requests, tokens and reuses with MSAL Python."""
    network = peer_program.Direct(HOST, scene.provider.control.removesuffix("/_control"))
    application = peer.public(scene.file, CLIENT, AUTHORITY, network)
    flow = application.initiate_device_flow(["User.Read"])
    scene.provider.approve(flow["user_code"], PEOPLE[0])
    peer.expect_token(
        application.acquire_token_by_device_flow({**flow, "interval": 0}), "identity_provider"
    )
    scene.expire()
    before = scene.provider.counts()
    address = scene.provider.control.removesuffix("/_control")
    programs = [
        scene.theirs("refresh", CLIENT, AUTHORITY, address, "User.Read") for _ in range(count)
    ]
    for program in programs:
        assert program.stdout is not None
        program.stdout.readline()
    outcomes: Counter[str] = Counter()
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("now\n")
        program.stdin.flush()
    for program in programs:
        outcomes[program.communicate(timeout=120)[0].strip()] += 1
    return outcome(scene, before, outcomes["cache"] + outcomes["identity_provider"])


def we_refresh(scene: Scene, home: str, count: int) -> tuple[int, int, int]:
    """Returns requests, tokens and reuses with Tessera."""
    scene.expire()
    before = scene.provider.counts()
    kinds = list(KINDS)
    workers = [scene.worker_pool.start(kinds[n % len(kinds)], scene.configuration) for n in range(count)]
    scene.worker_pool.wait_until_ready()
    at = time.monotonic_ns() + 300_000_000
    for worker in workers:
        worker.send_command("ask", 1, {"home_account_id": home, "scopes": ["User.Read"]}, at)
    scene.worker_pool.wait_until_done()
    kinds_of_answers = Counter(answer.kind for worker in workers for answer in worker.take())
    return outcome(scene, before, kinds_of_answers["fetched"] + kinds_of_answers["cached"])


def outcome(scene: Scene, before: dict[str, Any], tokens: int) -> tuple[int, int, int]:
    """Returns requests, tokens and reuses since `before`."""
    after = scene.provider.counts()
    requests = after["token_requests"]["refresh_token"] - before["token_requests"].get(
        "refresh_token", 0
    )
    return requests, tokens, after["refresh_token_reuses"] - before["refresh_token_reuses"]


def rewritten(folder: Path) -> str:
    """E7: new programs read a file of 1 MB that two writers rewrite continuously."""
    seconds = 30.0 if MANY else 5.0
    with Scene(folder, "--no-rotation") as scene:
        scene.fill(700)
        writers = [scene.theirs("write", f"busy{n}", "0") for n in range(2)]
        reader = scene.theirs("read", str(seconds), "0.005")
        found = json.loads(reader.communicate()[0])
        blind = f"{found['missed']} of {found['reads']} reads found nothing, worst {found['worst']:.2f} s"
        for writer in writers:
            writer.kill()
            writer.communicate()
        scene.fill(700)
        homes = [sign_in(scene.configuration, scene.provider, person) for person in PEOPLE[:3]]
        alone = we_read(scene, homes, seconds, peers=0)
        beside = we_read(scene, homes, seconds, peers=2)
    figures = "0 of {}, worst {:.2f} s"
    return f"peer: {blind}; Tessera: {figures.format(*alone)}; with writers of the peer {figures.format(*beside)}"


def we_read(scene: Scene, homes: list[str], seconds: float, *, peers: int) -> tuple[int, float]:
    """Returns the number of reads and the longest one; each must find the token."""
    reader = scene.ours()
    writers: list[Any] = []
    if peers:
        writers = [scene.theirs("write", f"beside{n}", "0") for n in range(peers)]
    else:
        for home in homes[1:]:
            writers.append(scene.ours())
            writers[-1].send_command(
                "ask", 0, {"home_account_id": home, "scopes": ["User.Read"], "force_refresh": True}
            )
    reader.send_command("fresh", 0, {"home_account_id": homes[0], "scopes": ["User.Read"]})
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        scene.worker_pool.listen(0.1)
    reader.send_command("stop", 0, {})
    scene.worker_pool.wait_until_done(reader)
    for writer in writers:
        if isinstance(writer, Worker):
            scene.worker_pool.remove(writer)
        else:
            writer.kill()
            writer.communicate()
    wrong = [each for each in reader.take() if each.kind != "cached"]
    expect(not wrong, f"a reader saw {[(each.kind, each.text[:120]) for each in wrong[:3]]}")
    longest, *buckets = reader.times[-1].split()
    return sum(int(each.split(":")[1]) for each in buckets), int(longest) / 1e9


FAILURES = {
    "E2, killed writers": killed_writers,
    "E5, a lock that another program holds": held_lock,
    "E6, many refreshes at once": many_refreshes,
    "E7, readers beside writers": rewritten,
}
