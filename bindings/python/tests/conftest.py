# SPDX-License-Identifier: MIT
"""Fixtures: the binding with the fake library, which must get back all its objects."""

from __future__ import annotations

import gc
import os
import signal
from ctypes import CDLL
from typing import TYPE_CHECKING

import pytest

from fake import Fake, build
from tessera_identity import PublicClientApplication, _calls, _native

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

@pytest.fixture(scope="session", autouse=True)
def own_keys(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Does not use the keyring and the key files of the current user."""
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Enables Ctrl-C even for tests in the background, for which shells ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def fake_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled fake library."""
    return build(tmp_path_factory.mktemp("fake"))


@pytest.fixture
def fake(fake_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """The fake library instead of the real one."""
    monkeypatch.setattr(_native, "_library", _native._declared(CDLL(str(fake_path))))
    library = Fake(fake_path)
    before = library.live_objects
    yield library
    library.release_calls()
    gc.collect()
    assert library.live_objects == before, "something was not freed"
    assert _calls.pending == {}
    assert _calls.queues == {}


@pytest.fixture
def application(fake: Fake) -> Iterator[PublicClientApplication]:
    """An application with the fake library."""
    with PublicClientApplication("client", authority="https://login.example/tenant") as made:
        yield made
