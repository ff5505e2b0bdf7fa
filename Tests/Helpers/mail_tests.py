# SPDX-License-Identifier: MIT
"""Mail programs with the files of docs/mail.md, and Dovecot, which checks each token by introspection."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from desk import ALICE, CLIENT, ROOT, Desk, Skipped
from mail_server import SUBJECT, MailServer
from services import certificate

PAGE = ROOT / "docs/mail.md"
TRUSTED = "/etc/ssl/certs/ca-certificates.crt"


def _block(heading: str, number: int = 0) -> str:
    """Returns a block of a section of the page."""
    section = re.split(r"^##? ", PAGE.read_text(), flags=re.M)
    (text,) = [each for each in section if each.startswith(f"{heading}\n")]
    blocks: list[str] = re.findall(r"^```\w+\n(.*?)^```$", text, flags=re.M | re.S)
    return blocks[number]


class Mailbox:
    """A user with mail programs, and the mail server."""

    def __init__(self, desk: Desk, server: MailServer) -> None:
        """Creates the mailbox of the user."""
        self.desk, self.server = desk, server
        self.trusted = server.certificate / "cert.pem"
        self.mail = desk.folder / "Mail"
        for name in ("cur", "new", "tmp"):
            (self.mail / name).mkdir(parents=True)

    def sign_in(self) -> None:
        """Stores the profile of the page, for the local provider."""
        words = _block("Mail programs").replace("\\\n", "").split()[1:]
        options = words[: words.index("--scope")]
        options[options.index("your-client-id")] = CLIENT
        authority = ("--authority", self.desk.provider.oidc_issuer)
        with self.desk.approving():
            done = self.desk.run(*options, *authority, "--device-code", "--scope", "mail")
        assert done.returncode == 0, done

    def revoke(self) -> None:
        """Revokes the tokens of the user at the provider."""
        self.desk.provider.command("revoke_refresh_tokens", username=ALICE)

    def filled(self, heading: str, number: int = 0) -> str:
        """Returns a block of the page with the addresses of the test servers and their certificate."""
        imap, submission = f"localhost:{self.server.imap}", f"localhost:{self.server.submission.port}"
        text = _block(heading, number)
        for old, new in (
            ("//outlook.office365.com", f"//{imap}"), ("smtp.office365.com:587", submission),
            ("outlook.office365.com", "localhost"), ("smtp.office365.com", "localhost"),
            ("port 587", f"port {self.server.submission.port}"), (TRUSTED, str(self.trusted)),
        ):  # fmt: skip
            text = text.replace(old, new)
        return text

    def write(self, path: str, text: str) -> Path:
        """Writes a file of the user."""
        file = self.desk.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o600)
        return file

    def run(self, *command: str, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs a program without a terminal."""
        if not shutil.which(command[0]):
            raise Skipped(f"{command[0]} is missing")
        return subprocess.run(
            command, input=given, env=self.desk.environment | variables, capture_output=True, text=True,
            timeout=30, check=False, start_new_session=True, cwd=self.desk.folder,
        )  # fmt: skip

    def received(self) -> list[str]:
        """Returns the messages that a program stored."""
        found = [each for name in ("cur", "new") for each in self.mail.rglob(f"{name}/*")]
        return [each.read_text() for each in found]


class Curl:
    """curl, which lists the mailbox."""

    def run(self, box: Mailbox) -> bool:
        """Whether the program reached the mailbox."""
        self.done = box.run("sh", "-c", box.filled("curl"), CURL_CA_BUNDLE=str(box.trusted))
        assert box.run("curl", "--version").returncode == 0
        return self.done.returncode == 0 and "LIST" in self.done.stdout


class Msmtp:
    """msmtp, which sends a message."""

    mechanism = "xoauth2"

    def run(self, box: Mailbox) -> bool:
        """Whether the program sent the message."""
        before = len(box.server.submission.messages)
        text = box.filled("msmtp").replace("auth xoauth2", f"auth {self.mechanism}")
        box.write(".msmtprc", text.replace("tls on", f"tls on\ntls_trust_file {box.trusted}", 1))
        self.done = box.run("msmtp", "bob@contoso.com", given="Subject: Hello\n\nHello, Bob.\n")
        return self.done.returncode == 0 and len(box.server.submission.messages) == before + 1


