# SPDX-License-Identifier: MIT
"""Dovecot with token introspection, for IMAP and for sending mail, and a server that receives what it sends."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import socketserver
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from desk import Skipped, until
from services import certificate

from provider import Provider

PACKAGES = ("dovecot-imapd", "dovecot-submissiond")
PROGRAMS = ("/usr/lib/dovecot/imap", "/usr/lib/dovecot/submission")
SUBJECT = "Token of the archive"
MESSAGE = f"From: bob@contoso.com\nTo: alice@contoso.com\nSubject: {SUBJECT}\n\nThe mail of Bob.\n"
# Dovecot starts these processes as other users, who must be able to reach its directory.
CONFIGURATION = """
base_dir = {folder}/run
log_path = {folder}/log
protocols = imap submission
listen = 127.0.0.1
hostname = localhost
ssl = required
ssl_cert = <{certificate}/cert.pem
ssl_key = <{certificate}/key.pem
auth_mechanisms = xoauth2 oauthbearer
auth_failure_delay = 0
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={folder}/home
}}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:~/Maildir
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {imap}
  }}
}}
service submission-login {{
  inet_listener submission {{
    port = {submission}
  }}
}}
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
"""
INTROSPECTION = """
introspection_mode = post
introspection_url = {url}
username_attribute = username
active_attribute = active
active_value = true
scope = mail
"""


class Relay:
    """An SMTP server that keeps what it receives (RFC 5321)."""

    def __init__(self) -> None:
        """Starts the server."""
        self.messages: list[str] = []
        messages = self.messages

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(b"220 localhost\r\n")
                for line in self.rfile:
                    command = line.split()[0].upper() if line.split() else b""
                    if command == b"DATA":
                        self.wfile.write(b"354 Send the message.\r\n")
                        lines = list(iter(self.rfile.readline, b".\r\n"))
                        messages.append(b"".join(lines).decode())
                    self.wfile.write(b"221 Bye\r\n" if command == b"QUIT" else b"250 localhost\r\n")
                    if command == b"QUIT":
                        return

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()


class MailServer:
    """A mail server with one message; a context manager that stops it."""

    def __init__(self, provider: Provider) -> None:
        """Starts the server, which asks the provider about each token."""
        if os.geteuid() != 0:
            raise Skipped("Dovecot requires root")
        missing = [each for each in PROGRAMS if not Path(each).exists()]
        if missing or not shutil.which("dovecot"):
            raise Skipped(f"the packages {', '.join(PACKAGES)} are missing")
        self.folder = Path(tempfile.mkdtemp(prefix="tessera-mail-"))
        self.folder.chmod(0o755)
        self.relay = Relay()
        self.imap, self.submission = _free_ports(2)
        self.certificate = certificate(self.folder)
        self._inbox = self.folder / "home/Maildir/new"
        for path in (self._inbox, self._inbox.parent / "cur", self._inbox.parent / "tmp"):
            path.mkdir(parents=True, exist_ok=True)
        (self._inbox / "1.message").write_text(MESSAGE)
        shutil.chown(self.folder / "home", "mail", "mail")
        for path in (self.folder / "home").rglob("*"):
            shutil.chown(path, "mail", "mail")
        address = provider.oidc_issuer.replace("://", "://mail:resource-server@")
        (self.folder / "oauth2.conf").write_text(INTROSPECTION.format(url=f"{address}/introspect"))
        configuration = self.folder / "dovecot.conf"
        configuration.write_text(CONFIGURATION.format(
            folder=self.folder, certificate=self.certificate, imap=self.imap, submission=self.submission,
            relay=self.relay.port,
        ))  # fmt: skip
        self._process = subprocess.Popen(["dovecot", "-F", "-c", configuration], stdin=subprocess.DEVNULL)
        until(lambda: _is_open(self.imap) and _is_open(self.submission), "Dovecot listens")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(20)
        self.relay.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def log(self) -> str:
        """The log of Dovecot."""
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    def folders(self) -> list[str]:
        """Returns the messages in the folder Sent."""
        return [each.read_text() for each in (self.folder / "home/Maildir/.Sent").glob("*/*") if each.is_file()]


@contextlib.contextmanager
def _bound() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield int(listener.getsockname()[1])


def _free_ports(count: int) -> list[int]:
    """Returns free ports."""
    with contextlib.ExitStack() as stack:
        return [stack.enter_context(_bound()) for _ in range(count)]


def _is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
