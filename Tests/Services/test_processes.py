# SPDX-License-Identifier: MIT
"""Many processes and threads with one store: one request for a token, and one wait for a server that throttles."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from conftest import IS_LONG, SCOPES, configuration
from processes import Processes

if TYPE_CHECKING:
    from pathlib import Path

    from provider import Provider

    from conftest import Services

ROUNDS = 20 if IS_LONG else 3
RETRY_AFTER = 4


def test_one_request_for_an_expired_token(
    services: Services, provider: Provider, tmp_path: Path
) -> None:
    expiring = services()
    with Processes(configuration(provider, tmp_path), [1] * 64 + [64]) as processes:
        for number in range(ROUNDS):
            provider.command("set", access_token_lifetime_seconds=1)
            old = expiring.token_for_client(scopes=SCOPES, force_refresh=True).token
            provider.command("set", access_token_lifetime_seconds=3600)
            time.sleep(1)
            provider.command("reset_counts")
            rows = processes.call(scopes=SCOPES)
            assert len(rows) == 128
            assert {row[0] for row in rows} == {0}, number
            tokens = {row[2] for row in rows}
            assert len(tokens) == 1
            assert old not in tokens
            assert provider.token_requests("client_credentials") == 1


def test_each_tenant_has_its_own_request(provider: Provider, tmp_path: Path) -> None:
    tenants = [f"55555555-5555-4555-8555-{number:012x}" for number in range(50 if IS_LONG else 8)]
    with Processes(configuration(provider, tmp_path), [4] * 4) as processes:
        for tenant in tenants:
            rows = processes.call(scopes=SCOPES, tenant=tenant)
            assert len({row[2] for row in rows}) == 1
    assert provider.token_requests("client_credentials") == len(tenants)


def test_all_processes_obey_retry_after(provider: Provider, tmp_path: Path) -> None:
    with Processes(configuration(provider, tmp_path), [2] * 8) as processes:
        provider.command(
            "limit_token_requests", grant_type="client_credentials", requests=1, seconds=RETRY_AFTER
        )
        for _ in range(2):
            provider.command("reset_counts")
            assert {row[0] for row in processes.call(scopes=SCOPES)} == {0}
            start = time.monotonic()
            rejected: list[object] = []
            while time.monotonic() < start + RETRY_AFTER / 2:
                rows = processes.call(scopes=SCOPES, force_refresh=True)
                rejected += [row[3] for row in rows if row[0] != 0]
            assert rejected, "no call was rejected"
            assert None not in rejected, "a rejection has no delay"
            assert provider.count("early_retries") == 0
            # The cached token is still returned.
            assert {row[1] for row in processes.call(scopes=SCOPES)} == {"cache"}
            time.sleep(max(0, start + RETRY_AFTER + 1 - time.monotonic()))
            rows = processes.call(scopes=SCOPES, force_refresh=True)
            assert provider.count("early_retries") == 0
            assert any(row[0] == 0 for row in rows)
            time.sleep(RETRY_AFTER + 1)
