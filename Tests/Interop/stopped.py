# SPDX-License-Identifier: MIT
"""A writer with MSAL Python is stopped or killed in the middle of its write: the effects on Tessera."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from crowd import PEOPLE, sign_in
from scene import Scene
from workers import KINDS

from examples import expect

SECONDS = 3.0
"""The time for which a writer is stopped: longer than any wait for a file without a writer."""


def stopped(scene: Scene, name: str, share: float) -> subprocess.Popen[str]:
    """Returns a writer of MSAL Python that holds the lock and has written a share of the file."""
    writer = scene.theirs("stop", name, str(share))
    seen = os.waitid(os.P_PID, writer.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    state = scene.state()
    if seen is None or seen.si_code != os.CLD_STOPPED or state != ("torn" if share else "empty"):
        writer.kill()
        writer.communicate()
        expect(False, f"the writer was not stopped where it should be: {seen}, {state}")
    return writer


def request(home: str, **more: Any) -> dict[str, Any]:
    """Returns a request for the existing token."""
    return {"home_account_id": home, "scopes": ["User.Read"], **more}


def continued(folder: Path) -> str:
    """Readers and a writer of ours wait until a stopped writer has continued, and all written tokens exist."""
    worst = 0.0
    with Scene(folder, "--no-rotation") as scene:
        scene.fill(60)
        home = sign_in(scene.configuration, scene.provider, PEOPLE[0])
        for name, share in (("empty", 0.0), ("half", 0.5)):
            readers = [scene.ours(kind) for kind in KINDS]
            storing = scene.ours()
            writer = stopped(scene, name, share)
            try:
                for reader in readers:
                    reader.send_command("ask", 1, request(home))
                storing.send_command("ask", 1, request(home, force_refresh=True))
                time.sleep(SECONDS)
                resumed = time.monotonic_ns()
            finally:
                writer.send_signal(signal.SIGCONT)
            printed = writer.communicate(timeout=60)[0]
            expect(printed == "wrote 0\n", f"the writer printed {printed!r}")
            scene.worker_pool.wait_until_done(*readers, storing)
            for reader in readers:
                (answer,) = reader.take()
                expect(
                    answer.kind == "cached" and answer.end > resumed,
                    f"{name}, {reader.kind}: {answer.kind} {answer.text[:160]}",
                )
                worst = max(worst, (answer.end - resumed) / 1e9)
            (answer,) = storing.take()
            expect(answer.kind == "fetched", f"{name}: {answer.kind} {answer.text[:160]}")
            check(scene, f"{name}.0", answer.text.split()[0])
    return f"read {worst:.2f} s after the end of the stop at worst"


def check(scene: Scene, target: str, secret: str) -> None:
    """Checks that the file contains the tokens of both, and that no other file is left."""
    entries = json.loads(scene.file.read_bytes())["AccessToken"].values()
    expect(any(each["target"] == target for each in entries), f"{target} is lost")
    expect(any(each["secret"] == secret for each in entries), "the token of Tessera is lost")
    left = [each.name for each in scene.file.parent.glob(f"{scene.file.name}?*")]
    expect(not left, f"there are left {left}")


def killed(folder: Path) -> str:
    """The file of a killed writer counts as damaged after a while; the next sign-in quarantines it."""
    with Scene(folder, "--no-rotation") as scene:
        scene.fill(60)
        home = sign_in(scene.configuration, scene.provider, PEOPLE[0])
        reader = scene.ours()
        writer = stopped(scene, "half", 0.5)
        writer.kill()
        writer.communicate()
        torn = scene.file.read_bytes()
        reader.send_command("ask", 1, request(home))
        scene.worker_pool.wait_until_done(reader)
        (answer,) = reader.take()
        expect("cache_damaged" in answer.text, f"{answer.kind} {answer.text[:160]}")
        expect(scene.file.read_bytes() == torn, "the damaged file was changed by a reader")
        sign_in(scene.configuration, scene.provider, PEOPLE[0])
        expect(scene.state() == "whole", "the file is not whole")
        copies = list(scene.file.parent.glob(f"{scene.file.name}.damaged-*"))
        expect([each.read_bytes() for each in copies] == [torn], f"the copies are {copies}")
        expect(not scene.lock.exists(), "a lock file is left")
    return f"reported after {(answer.end - answer.start) / 1e9:.1f} s"


STOPPED = {
    "a writer of the peer that is stopped in the middle, and goes on": continued,
    "a writer of the peer that is killed in the middle": killed,
}
