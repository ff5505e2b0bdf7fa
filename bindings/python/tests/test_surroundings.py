# SPDX-License-Identifier: MIT
"""Host applications that close descriptors of the library, or cannot write: each in a child process."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from children import succeeds_in_child
from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera_identity import (
    PublicClientApplication,
    RetryLaterError,
    SignInPrompt,
    TesseraError,
    hand_over_url,
)
from tessera_identity.aio import nonblocking_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from provider import Provider

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


def _open_own_files(directory: Path) -> list[Path]:
    paths = [directory / f"own {number}" for number in range(16)]
    for path in paths:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
        os.write(descriptor, b"mine")
    return paths


def test_host_closes_all_descriptors(
    settings: dict[str, Any], provider: Provider, tmp_path: Path
) -> None:
    """Files of the host then reuse the numbers; they are not changed, and the store is intact."""
    # The log file of pytest would reuse them too.
    settings["log"] = lambda _level, _message: None

    def work() -> bool:
        application = PublicClientApplication(CLIENT, **settings)
        account = sign_in(application, provider).account
        application.acquire_token_silent(SCOPES, account=account)
        os.closerange(3, 256)
        own = _open_own_files(tmp_path)
        fresh = application.acquire_token_silent(SCOPES, account=account, force_refresh=True)
        again = application.acquire_token_silent(SCOPES, account=account)
        with PublicClientApplication(CLIENT, **settings) as other:
            seen = other.acquire_token_silent(SCOPES, account=account)
        application.close()
        untouched = all(path.read_bytes() == b"mine" for path in own)
        tokens = {token.access_token for token in (fresh, again, seen)}
        return fresh.persisted and len(tokens) == 1 and untouched

    assert succeeds_in_child(work)


def test_host_that_may_write_nothing_gets_its_token(
    application: PublicClientApplication, settings: dict[str, Any], provider: Provider
) -> None:
    """With a file size limit of 0 bytes, as in sandboxed programs, the write-ahead log is still read."""
    account = sign_in(application, provider).account
    application.close()

    def work() -> bool:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        with PublicClientApplication(CLIENT, **settings) as new:
            return new.acquire_token_silent(SCOPES, account=account).source == "cache"

    assert succeeds_in_child(work)


def _takes_descriptors(left: int) -> None:
    """Leaves some of the descriptors below the limit, which is the last of them."""
    taken = [os.open("/dev/null", os.O_RDONLY) for _ in range(32)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1] + 1, taken[-1] + 1))
    for descriptor in taken[len(taken) - left :]:
        os.close(descriptor)


@pytest.mark.parametrize("redirect_uri", ["http://localhost", "com.example.app://auth"])
def test_a_sign_in_without_a_free_descriptor_is_reported(
    settings: dict[str, Any], tmp_path: Path, redirect_uri: str
) -> None:
    """For each descriptor that cannot be opened, the error reports neither a used port nor a missing directory."""
    settings.update(redirect_uri=redirect_uri, registered_schemes=["com.example.app"])
    state = {"XDG_RUNTIME_DIR": str(tmp_path)}

    def work(left: int) -> bool:
        os.environ.update(state)
        with PublicClientApplication(CLIENT, **settings) as new:
            new.begin_sign_in(SCOPES)
            _takes_descriptors(left)
            shown: list[object] = []
            try:
                new.acquire_token_interactive(
                    SCOPES, browser="show", prompt_callback=shown.append, timeout=0.05
                )
            except TesseraError as error:
                codes = ["deadline_exceeded"] if shown else ["too_many_open_files", "store_busy"]
                return error.code in codes
            return False

    for left in range(2, 14):
        assert succeeds_in_child(partial(work, left)), left


def test_address_is_not_refused_for_want_of_a_descriptor() -> None:
    """A pending sign-in may exist, so the error is not that no sign-in waits for the URL."""

    def work(left: int) -> bool:
        _takes_descriptors(left)
        try:
            hand_over_url("com.example.app://auth?code=c&state=s")
        except TesseraError as error:
            return error.code == ("too_many_open_files" if left < 3 else "state_mismatch")
        return False

    for left in (0, 1, 2, 5, 6):
        assert succeeds_in_child(partial(work, left)), left


def _browser(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a program that acts as the browser, and the file that it writes."""
    path.write_text(f"#!/bin/sh\necho ran >{path}.ran\n")
    path.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(path))
    monkeypatch.setenv("PATH", "/nowhere")
    return path.with_name(path.name + ".ran")


