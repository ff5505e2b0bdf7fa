# SPDX-License-Identifier: MIT
"""Fixtures: one provider for the whole run, Alice, and the examples with a separate token store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import programs
from programs import Programs
from registration import CLIENT
from server import Glewlwyd
from tessera_identity import PublicClientApplication
from user import User

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Applications = Callable[..., PublicClientApplication]
    Examples = Callable[..., Programs]

BRIEF_SECONDS = 4
"""The lifetime of access tokens of the issuer `brief` in seconds."""


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Glewlwyd]:
    """The provider, with an issuer of tokens with a lifetime of an hour, and one of seconds."""
    lifetimes = {"main": 3600, "brief": BRIEF_SECONDS}
    server = Glewlwyd(tmp_path_factory.mktemp("glewlwyd"), lifetimes)
    yield server
    server.stop()


@pytest.fixture
def server(running: Glewlwyd) -> Iterator[Glewlwyd]:
    """The provider; a test may stop it."""
    yield running
    running.stop()
    running.start()


@pytest.fixture
def alice(running: Glewlwyd) -> User:
    """Alice, logged in at the provider."""
    return User(running)


@pytest.fixture
def examples(running: Glewlwyd, tmp_path: Path) -> Examples:
    """Creates the examples of a language for an issuer; all examples of a test share one token store."""

    def make(
        command: Callable[[str], list[str]] = programs.python,
        issuer: str = "main",
        store: Path = tmp_path / "store",
        ca_file: Path | None = running.ca_file,
    ) -> Programs:
        return Programs(command, running.issuer(issuer), store, ca_file)

    return make


@pytest.fixture
def applications(running: Glewlwyd, tmp_path: Path) -> Applications:
    """Creates applications in this process, which share the token store of the test."""

    def make(issuer: str = "main", **settings: Any) -> PublicClientApplication:
        usual: dict[str, Any] = {
            "client_id": CLIENT,
            "authority": running.issuer(issuer),
            "store_directory": tmp_path / "store",
            "ca_file": running.ca_file,
        }
        return PublicClientApplication(**{**usual, **settings})

    return make
