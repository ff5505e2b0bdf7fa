# SPDX-License-Identifier: MIT
"""Cases without the library: navigation, trust and storage of the web view."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping

from bench import HELPER, REDIRECT, ROOT, Bench
from certificates import make_certificates
from helper import Helper
from interceptor import AUTHORITY, Interceptor
from sites import ELSEWHERE, Site

ANSWER = "answer {redirect}?code=c&state=s"
WRONG = (
    "", "hello\n\n", "tessera-webview 2\n\n", "tessera-webview 1\npage x\n\n", "\0" * 200_000,
)  # fmt: skip


def trap(bench: Bench, path: str, expected: str, redirect: str = REDIRECT) -> None:
    """Opens a page with a redirect, and checks the first line of the web view."""
    with Site(redirect) as site, Helper(HELPER, bench.environment) as helper:
        helper.ask(site.address(path), redirect)
        line = helper.line()
        assert line in expected.format(redirect=redirect).split(" | "), line
        time.sleep(0.3)
        assert len(bench.screen.windows()) <= 1, bench.screen.windows()
        assert not [each for each in site.requests if each.startswith(ELSEWHERE)], site.requests
        assert not [each for each in site.requests if "callback" in each], site.requests
        assert "127.0.0.1:/away" not in site.requests
        assert not list(bench.home.rglob("*loot*"))


def cookies(bench: Bench) -> None:
    """Cookies are stored on request; otherwise they are neither stored nor used."""
    with Site(REDIRECT) as site:
        for session in ("ephemeral", "ephemeral", "shared", "shared", "ephemeral"):
            with Helper(HELPER, bench.environment) as helper:
                helper.ask(site.address("/cookie"), REDIRECT, session)
                assert helper.line().startswith("answer")
        assert site.cookies == ["", "", "", "seen=yes", ""], site.cookies
    folder = bench.home / ".local/share/tessera/webview"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.rglob("*"))


def trust(bench: Bench) -> None:
    """Unknown certificates are rejected, unless a file contains their authority."""
    folder = bench.home.parent / "certificates"
    (folder / "other").mkdir(parents=True)
    known, other = make_certificates(folder), make_certificates(folder / "other", "Another issuer")
    with Site(REDIRECT, known) as site:
        page = site.address("/answer-script")
        refused = f"untrusted {site.place} CN=Authority of a test"
        fields: Mapping[str, object]
        for fields, expected in (
            ({}, refused), ({"trust": other.ca_file}, refused), ({"trust": "/nowhere"}, refused),
            ({"trust": known.ca_file}, ANSWER.format(redirect=REDIRECT)),
        ):  # fmt: skip
            with Helper(HELPER, bench.environment) as helper:
                helper.ask(page, REDIRECT, others=fields)
                assert helper.line() == expected, (fields, expected)
            assert bool(site.requests) is (expected != refused), site.requests


def proxies(bench: Bench) -> None:
    """The proxy of the settings is used, except for excluded hosts."""
    folder = bench.home.parent / "certificates"
    folder.mkdir()
    known = make_certificates(folder)
    with Site(REDIRECT, known) as site, Interceptor(folder / "proxy", known.ca_file) as proxy:
        fields: Mapping[str, object]
        for fields, is_used in (
            ({"trust": proxy.ca_file, "proxy": proxy.address}, True),
            ({"trust": known.ca_file, "proxy": proxy.address, "direct": "example.com, localhost"}, False),
            ({"trust": known.ca_file, "proxy": ""}, False),
        ):
            with Helper(HELPER, bench.environment) as helper:
                helper.ask(site.address("/answer-script"), REDIRECT, others=fields)
                assert helper.line() == ANSWER.format(redirect=REDIRECT), fields
            assert bool(proxy.connects) is is_used, (fields, proxy.connects)
            proxy.connects.clear()
        with Helper(HELPER, bench.environment) as helper:
            helper.ask(site.address("/answer"), REDIRECT, others={"proxy": proxy.address})
            assert helper.line() == f"untrusted {site.place} CN={AUTHORITY}"


def wrong_requests(bench: Bench) -> None:
    """An invalid request ends the web view with a message, and without a window."""
    for text in WRONG:
        with Helper(HELPER, bench.environment) as helper:
            helper.write(text)
            assert helper.line().startswith("unavailable its version differs"), text[:40]


def addresses(_bench: Bench) -> None:
    """The table of addresses, without a window."""
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ.get("CC", "gcc"), "-Wall", "-Wextra", "-Werror", "-o", f"{folder}/addresses"]
        sources = [ROOT / "Tests/WebView/addresses.c", ROOT / "WebView/address.c"]
        subprocess.run([*command, *sources], check=True)
        subprocess.run([f"{folder}/addresses"], check=True)
