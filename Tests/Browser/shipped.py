# SPDX-License-Identifier: MIT
"""The examples that sign in with a browser, built as for users, and the users of the two providers."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from chromium import Chromium
from registration import CLIENT, PASSWORD, USERNAME
from server import Glewlwyd

from provider import Provider

ROOT = Path(__file__).resolve().parents[2]
STAGE = ROOT / "build/shipped"
LANGUAGES = ("python", "c", "swift")
Picture = Callable[[Chromium, str], None]
"""Stores a screenshot of a browser under a name."""


def build() -> None:
    """Builds the examples in C with an installed library, like a user."""
    subprocess.run([ROOT / "scripts/install", STAGE, "library"], check=True)
    (STAGE / "bin").mkdir(exist_ok=True)
    subprocess.run(
        ["make", "--silent", "-C", ROOT / "examples/c", f"OUTPUT={STAGE / 'bin'}"], check=True,
        env={**os.environ, "PKG_CONFIG_PATH": str(STAGE / "lib/pkgconfig")},
    )  # fmt: skip


def command(language: str, options: dict[str, str]) -> list[str]:
    """Returns the command of the example in a language."""
    programs = {
        "python": [sys.executable, str(ROOT / "examples/python/sign_in_browser.py")],
        "c": [str(STAGE / "bin/sign_in_browser")],
        "swift": [str(ROOT / "build/swift-release/release/sign_in_browser")],
    }
    return [*programs[language], *[word for each in options.items() for word in each], "--json"]


def environment() -> dict[str, str]:
    """Returns the environment with which the examples find the library."""
    found = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return {
        **found, "PYTHONPATH": str(ROOT / "bindings/python/src"),
        "TESSERA_LIBRARY": str(STAGE / "lib/libtessera.so"),
        "LD_LIBRARY_PATH": str(STAGE / "lib"), "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }  # fmt: skip


class Place:
    """A provider and its user."""

    username: str
    options: dict[str, str]
    browser_options: list[str]

    def sign_in(self, browser: Chromium, picture: Picture) -> None:
        """Signs in on the pages of the provider."""
        raise NotImplementedError


class LocalPlace(Place):
    """The local provider and its user."""

    username = "alice@contoso.com"

    def __init__(self, provider: Provider) -> None:
        self.options = {
            "--client-id": "client", "--authority": provider.entra_authority,
            "--authority-type": "entra", "--scope": "User.Read",
        }  # fmt: skip
        self.browser_options = []

    def sign_in(self, browser: Chromium, picture: Picture) -> None:
        """Signs in on the pages of the provider."""
        browser.click(f"button.account[value='{self.username}']")
        browser.wait_for("document.querySelector('#accept')")
        picture(browser, "consent")
        browser.click("#accept")


class GlewlwydPlace(Place):
    """A glewlwyd and its user Alice."""

    username = USERNAME

    def __init__(self, server: Glewlwyd) -> None:
        self.options = {
            "--client-id": CLIENT, "--authority": server.issuer("main"), "--scope": "api.read",
            "--ca-file": str(server.ca_file), "--redirect-uri": server.redirect_uri,
        }  # fmt: skip
        # Accept only this self-signed certificate.
        self.browser_options = [f"--ignore-certificate-errors-spki-list={_pin(server.certificate_file)}"]

    def sign_in(self, browser: Chromium, picture: Picture) -> None:
        """Signs in on the pages of the provider."""
        browser.type("#username", USERNAME)
        browser.type("#password", PASSWORD)
        browser.wait_for(f"document.querySelector('#username').value === '{USERNAME}'")
        picture(browser, "person")
        browser.click("#loginbut")
        browser.wait_for("document.querySelector('[id=\"grant-api.read\"]')")
        browser.evaluate("document.querySelectorAll('input[id^=grant]').forEach(box => box.click())")
        browser.wait_for("document.querySelectorAll('input[id^=grant]:checked').length >= 3")
        picture(browser, "consent")
        browser.click("button.btn-primary")
        browser.wait_for("!document.querySelector('[id=\"grant-api.read\"]')")
        browser.click("button.btn-success")


@contextmanager
def local(_folder: Path) -> Iterator[Place]:
    """A local provider for one sign-in."""
    with Provider() as provider:
        yield LocalPlace(provider)


@contextmanager
def glewlwyd(folder: Path) -> Iterator[Place]:
    """A glewlwyd for one sign-in."""
    folder.mkdir()
    server = Glewlwyd(folder, {"main": 3600})
    try:
        yield GlewlwydPlace(server)
    finally:
        server.stop()


PLACES = {"local": local, "glewlwyd": glewlwyd}


def _pin(certificate: Path) -> str:
    """Returns the hash of the public key of a certificate, in Chromium's format."""
    words = ["openssl", "x509", "-in", str(certificate), "-noout", "-pubkey"]
    key = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    der = base64.b64decode("".join(key.splitlines()[1:-1]))
    return base64.b64encode(hashlib.sha256(der).digest()).decode()
