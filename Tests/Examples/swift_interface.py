# SPDX-License-Identifier: MIT
"""The compiler's messages for programs that use the Swift interface, type-checked with the built modules."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from examples import RELEASE, expect
from provider import ROOT

# The C modules of the platform.
MODULE_MAPS = [
    ROOT / "Sources/CSQLite/module.modulemap",
    *(
        RELEASE / f"{name}.build/module.modulemap"
        for name in ("CTesseraCipher", "CTesseraStore", "CTesseraSystem")
    ),
]

APPLICATION = """import Tessera
let application = try PublicClientApplication(ApplicationConfiguration(clientID: "app"))
let silent = SilentRequest(homeAccountID: "uid.utid", scopes: ["User.Read"])
"""
FUNCTION = """import Tessera
func token(
  _ application: PublicClientApplication, _ silent: SilentRequest
) HOW throws -> TokenResult {
  try CALL
}
"""


def _problems(program: str) -> str:
    """Returns the warnings and errors of the compiler for a main.swift."""
    with TemporaryDirectory() as folder:
        main = Path(folder) / "main.swift"
        main.write_text(program)
        done = subprocess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", RELEASE / "Modules",
             *(word for path in MODULE_MAPS for word in ("-Xcc", f"-fmodule-map-file={path}")), main],
            text=True, capture_output=True, check=False,
        )  # fmt: skip
    return done.stderr if done.returncode else ""


def await_at_top_level() -> None:
    """`await` at top level selects the asynchronous form of each call."""
    calls = {
        "acquireTokenSilent(silent)", "acquireTokenSilentExplained(silent)",
        "acquireTokenInteractive(InteractiveRequest(scopes: [])) { print($0.url) }",
        "acquireTokenByDeviceCode(DeviceCodeRequest(scopes: [])) { print($0.message) }",
        "beginSignIn(SignInRequest(scopes: []))",
        'completeSignIn(RedirectResponse(state: Secret(""), response: .address(Secret(""))))',
    }  # fmt: skip
    for call in sorted(calls):
        problems = _problems(f"{APPLICATION}print(try await application.{call})\n")
        expect(not problems, f"{call}: {problems}")


def blocking_calls() -> None:
    """A blocking call requires a cancellation, and is rejected in an async function."""
    silent = "application.acquireTokenSilent(silent, cancellation: nil)"
    problems = _problems(FUNCTION.replace(" HOW", "").replace("CALL", silent))
    expect(not problems, problems)
    problems = _problems(FUNCTION.replace("HOW", "async").replace("CALL", silent))
    expect("blocks the thread" in problems, f"the compiler accepts it: {problems}")


def interpolated_secrets() -> None:
    """A secret in a string interpolation causes a warning that names reveal()."""
    for text in (r'"Bearer \(token.accessToken)"', r'"\(token.idToken)"'):
        problems = _problems(f"import Tessera\nfunc header(_ token: TokenResult) -> String {{\n  {text}\n}}\n")
        expect("reveal()" in problems, f"the compiler accepts {text}: {problems}")
    header = "token.authorizationHeader.reveal()"
    problems = _problems(f"import Tessera\nfunc header(_ token: TokenResult) -> String {{\n  {header}\n}}\n")
    expect(not problems, problems)


def faked_results() -> None:
    """A program of another package can create every result that its tests need."""
    done = subprocess.run([RELEASE / "fake_results"], text=True, capture_output=True, check=False)
    expect(done.returncode == 0, f"fake_results failed: {done.stdout}{done.stderr}")


def host_ports() -> None:
    """A program of another package can provide the HTTP client, the clock and the store."""
    done = subprocess.run([RELEASE / "host_ports"], text=True, capture_output=True, check=False)
    expect(done.returncode == 0, f"host_ports failed: {done.stdout}{done.stderr}")


def public_types() -> None:
    """A program of another package obtains and uses every public type."""
    done = subprocess.run([RELEASE / "public-interface"], text=True, capture_output=True, check=False)
    expect(done.returncode == 0, f"public-interface failed: {done.stdout}{done.stderr}")
    expect(re.search(r"^\d+ checks passed$", done.stdout) is not None, f"public-interface printed {done.stdout}")


def specific_names() -> None:
    """The names of HTTP messages, times and errors are free for the program and for other modules."""
    for name in ("Version", "Log", "LogLevel", "Instant", "HTTPRequest", "HTTPResponse", "HTTPHeader", "Remedy"):
        problems = _problems(f"import Tessera\nlet type = {name}.self\n")
        hidden = (f"cannot find '{name}' in scope", f"'{name}' is inaccessible")
        expect(any(text in problems for text in hidden), f"Tessera declares {name}: {problems}")


TESTS = [
    await_at_top_level, blocking_calls, interpolated_secrets, faked_results, host_ports, public_types,
    specific_names,
]  # fmt: skip
