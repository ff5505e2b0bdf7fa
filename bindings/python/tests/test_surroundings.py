# SPDX-License-Identifier: MIT
"""Hosts that close what is not theirs, and that may write nothing: each in a child, which it happens to."""

from __future__ import annotations

import os
import resource
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from real import CLIENT, SCOPES, application, needs_library, provider, running, settings, sign_in
from tessera import PublicClientApplication, TesseraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from provider import Provider

pytestmark = needs_library

__all__ = ["application", "provider", "running", "settings"]


def _holds_in_child(work: Callable[[], bool]) -> bool:
    child = os.fork()
    if child == 0:
        try:
            good = work()
        except BaseException:
            good = False
        os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1] == 0


def _open_own_files(directory: Path) -> list[Path]:
    paths = [directory / f"own {number}" for number in range(16)]
    for path in paths:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
        os.write(descriptor, b"mine")
    return paths


def test_host_closes_all_descriptors(
    settings: dict[str, Any], provider: Provider, tmp_path: Path
) -> None:
    """Their numbers lead to files of the host then, which stay as they are, and the store stays whole."""

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

    assert _holds_in_child(work)


def test_host_that_may_write_nothing_gets_its_token(
    application: PublicClientApplication, settings: dict[str, Any], provider: Provider
) -> None:
    """A limit of no bytes a file, as programs have that shut themselves in; the log is still read."""
    account = sign_in(application, provider).account
    application.close()

    def work() -> bool:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        with PublicClientApplication(CLIENT, **settings) as new:
            return new.acquire_token_silent(SCOPES, account=account).source == "cache"

    assert _holds_in_child(work)


def test_refresh_token_is_kept_where_no_descriptor_is_left(
    application: PublicClientApplication, settings: dict[str, Any], provider: Provider
) -> None:
    """What the store could not take must not be asked for: others would show the old token again."""
    account = sign_in(application, provider).account
    application.close()

    def work(left: int) -> bool:
        # The descriptors below the limit are taken, all but some.
        taken = [os.open("/dev/null", os.O_RDONLY) for _ in range(32)]
        resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1] + 1, taken[-1] + 1))
        for descriptor in taken[len(taken) - left :]:
            os.close(descriptor)
        with PublicClientApplication(CLIENT, **settings) as new:
            try:
                new.acquire_token_silent(SCOPES, account=account, force_refresh=True)
            except TesseraError as error:
                return error.code in ("store_busy", "key_unavailable", "network_failed")
            return True

    for left in range(12):
        assert _holds_in_child(partial(work, left)), left
    with PublicClientApplication(CLIENT, **settings) as last:
        last.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    assert provider.count("refresh_token_reuses") == 0


def _interactive_code(application: PublicClientApplication) -> str:
    """The code with which a sign-in ends that nobody completes."""
    try:
        application.acquire_token_interactive(
            SCOPES, browser="show", prompt=lambda _prompt: None, timeout=0.2
        )
    except TesseraError as error:
        return error.code
    raise AssertionError("somebody has signed in")


def test_sign_in_without_a_descriptor_is_told_so(settings: dict[str, Any]) -> None:
    """Whatever it is that finds none: the way to end the wait, or either of the two listeners."""

    def work() -> bool:
        application = PublicClientApplication(CLIENT, **settings)
        # What is made once is made now.
        assert _interactive_code(application) == "deadline_exceeded"
        # Python's own thread and the store need none; the descriptors are taken, and come back one by one.
        taken = [os.open("/dev/null", os.O_RDONLY) for _ in range(32)]
        resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1] + 1, taken[-1] + 1))
        codes = []
        for descriptor in taken[:8]:
            codes.append(_interactive_code(application))
            os.close(descriptor)
        there = codes.index("deadline_exceeded")
        return there > 2 and set(codes[:there]) == {"too_many_open_files"}

    assert _holds_in_child(work)


def test_port_that_is_for_root_only_is_told_so(settings: dict[str, Any]) -> None:
    first = int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text())
    if first <= 80:
        pytest.skip("this machine lets everybody listen at port 80")

    def work() -> bool:
        if os.geteuid() == 0:
            os.setuid(65534)
        application = PublicClientApplication(
            CLIENT, redirect_uri="http://localhost:80", **{**settings, "store": "memory"}
        )
        try:
            application.acquire_token_interactive(SCOPES, browser="show", prompt=print)
        except TesseraError as error:
            return (
                error.code == "redirect_port_taken"
                and "not for programs of this user" in error.message
            )
        return False

    assert _holds_in_child(work)
