# SPDX-License-Identifier: MIT
"""A certificate that is replaced while services run: no call fails."""

from __future__ import annotations

import os
import shutil
import threading
from typing import TYPE_CHECKING

from conftest import CLIENT, IS_LONG, SCOPES
from keys import make_keys

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

    from conftest import Services
    from keys import KeyFiles

ROTATIONS = 20 if IS_LONG else 4


class Callers:
    """Threads that request new tokens until they are stopped."""

    def __init__(self, services: Services, files: Path, count: int) -> None:
        self.failures: list[object] = []
        self.calls = 0
        self._is_stopped = threading.Event()
        self._first_calls = threading.Barrier(count + 1)
        credential = {
            "certificate_file": str(files / "certificate.pem"),
            "key_file": str(files / "key.pem"),
        }
        self._threads = [
            threading.Thread(target=self._call, args=(services(credential=credential),))
            for _ in range(count)
        ]

    def __enter__(self) -> Callers:
        for thread in self._threads:
            thread.start()
        self._first_calls.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped.set()
        for thread in self._threads:
            thread.join()

    def after_calls(self, count: int) -> None:
        """Waits until the threads have made a number of further calls."""
        end = self.calls + count
        while self.calls < end and not self.failures:
            self._is_stopped.wait(0.005)

    def _call(self, service: object) -> None:
        is_first = True
        while not self._is_stopped.is_set():
            result = service.token_for_client(scopes=SCOPES, force_refresh=True)  # type: ignore[attr-defined]
            if result.status != 0:
                self.failures.append(result.document)
            self.calls += 1
            if is_first:
                self._first_calls.wait(60)
                is_first = False


def _install(keys: KeyFiles, directory: Path) -> None:
    """Replaces both files atomically, the key first."""
    directory.mkdir(exist_ok=True)
    for source in (keys.key, keys.certificate):
        temporary = directory / f"{source.name}.new"
        shutil.copy(source, temporary)
        temporary.rename(directory / source.name)


def test_renewal_before_the_end_of_the_old_certificate(
    services: Services, provider: Provider, keys: KeyFiles, tmp_path: Path
) -> None:
    files = tmp_path / "files"
    _install(keys, files)
    current = keys
    with Callers(services, files, 4) as callers:
        for number in range(ROTATIONS):
            renewed = make_keys(tmp_path / f"renewed-{number}")
            provider.command("register", client_id=CLIENT, certificates=[current.pem, renewed.pem])
            _install(renewed, files)
            callers.after_calls(8)
            provider.command("register", client_id=CLIENT, certificates=[renewed.pem])
            callers.after_calls(8)
            current = renewed
    assert callers.failures == []
    assert callers.calls >= ROTATIONS * 16


def test_rejected_certificate_is_read_again(
    services: Services, provider: Provider, keys: KeyFiles, tmp_path: Path
) -> None:
    """A file that was replaced without another time or file number is read again after the rejection."""
    files = tmp_path / "files"
    _install(keys, files)
    credential = {
        "certificate_file": str(files / "certificate.pem"), "key_file": str(files / "key.pem"),
    }  # fmt: skip
    service = services(credential=credential)
    assert service.token_for_client(scopes=SCOPES).source == "network"
    renewed = make_keys(tmp_path / "renewed")
    for source in (renewed.key, renewed.certificate):
        path = files / source.name
        times = path.stat()
        path.write_text(source.read_text())
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    provider.command("register", client_id=CLIENT, certificates=[renewed.pem])
    provider.command("reset_counts")
    assert service.token_for_client(scopes=SCOPES, force_refresh=True).source == "network"
    assert provider.token_requests("client_credentials") <= 2
    # Once per failure: a certificate that stays wrong is not tried without end.
    provider.command("register", client_id=CLIENT, certificates=[keys.pem])
    provider.command("reset_counts")
    assert service.token_for_client(scopes=SCOPES, force_refresh=True).status != 0
    assert provider.token_requests("client_credentials") <= 2
