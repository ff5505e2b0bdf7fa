# SPDX-License-Identifier: MIT
"""The real Git, of this system and of a newer Debian, with a server that requires a token."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator

import newer
from desk import ALICE, BOB, CLIENT, Desk, Session, until
from services import GitServer, claims_of

PARALLEL = 20


def _command(server: GitServer) -> list[str]:
    """Returns a command of Git that needs a token."""
    return [
        "git", "-c", "credential.helper=", "-c", f"credential.{server.url}.helper=tessera", "ls-remote",
        f"{server.url}/repository.git",
    ]  # fmt: skip


@contextlib.contextmanager
def _listed(desk: Desk, *words: str) -> Iterator[GitServer]:
    """Starts a server, and lists it."""
    with GitServer(desk.folder) as server:
        desk.add("git", server.url, "--allow-http-loopback", *words)
        yield server


def git_gets_a_token(desk: Desk) -> None:
    """Git reads a repository with the token of the signed-in user, and stores it nowhere."""
    with _listed(desk) as server:
        desk.sign_in()
        for command in (_command(server), _command(server)):
            ((status, output, error),) = Session(desk, [command]).results()
            assert status == 0 and "refs/heads/main" in output, error
        assert {each[:2] for each in server.received} <= {("Basic", "oauth2"), ("Bearer", "")}, server.received
        assert len({each[2] for each in server.received}) == 1
        assert claims_of(server.received[0][2])["azp"] == CLIENT


def git_of_a_newer_debian_sends_bearer(desk: Desk) -> None:
    """Git 2.46 or later sends the token by Bearer authentication, or with a login by Basic authentication."""
    system = newer.root()
    with _listed(desk) as server:
        desk.sign_in()
        version = re.search(r"(\d+)\.(\d+)", system.run(desk, ["git", "--version"]).stdout)
        assert version and (int(version[1]), int(version[2])) >= (2, 46), version
        done = system.run(desk, _command(server))
        assert done.returncode == 0 and "refs/heads/main" in done.stdout, done
        assert {each[0] for each in server.received} == {"Bearer"}, server.received
        assert desk.run("helper", "remove", "git", server.url).returncode == 0
        desk.add("git", server.url, "--allow-http-loopback", "--login", "x-token-auth")
        server.received.clear()
        assert system.run(desk, _command(server)).returncode == 0
        assert {each[:2] for each in server.received} == {("Basic", "x-token-auth")}, server.received


def parallel_runs_share_one_sign_in(desk: Desk) -> None:
    """20 parallel runs of Git with an empty store ask the user once, and all get the token."""
    with _listed(desk) as server, desk.approving() as codes:
        session = Session(desk, [_command(server)] * PARALLEL)
        results = session.results()
        assert [status for status, _, _ in results] == [0] * PARALLEL, results
        assert (session.prompts, len(codes)) == (1, 1)
        assert len({each[2] for each in server.received}) == 1


def a_declined_sign_in_ends_all_runs(desk: Desk) -> None:
    """20 parallel runs of Git fail after one declined sign-in, and so do runs within the next minute."""
    with _listed(desk) as server, desk.approving(declines=True) as codes:
        session = Session(desk, [_command(server)] * PARALLEL)
        until(lambda: bool(codes), "a code")
        began = time.monotonic()
        results = session.results()
        print(f"         {PARALLEL} runs ended {time.monotonic() - began:.1f} s after the user declined")
        assert [status for status, _, _ in results] == [128] * PARALLEL, results
        assert (session.prompts, len(codes)) == (1, 1) and not server.received
        later = Session(desk, [_command(server)])
        assert later.results()[0][0] == 128 and later.prompts == 0 and len(codes) == 1


def a_sign_in_ends_the_wait_after_a_failure(desk: Desk) -> None:
    """After a declined sign-in, a sign-in by the user has effect at once."""
    with _listed(desk) as server:
        with desk.approving(declines=True):
            assert Session(desk, [_command(server)]).results()[0][0] == 128
        desk.sign_in()
        session = Session(desk, [_command(server)])
        assert session.results()[0][0] == 0 and session.prompts == 0


def another_account_is_signed_out_again(desk: Desk) -> None:
    """An account that signs in instead of that of the entry is signed out again if it was not signed in before."""
    bob = "bob@contoso.com"

    def signed_in() -> list[str]:
        done = desk.run("accounts", *desk.registration, "--json")
        return [each["username"] for each in json.loads(done.stdout)["accounts"]]

    with _listed(desk, "--username", ALICE) as server:
        for expected in ([], [bob]):
            with desk.approving(bob):
                ((status, _, said),) = Session(desk, [_command(server)]).results()
            assert status == 128 and f"{bob} signed in instead of {ALICE}." in said, said
            assert signed_in() == expected
            for failure in (desk.folder / "run/tessera").glob("*.failure"):
                failure.unlink()
            desk.sign_in(bob)


def without_a_terminal_nothing_is_asked(desk: Desk) -> None:
    """Without a terminal, or with a variable that excludes questions, Git fails with one line."""
    with _listed(desk) as server:
        request = f"protocol=http\nhost={server.url.removeprefix('http://')}\n".encode()
        done = desk.run("get", given=request, program="git-credential-tessera")
        assert done.stdout == b"quit=1\n" and done.stderr.count(b"\n") == 1, done
        assert b'Run "tessera login --client-id' in done.stderr, done
        for name, value in (
            ("CI", "1"), ("TESSERA_HELPER_INTERACTIVE", "never"), ("GIT_TERMINAL_PROMPT", "0"),
            ("GCM_INTERACTIVE", "never"), ("TF_BUILD", "True"),
        ):  # fmt: skip
            session = Session(desk, [_command(server)], **{name: value})
            ((status, _, error),) = session.results()
            assert status == 128 and session.prompts == 0 and "tessera login" in error, (name, error)
        assert not desk.provider.waiting_codes()
        for name in ("CI", "TF_BUILD"):
            with desk.approving() as codes:
                ((status, _, error),) = Session(desk, [_command(server)], **{name: "false"}).results()
            assert status == 0 and len(codes) == 1, (name, error)
            assert desk.run("logout", *desk.registration).returncode == 0


def the_end_of_git_ends_the_helper(desk: Desk) -> None:
    """A helper that waits for the user ends when Git ends, and the next run asks again."""
    with _listed(desk) as server:
        session = Session(desk, [_command(server)])
        until(lambda: bool(desk.provider.waiting_codes()), "a code")
        assert len(desk.helpers()) == 1
        session.end(session.processes[0])
        until(lambda: not desk.helpers(), "the helper has ended")
        (first,) = desk.provider.waiting_codes()
        desk.provider.command("expire", user_code=first)
        with desk.approving():
            assert Session(desk, [_command(server)]).results()[0][0] == 0


def a_refused_token_is_renewed_once(desk: Desk) -> None:
    """After a refusal of the service, the token is renewed once in a minute, and the user stays signed in."""
    with _listed(desk) as server:
        desk.sign_in()
        server.refuses = True
        renewals = []
        for _ in range(4):
            ((status, _, _),) = Session(desk, [_command(server)]).results()
            assert status == 128
            renewals.append(desk.provider.token_requests("refresh_token"))
        assert renewals == [0, 1, 1, 1], renewals
        # The refusal of the last run counts when the minute is over, also if the next run comes later.
        for record in (desk.folder / "run/tessera").iterdir():
            os.utime(record, (0, 0))
        server.refuses = False
        assert Session(desk, [_command(server)]).results()[0][0] == 0
        assert desk.provider.token_requests("refresh_token") == 2


def the_expiry_time_is_that_of_the_token(desk: Desk) -> None:
    """Git gets the expiry time of the token, and a new token after it."""
    with _listed(desk) as server:
        desk.provider.command("set", access_token_lifetime_seconds=2)
        desk.sign_in()
        request = f"protocol=http\nhost={server.url.removeprefix('http://')}\n".encode()
        tokens = set()
        for _ in range(2):
            done = desk.run("get", given=request, program="git-credential-tessera")
            values = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
            # The expiry time is counted from the arrival of the response.
            delay = int(values["password_expiry_utc"]) - int(claims_of(values["password"])["exp"])
            assert 0 <= delay <= 30, delay
            tokens.add(values["password"])
            time.sleep(2.5)
        assert len(tokens) == 2 and not desk.provider.waiting_codes()


def the_account_of_the_entry_is_kept(desk: Desk) -> None:
    """An entry with a user name gets the tokens of that account, also if the recorded account is another one."""
    request = b"protocol=https\nhost=git.example.com\n"

    def name() -> str:
        done = desk.run("get", given=request, program="git-credential-tessera")
        values = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
        return str(claims_of(values["password"])["preferred_username"]) if "password" in values else ""

    desk.add("git", "https://git.example.com", "--username", ALICE.upper(), "--token", "id")
    desk.sign_in()
    desk.sign_in(BOB)
    assert name() == ALICE
    (record,) = (desk.folder / "run/tessera").glob("*.account")
    known = record.read_text()
    assert desk.run("helper", "remove", "git", "https://git.example.com").returncode == 0
    desk.add("git", "https://git.example.com", "--username", BOB, "--token", "id")
    assert name() == BOB
    (other,) = set((desk.folder / "run/tessera").glob("*.account")) - {record}
    for text in (known, "", "none", "a\nb"):
        other.write_text(text)
        assert name() == BOB
    assert desk.run("logout", *desk.registration, "--username", BOB).returncode == 0
    assert name() == ""


TESTS = [
    git_gets_a_token, git_of_a_newer_debian_sends_bearer, parallel_runs_share_one_sign_in,
    a_declined_sign_in_ends_all_runs, a_sign_in_ends_the_wait_after_a_failure,
    another_account_is_signed_out_again, without_a_terminal_nothing_is_asked, the_end_of_git_ends_the_helper,
    a_refused_token_is_renewed_once, the_expiry_time_is_that_of_the_token, the_account_of_the_entry_is_kept,
]  # fmt: skip
