# SPDX-License-Identifier: MIT
"""Fixtures: an end for each test; the binding on the fake library, which must get back all that it handed out."""

from __future__ import annotations

import gc
import os
import signal
from ctypes import CDLL
from typing import TYPE_CHECKING

import pytest

from fake import Fake, build
from tessera import PublicClientApplication, _callbacks, _native
from timeouts import at_most, leave

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STDERR = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep the way to the terminal, before a test's output is caught."""
    config.stash[_STDERR] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End, also if a thread of a test still waits."""
    leave(stderr=config.stash[_STDERR])


@pytest.fixture(autouse=True)
def _ends(pytestconfig: pytest.Config) -> Iterator[None]:
    """A test that waits for ever fails, and says where it waits."""
    with at_most(300, stderr=pytestconfig.stash[_STDERR]):
        yield


@pytest.fixture(scope="session", autouse=True)
def own_keys(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Leave the keyring and the key files of whoever runs the tests alone."""
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Hear Ctrl-C, also where the tests were started in the background, for which shells have it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def fake_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled fake library."""
    return build(tmp_path_factory.mktemp("fake"))


@pytest.fixture
def fake(fake_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """The fake library in the place of the real one."""
    monkeypatch.setattr(_native, "_library", _native._declared(CDLL(str(fake_path))))
    scripts = Fake(fake_path)
    before = scripts.alive
    yield scripts
    scripts.goes_on()
    gc.collect()
    assert scripts.alive == before, "something was not freed"
    assert _callbacks.raised == {}
    assert _callbacks.mailboxes == {}


@pytest.fixture
def application(fake: Fake) -> Iterator[PublicClientApplication]:
    """An application on the fake library."""
    with PublicClientApplication("client", authority="https://login.example/tenant") as made:
        yield made