class NeoMutt:
    """NeoMutt, which sends a message and reads the mailbox."""

    def run(self, box: Mailbox) -> bool:
        """Whether the program sent a message and read the one of the server."""
        before = len(box.server.submission.messages)
        text = box.filled("NeoMutt")
        text += f'set ssl_ca_certificates_file = "{box.trusted}"\nset wait_key = no\n'
        box.write("config/neomutt/neomuttrc", text)
        self.done = box.run("neomutt", "-s", "Hello", "bob@contoso.com", given="Hello, Bob.\n")
        if self.done.returncode != 0 or len(box.server.submission.messages) != before + 1:
            return False
        return self._reads(box)

    def _reads(self, box: Mailbox) -> bool:
        """Whether the program shows the message of the server to a command of the user."""
        read = box.desk.folder / "read"
        with _at_a_terminal(box, "neomutt") as terminal:
            # Keys are lost before it has opened the mailbox.
            for _ in range(30):
                os.write(terminal, b"|cat >read\n\n")
                time.sleep(1)
                if read.exists() and SUBJECT in read.read_text():
                    return True
        return False


@contextlib.contextmanager
def _at_a_terminal(box: Mailbox, program: str) -> Iterator[int]:
    """Starts a program at a terminal of its own. Yields the side of the user, and ends the program."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(box.desk.folder)
        os.execvpe(program, [program], box.desk.environment | {"TERM": "xterm"})
    reader = threading.Thread(target=_discard, args=(terminal,), daemon=True)
    reader.start()
    try:
        yield terminal
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        reader.join()
        os.close(terminal)


def _discard(terminal: int) -> None:
    """Reads what a program shows until it ends."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass


class Getmail:
    """getmail6, which reads the mailbox."""

    def run(self, box: Mailbox) -> bool:
        """Whether the program stored the message."""
        text = box.filled("getmail6").replace("username", f"port = {box.server.imap}\nusername", 1)
        box.write("config/getmail/getmailrc", text)
        # getmail6 stores no mail as root.
        user = ("unshare", "--user", "--map-user=1000")
        self.done = box.run(*user, "getmail", "--getmaildir", str(box.desk.folder / "config/getmail"))
        return self.done.returncode == 0 and any(SUBJECT in each for each in box.received())


class OfflineIMAP:
    """OfflineIMAP3, which synchronizes the mailbox."""

    def run(self, box: Mailbox) -> bool:
        """Whether the program stored the message."""
        box.write(".offlineimap.py", box.filled("OfflineIMAP3", 1))
        text = box.filled("OfflineIMAP3").replace("remoteuser", f"remoteport = {box.server.imap}\nremoteuser", 1)
        box.write(".offlineimaprc", text)
        self.done = box.run("offlineimap", "-o")
        return self.done.returncode == 0 and any(SUBJECT in each for each in box.received())


class Mbsync:
    """mbsync, which synchronizes the mailbox."""

    def run(self, box: Mailbox) -> bool:
        """Whether the program stored the message."""
        if not list(Path("/usr/lib").glob("*/sasl2/libkdexoauth2.so*")):
            raise Skipped("the package libsasl2-modules-kdexoauth2 is missing")
        text = box.filled("mbsync").replace(
            "SSLType IMAPS", f"SSLType IMAPS\nPort {box.server.imap}\nCertificateFile {box.trusted}", 1
        )
        box.write(".mbsyncrc", text)
        self.done = box.run("mbsync", "contoso")
        return self.done.returncode == 0 and any(SUBJECT in each for each in box.received())


Program = Curl | Msmtp | NeoMutt | Getmail | OfflineIMAP | Mbsync


@contextlib.contextmanager
def _mailbox(desk: Desk) -> Iterator[Mailbox]:
    """Starts the server for a user who has signed in."""
    with MailServer(desk.provider) as server:
        box = Mailbox(desk, server)
        box.sign_in()
        yield box


