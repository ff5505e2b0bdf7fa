# SPDX-License-Identifier: MIT
"""Proxies between a program and its provider: interception, and trusted certificates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import programs
import tessera_identity
from interceptor import AUTHORITY, Interceptor
from server import Glewlwyd
from test_errors import refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Applications, Examples
    from user import User

HOST = "provider.example"
"""The host of the provider: localhost would be reached without a proxy."""

EACH_LANGUAGE = pytest.mark.parametrize("language", programs.LANGUAGES)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Glewlwyd]:
    """A provider that is reached through a proxy only."""
    server = Glewlwyd(tmp_path_factory.mktemp("glewlwyd"), {"main": 3600}, HOST)
    yield server
    server.stop()


@pytest.fixture
def proxy(running: Glewlwyd, tmp_path: Path) -> Iterator[Interceptor]:
    """A proxy with an unknown authority."""
    with Interceptor(tmp_path / "proxy", running.ca_file) as interceptor:
        yield interceptor


@EACH_LANGUAGE
def test_unknown_authority_of_a_proxy_is_named(
    language: Callable[[str], list[str]],
    examples: Examples,
    proxy: Interceptor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    outcome = examples(language).run("sign_in")
    assert outcome.status == 4
    assert AUTHORITY in outcome.complaint
    assert "ca_file" in outcome.complaint
    assert proxy.connects
    # It knows the destination, but reads no request.
    assert not proxy.read


def test_error_has_the_issuer(applications: Applications, proxy: Interceptor) -> None:
    error = refused(applications(proxy=proxy.address), tessera_identity.ConfigurationError)
    assert error.code == "certificate_untrusted"
    assert re.search(f'issued by "CN ?= ?{AUTHORITY}"', error.message)
    assert "SSL_CERT_FILE" in error.message
    (cause,) = error.causes
    assert (cause.domain, cause.number) == ("libcurl", 60)
    assert AUTHORITY in cause.message
    assert not error.retryable


@EACH_LANGUAGE
def test_sign_in_with_the_authority_of_the_proxy(
    language: Callable[[str], list[str]],
    examples: Examples,
    alice: User,
    proxy: Interceptor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    mine = examples(language, ca_file=proxy.ca_file)
    assert mine.sign_in(alice.approve).status == 0
    assert mine.run("get_token", "--force-refresh").status == 0
    assert any(line.startswith("POST ") for line in proxy.read)


@EACH_LANGUAGE
def test_authority_of_the_environment(
    language: Callable[[str], list[str]],
    examples: Examples,
    alice: User,
    proxy: Interceptor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    monkeypatch.setenv("SSL_CERT_FILE", str(proxy.ca_file))
    assert examples(language, ca_file=None).sign_in(alice.approve).status == 0
    assert proxy.read


@pytest.mark.parametrize("variable", ["NO_PROXY", "no_proxy"])
def test_hosts_without_the_proxy(
    variable: str,
    applications: Applications,
    proxy: Interceptor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    monkeypatch.setenv(variable, f"example.com,{HOST}")
    # Without the proxy, the host is not found.
    assert refused(applications(), tessera_identity.RetryLaterError).code == "network_failed"
    assert not proxy.connects


def test_this_machine_is_reached_without_a_proxy(
    applications: Applications,
    running: Glewlwyd,
    proxy: Interceptor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    monkeypatch.setenv("ALL_PROXY", proxy.address)
    local = running.issuer("main").replace(HOST, "localhost")
    for settings in ({}, {"proxy": proxy.address, "no_proxy": ""}):
        # The metadata names the issuer by its other host.
        error = refused(applications(authority=local, **settings), tessera_identity.ConfigurationError)
        assert error.code == "issuer_mismatch"
    assert not proxy.connects


def test_settings_win_over_the_environment(
    applications: Applications, proxy: Interceptor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    settings = {"proxy": proxy.address, "ca_file": proxy.ca_file}
    direct = refused(applications(**settings, no_proxy=HOST), tessera_identity.RetryLaterError)
    assert direct.code == "network_failed"
    assert not proxy.connects
    none = refused(applications(proxy="", ca_file=proxy.ca_file), tessera_identity.RetryLaterError)
    assert none.code == "network_failed"
    assert not proxy.connects


def test_nothing_switches_the_check_off(
    applications: Applications, proxy: Interceptor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".curlrc").write_text("insecure\nproxy-insecure\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CURL_HOME", str(tmp_path))
    for name in ("verify", "insecure", "verify_ssl"):
        with pytest.raises(TypeError):
            applications(**{name: False})
    error = refused(applications(proxy=proxy.address), tessera_identity.ConfigurationError)
    assert error.code == "certificate_untrusted"
