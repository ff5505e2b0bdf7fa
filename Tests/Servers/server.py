# SPDX-License-Identifier: MIT
"""A private glewlwyd: an OpenID provider on a free local port, which leaves no files behind."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ports import free_port

from certificates import make_certificates
from registration import register
from session import ProviderError, Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tessera_identity import TokenResult

_SCHEMA = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
_MODULES = "/usr/lib/glewlwyd"
_SHARED = Path("/usr/share/glewlwyd")
_TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript",
    ".json": "application/json", ".png": "image/png", ".woff2": "font/woff2", ".woff": "font/woff",
    ".ttf": "font/ttf", ".ico": "image/x-icon",
}  # fmt: skip
# No slash at the end of external_url: the addresses of all endpoints would contain two.
_CONFIGURATION = """
port = {port}
bind_address = "127.0.0.1"
external_url = "{origin}"
login_url = "login.html"
api_prefix = "api"
log_mode = "file"
log_level = "INFO"
log_file = "{directory}/log"
cookie_secure = 1
cookie_same_site = "lax"
session_expiration = 3600
session_key = "TESSERA_TEST_SESSION"
admin_session_authentication = "cookie"
profile_session_authentication = "cookie"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "{modules}/user"
client_module_path = "{modules}/client"
user_auth_scheme_module_path = "{modules}/scheme"
plugin_module_path = "{modules}/plugin"
use_secure_connection = true
secure_connection_key_file = "{certificates.server_key}"
secure_connection_pem_file = "{certificates.server_file}"
hash_algorithm = "SHA512"
static_files_path = "{directory}/pages"
static_files_mime_types = ({types})
database = {{ type = "sqlite3"; path = "{directory}/database"; }};
"""


class Glewlwyd:
    """A provider with one user, one application, and a number of issuers.

    It can be stopped and started again: address, keys and state stay the same.
    """

    def __init__(
        self, directory: Path, lifetimes: Mapping[str, int], host: str = "localhost"
    ) -> None:
        """Creates a provider in an empty directory and starts it.

        Args:
            directory: The directory for all of its files.
            lifetimes: The issuers by name, each with the lifetime of its access tokens in seconds.
            host: The host in its addresses; `provider.example` is reached through a proxy only.
        """
        certificates = make_certificates(directory)
        self.ca_file = certificates.ca_file
        self.certificate_file = certificates.server_file
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None
        port = free_port()
        self.origin = f"https://{host}:{port}"
        self.redirect_uri = f"http://localhost:{free_port()}/callback"
        """The redirect URI of the application: this provider compares ports."""
        types = [f'{{ extension = "{end}"; mime_type = "{kind}" }}' for end, kind in _TYPES.items()]
        facts: dict[str, Any] = {
            "port": port, "origin": self.origin, "directory": directory, "types": ", ".join(types),
        }  # fmt: skip
        _make_pages(directory / "pages")
        (directory / "configuration").write_text(
            _CONFIGURATION.format(**facts, modules=_MODULES, certificates=certificates)
        )
        database = sqlite3.connect(directory / "database")
        database.executescript(_SCHEMA.read_text())
        database.close()
        self.start()
        try:
            register(self.session(), directory, self.origin, lifetimes, self.redirect_uri)
        except BaseException:
            self.stop()
            raise

    def issuer(self, name: str) -> str:
        """Returns the address of an issuer, as in its metadata."""
        return f"{self.origin}/api/{name}"

    def session(self) -> Session:
        """Returns a new session without a login."""
        return Session(self.origin, self.ca_file)

    def accepts(self, issuer: str, token: TokenResult) -> bool:
        """Whether an access token is accepted by the issuer's userinfo endpoint."""
        return self.session().opens(f"/api/{issuer}/userinfo", token)

    def start(self) -> None:
        """Starts the provider and waits until it responds."""
        # The system stops it even if this process is killed.
        command = ["setpriv", "--pdeathsig", "TERM", "glewlwyd"]
        with (self._directory / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [*command, "-c", str(self._directory / "configuration")],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        end = time.monotonic() + 20
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise ProviderError(f"glewlwyd does not start:\n{self._last_words()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stops the provider and waits for its end."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _answers(self) -> bool:
        try:
            self.session().call("GET", "/config")
        except OSError:
            return False
        return True

    def _last_words(self) -> str:
        files = [self._directory / name for name in ("log", "output")]
        return "\n".join(each.read_text()[-2000:] for each in files if each.exists())


def _make_pages(directory: Path) -> None:
    """Copies the pages of Debian's package, which has a directory instead of the settings file."""
    shutil.copytree(_SHARED / "webapp", directory, ignore=shutil.ignore_patterns("config.json"))
    shutil.copy(_SHARED / "templates/config.json", directory)
