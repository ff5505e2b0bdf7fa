# SPDX-License-Identifier: MIT
"""Dovecot with token introspection, for IMAP, and a server for sending mail.

The submission service of Dovecot 2.3 accepts no token of usual length: it limits AUTH to 1026 bytes.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import socketserver
import ssl
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from desk import Skipped, until
from services import certificate

from ports import free_port
from provider import Provider

SUBJECT = "Token of the archive"
MESSAGE = f"From: bob@contoso.com\nTo: alice@contoso.com\nSubject: {SUBJECT}\n\nThe mail of Bob.\n"
# Dovecot starts these processes as other users, who must be able to reach its directory.
CONFIGURATION = """
base_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
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
"""
INTROSPECTION = """
introspection_mode = post
introspection_url = {url}
username_attribute = username
active_attribute = active
active_value = true
scope = mail
"""


class Submission:
    """A server for sending mail with STARTTLS (RFC 6409, RFC 4954), which keeps the messages."""

    def __init__(self, endpoint: str, certificate: Path) -> None:
        """Starts the server.

        Args:
            endpoint: The introspection endpoint, with the client ID and the secret.
            certificate: The directory of the certificate.
        """
        self.messages: list[str] = []
        self.mechanisms: list[str] = []
        """The mechanism of each login."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def _send(self, line: str) -> None:
                self.wfile.write(f"{line}\r\n".encode())
                self.wfile.flush()

            def _receive(self) -> str:
                return self.rfile.readline().decode().rstrip("\r\n")

            def handle(self) -> None:
                self._is_secure = self._is_known = False
                self._send("220 localhost")
                line = self._receive()
                while line and line.upper() != "QUIT":
                    command, *words = line.split()
                    respond = getattr(self, f"_{command.lower()}", None)
                    if respond:
                        respond(*words)
                    else:
                        self._send("250 Ok" if self._is_known else "530 5.7.0 Authenticate first")
                    line = self._receive()
                self._send("221 Bye")

            def _ehlo(self, *_names: str) -> None:
                feature = "AUTH XOAUTH2 OAUTHBEARER" if self._is_secure else "STARTTLS"
                self._send(f"250-localhost\r\n250 {feature}")

            def _starttls(self) -> None:
                self._send("220 Ready")
                self.request = context.wrap_socket(self.request, server_side=True)
                self._is_secure = True
                self.setup()

            def _auth(self, mechanism: str, text: str = "") -> None:
                if not text:
                    self._send("334 ")
                    text = self._receive()
                self._is_known = self._is_secure and server.accepts(base64.b64decode(text).decode(), endpoint)
                if self._is_known:
                    server.mechanisms.append(mechanism.upper())
                    self._send("235 2.7.0 Accepted")
                    return
                # The client responds to the error before the server ends the exchange (RFC 7628 section 3.2.3).
                self._send("334 " + base64.b64encode(b'{"status":"invalid_token"}').decode())
                self._receive()
                self._send("535 5.7.8 Refused")

            def _data(self) -> None:
                self._send("354 Send the message")
                message = "\n".join(iter(self._receive, "."))
                if self._is_known:
                    server.messages.append(message)
                self._send("250 Ok" if self._is_known else "530 5.7.0 Authenticate first")

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

            def handle_error(self, *_arguments: object) -> None:
                """Prints nothing about a client that ended a connection."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @staticmethod
    def accepts(message: str, endpoint: str) -> bool:
        """Whether the message of a mechanism has a token of its user for mail."""
        # XOAUTH2 begins with user=, OAUTHBEARER with the header of GS2 (RFC 7628 section 3.1).
        first, *fields = message.split("\x01")
        user = first.removeprefix("user=").removeprefix("n,a=").rstrip(",")
        tokens = [each.removeprefix("auth=Bearer ") for each in fields if each.startswith("auth=Bearer ")]
        if len(tokens) != 1:
            return False
        address = urllib.parse.urlsplit(endpoint)
        credentials = base64.b64encode(f"{address.username}:{address.password}".encode()).decode()
        request = urllib.request.Request(
            f"http://{address.hostname}:{address.port}{address.path}",
            urllib.parse.urlencode({"token": tokens[0]}).encode(), {"Authorization": f"Basic {credentials}"},
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=10) as response:
            members = json.load(response)
        return bool(members["active"]) and members["username"] == user and "mail" in members["scope"].split()

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
        if not shutil.which("dovecot") or not Path("/usr/lib/dovecot/imap").exists():
            raise Skipped("the package dovecot-imapd is missing")
        self.folder = Path(tempfile.mkdtemp(prefix="tessera-mail-"))
        self.folder.chmod(0o755)
        self.imap = free_port()
        self.certificate = certificate(self.folder)
        endpoint = provider.oidc_issuer.replace("://", "://mail:resource-server@") + "/introspect"
        self.submission = Submission(endpoint, self.certificate)
        self._inbox = self.folder / "home/Maildir/new"
        for path in (self._inbox, self._inbox.parent / "cur", self._inbox.parent / "tmp"):
            path.mkdir(parents=True, exist_ok=True)
        (self._inbox / "1.message").write_text(MESSAGE)
        shutil.chown(self.folder / "home", "mail", "mail")
        for path in (self.folder / "home").rglob("*"):
            shutil.chown(path, "mail", "mail")
        (self.folder / "oauth2.conf").write_text(INTROSPECTION.format(url=endpoint))
        configuration = self.folder / "dovecot.conf"
        configuration.write_text(
            CONFIGURATION.format(folder=self.folder, certificate=self.certificate, imap=self.imap)
        )
        self._process = subprocess.Popen(["dovecot", "-F", "-c", configuration], stdin=subprocess.DEVNULL)
        until(lambda: _is_open(self.imap), "Dovecot listens")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(20)
        self.submission.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def mechanisms(self) -> set[str]:
        """The mechanisms of all logins."""
        path = self.folder / "log"
        log = path.read_text() if path.exists() else ""
        return {*re.findall(r"Info: Login: .*method=(\w+)", log), *self.submission.mechanisms}


def _is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
