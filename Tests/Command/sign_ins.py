# SPDX-License-Identifier: MIT
"""Sign-ins without a browser that can be opened: their output, and pasted redirect URLs."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import time
from contextlib import suppress
from typing import Any

from desk import ALICE, COMMAND, Desk

SCOPE = ["--scope", "User.Read"]


def pasting_into_a_pipe(desk: Desk) -> None:
    """A redirect URL that is pasted into a pipe completes the sign-in; other input does not."""
    with subprocess.Popen(
        [COMMAND, "login", *desk.options, "--paste", *SCOPE], env=desk.environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        shown = json.loads(process.stdout.readline())
        assert shown["opens_browser"] is False and shown["reason"] == "chosen", shown
        address = desk.provider.visit(shown["url"])
        process.stdin.write(f"http://localhost/?code=x&state=wrong\n\n  {address}  \n")
        process.stdin.flush()
        assert "problem" in json.loads(process.stdout.readline())
        end = json.loads(process.stdout.readline())
        assert end["account"]["username"] == ALICE and end["browser_reason"] == "chosen", end
    assert process.returncode == 0
    assert desk.good("token", *SCOPE)["source"] == "cache"


def declined_scopes_are_reported(desk: Desk) -> None:
    """A token for fewer scopes than requested is printed with a warning, and the exit status is 1."""
    both = [*SCOPE, "--scope", "Mail.Read"]
    desk.provider.command("set", granted_scope="User.Read openid profile offline_access")
    with subprocess.Popen(
        [COMMAND, "login", *desk.options, "--device-code", *both], env=desk.environment, stdout=subprocess.PIPE,
        text=True,
    ) as process:  # fmt: skip
        assert process.stdout
        desk.provider.approve(json.loads(process.stdout.readline())["user_code"], ALICE)
        document = json.loads(process.stdout.readline())
        assert document["account"]["username"] == ALICE, document
        assert document["declined_scopes"] == ["Mail.Read"], document
    assert process.returncode == 1
    # The sign-in recorded the declined scopes, so that no request is sent.
    status, token = desk.run("token", *both)
    assert status == 1 and (token["source"], token["declined_scopes"]) == ("cache", ["Mail.Read"]), token
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "token", *words, *both], env=desk.environment, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == f"{token['access_token']}\n", done
    assert done.stderr.startswith("Warning: The server declined: Mail.Read.\n"), done.stderr
    assert 'Run "tessera login" again' in done.stderr, done.stderr
    assert "declined_scopes" not in desk.good("token", *SCOPE)


class Terminal:
    """A program at a terminal."""

    def __init__(self, words: list[Any], environment: dict[str, str]) -> None:
        """Starts the program."""
        self._end, other = pty.openpty()
        self._process = subprocess.Popen(
            words, env=environment, stdin=other, stdout=other, stderr=other, start_new_session=True
        )
        os.close(other)
        self._text = ""

    def read_until(self, word: str) -> str:
        """Returns the output up to a word and the end of its line."""
        end = time.monotonic() + 60
        while "\n" not in self._text.partition(word)[2]:
            assert time.monotonic() < end, self._text
            if select.select([self._end], [], [], 1)[0]:
                self._text += os.read(self._end, 65536).decode()
        text, self._text = self._text, ""
        return text

    def rest(self) -> str:
        """Returns the output until the program ends."""
        with suppress(OSError):  # At the end of a terminal, read() fails.
            while piece := os.read(self._end, 65536):
                self._text += piece.decode()
        return self._text.replace("\r\n", "\n")

    def type(self, line: str) -> None:
        """Types a line."""
        os.write(self._end, line.encode() + b"\n")

    def status(self) -> int:
        """Returns the exit status of the program."""
        status = self._process.wait(60)
        os.close(self._end)
        return status


def pasting_into_a_terminal(desk: Desk) -> None:
    """At a terminal, `--paste` shows the address once, and a pasted redirect URL completes the sign-in."""
    words = [word for word in desk.options if word != "--json"]
    environment = desk.environment | {"SSH_CONNECTION": "127.0.0.1 1 127.0.0.1 22"}
    terminal = Terminal([COMMAND, "login", *words, *SCOPE, "--paste"], environment)
    shown = terminal.read_until("paste its URL here")
    assert "Open this URL in any browser:" in shown, shown
    url = next(word for word in shown.split() if word.startswith("http://127.0.0.1"))
    terminal.type("nonsense")
    assert "does not belong to this sign-in" in terminal.read_until("Paste the URL again.")
    terminal.type(desk.provider.visit(url))
    assert f"Signed in as {ALICE}." in terminal.read_until("Signed in")
    assert terminal.status() == 0


def nothing_more_to_paste(desk: Desk) -> None:
    """At the end of standard input, the sign-in fails, and no second one starts."""
    elsewhere = ["--redirect-uri", "https://app.example/auth", "--paste"]
    done = subprocess.run(
        [COMMAND, "login", *desk.options, *elsewhere, *SCOPE], env=desk.environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    shown, end = [json.loads(line) for line in done.stdout.splitlines()]
    assert shown["opens_browser"] is False, shown
    assert done.returncode != 0 and end["error"]["code"] == "browser_unavailable", end
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "login", *words, *elsewhere, *SCOPE], env=desk.environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "No redirect URL can arrive: standard input has ended, and" in done.stderr, done.stderr


def without_a_terminal(desk: Desk) -> None:
    """Without a terminal and a display, the device code flow is used."""
    with subprocess.Popen(
        [COMMAND, "login", *desk.options, *SCOPE], env=desk.environment | {"SSH_TTY": "/dev/pts/0"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        prompt = json.loads(process.stdout.readline())
        desk.provider.approve(prompt["user_code"], ALICE)
        assert json.loads(process.stdout.readline())["account"]["username"] == ALICE
        assert "No browser here (ssh). Using a device code." in process.stderr.read()


def an_unattended_job_fails_at_once(desk: Desk) -> None:
    """In continuous integration, `login` fails without `--device-code`, and `token` without `--format`."""
    job = desk.environment | {"CI": "true"}
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "login", *words, *SCOPE], env=job, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (4, "") and "Pass --device-code" in done.stderr, done
    desk.environment = job
    desk.sign_in(ALICE)
    done = subprocess.run([COMMAND, "token", *words, *SCOPE], env=job, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (64, "") and "--format raw" in done.stderr, done
    done = subprocess.run(
        [COMMAND, "token", *words, *SCOPE, "--format", "raw"], env=job, capture_output=True, text=True, check=True
    )
    assert done.stdout == desk.good("token", *SCOPE)["access_token"] + "\n", done


def a_terminal_without_a_browser(desk: Desk) -> None:
    """At a terminal without a display, the code is shown at once, with the remaining time until the end."""
    words = [word for word in desk.options if word != "--json"]
    environment = desk.environment | {"SSH_CONNECTION": "127.0.0.1 1 127.0.0.1 22", "TERM": "xterm"}
    terminal = Terminal([COMMAND, "login", *words, *SCOPE], environment)
    shown = terminal.read_until("2. Enter")
    assert "No browser here (ssh). Using a device code." in shown, shown
    # The code is emphasized, unless NO_COLOR is set.
    code = shown.rpartition("2. Enter")[2].split()[0]
    assert code.startswith("\x1b[1m") and code.endswith("\x1b[0m"), shown
    desk.provider.approve(code[4:-4], ALICE)
    rest = terminal.rest()
    assert "Waiting for the sign-in: " in rest and f"Signed in as {ALICE}" in rest, rest
    # The line is removed before the result is printed.
    assert "\x1b[K" in rest[rest.index("Waiting"):rest.index("Signed in")], rest
    assert terminal.status() == 0
    terminal = Terminal([COMMAND, "token", *words, "--username", "x"], environment | {"NO_COLOR": "1"})
    rest = terminal.rest()
    assert terminal.status() != 0 and rest.startswith("tessera: ") and "\x1b" not in rest, rest


def a_browser_sign_in_shows_that_it_waits(desk: Desk) -> None:
    """At a terminal, a sign-in in a browser shows that it waits; below, the user can type."""
    words = [word for word in desk.options if word != "--json"]
    for term in ("xterm", "dumb"):
        terminal = Terminal([COMMAND, "login", *words, *SCOPE, "--paste"], desk.environment | {"TERM": term})
        shown = terminal.read_until("Waiting for the sign-in. Ctrl-C cancels.")
        assert "\x1b[K" not in shown and (term == "xterm" or "\x1b" not in shown), shown
        address = next(line.strip() for line in shown.splitlines() if line.startswith("  http"))
        terminal.type("http://localhost/?code=x&state=wrong")
        assert "Waiting" not in terminal.read_until("Paste the URL again."), term
        terminal.type(desk.provider.visit(address))
        assert f"Signed in as {ALICE}." in terminal.rest()
        assert terminal.status() == 0


def a_timeout_is_reported_in_seconds(desk: Desk) -> None:
    """A sign-in that times out reports the timeout in seconds, and the option that changes it."""
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "login", *words, "--device-code", "--timeout", "2", *SCOPE], env=desk.environment,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 6, done
    assert done.stderr.endswith("tessera: Timed out after 2 seconds.\n  Allow more time with --timeout.\n"), done


def beginning_and_completing(desk: Desk) -> None:
    """One command starts a sign-in, another one completes it once."""
    begun = desk.good("begin-login", *SCOPE)
    other = desk.good("begin-login", *SCOPE, "--lifetime", "60")
    address = desk.provider.visit(begun["url"])

    def complete(state: str, answer: str) -> tuple[int, dict[str, Any]]:
        done = subprocess.run(
            [COMMAND, "complete-login", *desk.options, "--state", state], env=desk.environment,
            input=answer, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        document: dict[str, Any] = json.loads(done.stdout)
        return done.returncode, document.get("error", document)

    for state, answer, code in (
        (begun["state"], "", "state_mismatch"), (other["state"], address, "state_mismatch"),
        ("t1.made-up", address, "invalid_sign_in_state"),
    ):  # fmt: skip
        status, error = complete(state, answer)
        assert (status, error["code"]) == (3, code), error
    status, document = complete(begun["state"], address + "\n")
    assert (status, document["account"]["username"]) == (0, ALICE), document
    status, error = complete(begun["state"], address)
    assert (status, error["code"]) == (1, "sign_in_used"), error
    words = [word for word in desk.options if word != "--json"]
    done = subprocess.run(
        [COMMAND, "begin-login", *words, *SCOPE], env=desk.environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("t1.") and "http://127.0.0.1" in done.stderr, done


def authority_type_is_named(desk: Desk) -> None:
    """An Entra authority at another host without --authority-type is an error that names the option."""
    place = desk.options.index("--authority-type")
    words = [word for word in desk.options[:place] + desk.options[place + 2:] if word != "--json"]
    for path in ("", "/v2.0"):
        words[words.index("--authority") + 1] += path
        done = subprocess.run(
            [COMMAND, "login", *words, "--device-code", *SCOPE], env=desk.environment, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 4, done
        assert 'set --authority-type to "entra" and --authority to http' in done.stderr, done.stderr
        assert "Check --client-id" not in done.stderr, done.stderr