def _introspections(box: Mailbox) -> int:
    return box.desk.provider.count("introspections")


def _succeeds(program: Program, box: Mailbox, mechanism: str) -> None:
    """Checks that a program logs in with a token, by the expected mechanism."""
    assert program.run(box), program.done
    assert mechanism in box.server.mechanisms, box.server.mechanisms
    assert _introspections(box) > 0


def _fails_without_a_valid_token(program: Program, box: Mailbox, *statuses: int) -> None:
    """Checks that a revoked token is refused, and the status of the program."""
    box.revoke()
    before = _introspections(box)
    assert not program.run(box), program.done
    assert program.done.returncode in statuses, program.done
    assert _introspections(box) > before


def _sends_no_token_to_another_server(program: Program, box: Mailbox) -> None:
    """Checks that a server with another certificate gets no token."""
    before = _introspections(box)
    other = box.desk.folder / "other"
    other.mkdir()
    box.trusted = certificate(other) / "cert.pem"
    assert not program.run(box), program.done
    # The same certificate, for another host.
    box.trusted = box.server.certificate / "cert.pem"
    assert program.done.returncode != 0 and _introspections(box) == before, program.done


def curl_reads_mail(desk: Desk) -> None:
    """With a token, curl reads mail, fails with status 67 if it is revoked, and verifies the server."""
    with _mailbox(desk) as box:
        program = Curl()
        _succeeds(program, box, "OAUTHBEARER")
        _sends_no_token_to_another_server(program, box)
        _fails_without_a_valid_token(program, box, 67)


def msmtp_sends_mail(desk: Desk) -> None:
    """With a token, msmtp sends mail, fails with status 77 if it is revoked, and verifies the server."""
    with _mailbox(desk) as box:
        program = Msmtp()
        _succeeds(program, box, "XOAUTH2")
        program.mechanism = "oauthbearer"
        _succeeds(program, box, "OAUTHBEARER")
        _sends_no_token_to_another_server(program, box)
        _fails_without_a_valid_token(program, box, 77)


def neomutt_sends_and_reads_mail(desk: Desk) -> None:
    """NeoMutt sends and reads mail with a token, fails if it was revoked, and verifies the server."""
    with _mailbox(desk) as box:
        program = NeoMutt()
        _succeeds(program, box, "XOAUTH2")
        _sends_no_token_to_another_server(program, box)
        _fails_without_a_valid_token(program, box, 1)


def getmail_reads_mail(desk: Desk) -> None:
    """getmail6 reads mail with a token, fails if it was revoked, and verifies the server."""
    with _mailbox(desk) as box:
        program = Getmail()
        _succeeds(program, box, "XOAUTH2")
        _sends_no_token_to_another_server(program, box)
        _fails_without_a_valid_token(program, box, 127)


def offlineimap_reads_mail(desk: Desk) -> None:
    """OfflineIMAP3 reads mail with a token, fails if it was revoked, and verifies the server."""
    with _mailbox(desk) as box:
        program = OfflineIMAP()
        _succeeds(program, box, "XOAUTH2")
        _sends_no_token_to_another_server(program, box)
        _fails_without_a_valid_token(program, box, 1)


def mbsync_reads_mail(desk: Desk) -> None:
    """The program mbsync reads mail with a token and the plugin of Debian, and verifies the server."""
    with _mailbox(desk) as box:
        program = Mbsync()
        _succeeds(program, box, "XOAUTH2")
        _sends_no_token_to_another_server(program, box)


def a_mail_program_shows_the_failure(desk: Desk) -> None:
    """Without a sign-in, msmtp fails at once with status 78, and shows the message."""
    with MailServer(desk.provider) as server:
        box, program = Mailbox(desk, server), Msmtp()
        assert not program.run(box), program.done
        assert program.done.returncode == 78, program.done
        assert "profile" in program.done.stderr, program.done
        assert not desk.provider.waiting_codes()


TESTS = [curl_reads_mail, msmtp_sends_mail, neomutt_sends_and_reads_mail, getmail_reads_mail, mbsync_reads_mail]
LONG = [offlineimap_reads_mail, a_mail_program_shows_the_failure]