def _cannot_open(application: PublicClientApplication, *, timeout: float) -> bool:
    """Whether a sign-in reports that the browser cannot be opened."""
    prompts: list[SignInPrompt] = []
    with pytest.raises(TesseraError) as caught:
        application.acquire_token_interactive(SCOPES, prompt_callback=prompts.append, timeout=timeout)
    return caught.value.code != "deadline_exceeded" or any(prompt.problem for prompt in prompts)


def _opens_or_says_so(application: PublicClientApplication, ran: Path) -> bool:
    """Whether a sign-in either runs the browser or reports that it cannot; a loaded machine takes its time."""
    for timeout in (0.5, 5, 50):
        is_told = _cannot_open(application, timeout=timeout)
        if is_told or ran.exists():
            return is_told != ran.exists()
    return False


def test_browser_is_opened_with_the_last_descriptors(
    settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser gets none of the host's descriptors."""
    ran = _browser(tmp_path / "browser", monkeypatch)

    def work(left: int) -> bool:
        with PublicClientApplication(CLIENT, **settings) as new:
            new.begin_sign_in(SCOPES)
            _takes_descriptors(left)
            return _opens_or_says_so(new, ran)

    for left in range(2, 12):
        ran.unlink(missing_ok=True)
        assert succeeds_in_child(partial(work, left)), left
    assert ran.exists()


@pytest.fixture
def public_path() -> Iterator[Path]:
    """Creates a directory that all users can write."""
    with tempfile.TemporaryDirectory() as path:
        Path(path).chmod(0o777)
        yield Path(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user without processes")
def test_a_browser_that_cannot_be_started_is_reported(
    settings: dict[str, Any], public_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process limit reached by the launcher of the browser, and by the browser."""
    ran = _browser(public_path / "browser", monkeypatch)
    settings["store"] = "memory"
    settings.pop("store_directory")

    def work(processes: int) -> bool:
        # Ended processes count until they are waited for, so each test has its own user.
        os.setgid(54321)
        os.setuid(random.randrange(20_000, 60_000))
        with PublicClientApplication(CLIENT, **settings) as new:
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
            return _opens_or_says_so(new, ran)

    for processes in (1, 2, 3, 4, 5, 6, 64):
        ran.unlink(missing_ok=True)
        assert succeeds_in_child(partial(work, processes)), processes
    assert ran.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user without processes")
def test_task_without_a_thread_ends_at_once(settings: dict[str, Any]) -> None:
    """It never waits on the thread of the event loop, which has other tasks."""
    settings["store"] = "memory"
    settings.pop("store_directory")

    async def ask(application: PublicClientApplication) -> str:
        with pytest.raises(RetryLaterError) as caught:
            await nonblocking_view(application).acquire_token_by_device_code(SCOPES, prompt_callback=print)
        return str(caught.value.code)

    def work() -> bool:
        with PublicClientApplication(CLIENT, **settings) as new:
            os.setuid(random.randrange(20_000, 60_000))
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
            return asyncio.run(ask(new)) == "too_many_threads"

    assert succeeds_in_child(work)


def test_refresh_token_is_kept_where_no_descriptor_is_left(
    application: PublicClientApplication, settings: dict[str, Any], provider: Provider
) -> None:
    """A token that cannot be stored must not be requested: other programs would use the old one again."""
    account = sign_in(application, provider).account
    application.close()

    def work(left: int) -> bool:
        _takes_descriptors(left)
        with PublicClientApplication(CLIENT, **settings) as new:
            try:
                new.acquire_token_silent(SCOPES, account=account, force_refresh=True)
            except TesseraError as error:
                return error.code in ("store_busy", "key_unavailable", "network_failed")
            return True

    for left in range(12):
        assert succeeds_in_child(partial(work, left)), left
    with PublicClientApplication(CLIENT, **settings) as last:
        last.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert provider.count("refresh_token_reuses") == 0


def test_a_privileged_port_is_reported(settings: dict[str, Any]) -> None:
    first = int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text())
    if first <= 80:
        pytest.skip("every user may listen on port 80 here")

    def work() -> bool:
        if os.geteuid() == 0:
            os.setuid(65534)
        application = PublicClientApplication(
            CLIENT, redirect_uri="http://localhost:80", **{**settings, "store": "memory"}
        )
        try:
            application.acquire_token_interactive(SCOPES, browser="show", prompt_callback=print)
        except TesseraError as error:
            return (
                error.code == "redirect_port_taken"
                and "requires root privileges" in error.message
            )
        return False

    assert succeeds_in_child(work)
