# SPDX-License-Identifier: MIT
"""The Azure SDK for Python, which runs programs named az and azd."""

from __future__ import annotations

import json
import subprocess

from desk import Desk
from installed import clouds
from services import claims_of

RESOURCE = "https://management.azure.com"
PROGRAM = """
import json, sys
from azure.identity import AzureCliCredential, AzureDeveloperCliCredential, ChainedTokenCredential
from azure.core.exceptions import ClientAuthenticationError
kinds = {"az": AzureCliCredential, "azd": AzureDeveloperCliCredential}
names, words = sys.argv[1].split(","), json.loads(sys.argv[3])
credential = ChainedTokenCredential(*[kinds[name](**words) for name in names])
try:
    print(json.dumps(credential.get_token(sys.argv[2])._asdict()))
except ClientAuthenticationError as error:
    print(json.dumps({"error": type(error).__name__, "message": str(error)}))
"""


class Shim:
    """A directory of az-shim, and an SDK that finds it."""

    def __init__(self, desk: Desk) -> None:
        """Writes the programs, and a real az that comes later in PATH."""
        self._desk = desk
        self._python = str(clouds())
        self.folder = desk.folder / "shim"
        assert desk.run("helper", "az-shim", str(self.folder)).returncode == 0
        self.real = desk.folder / "real"
        self.real.mkdir()
        (self.real / "az").write_text('#!/bin/sh\necho "the real az: $*"\n')
        (self.real / "az").chmod(0o755)
        self.path = f"{self.folder}:{self.real}:{desk.environment['PATH']}"

    def token(self, names: str, scope: str = f"{RESOURCE}/.default", **words: str) -> dict[str, object]:
        """Returns the token that the SDK gets, or its error."""
        done = subprocess.run(
            [self._python, "-c", PROGRAM, names, scope, json.dumps(words)], capture_output=True, text=True,
            env=self._desk.environment | {"PATH": self.path}, timeout=60, check=True,
        )  # fmt: skip
        found: dict[str, object] = json.loads(done.stdout)
        return found


def the_sdk_gets_a_token(desk: Desk) -> None:
    """AzureCliCredential and AzureDeveloperCliCredential get the token with its expiry time."""
    shim = Shim(desk)
    desk.add("azure", RESOURCE, "--scope", "User.Read")
    desk.sign_in()
    for name in ("az", "azd"):
        found = shim.token(name)
        token = str(found["token"])
        # The expiry time is counted from the arrival of the response.
        assert 0 <= int(str(found["expires_on"])) - int(claims_of(token)["exp"]) <= 30, found


def a_chain_continues_without_a_sign_in(desk: Desk) -> None:
    """Without a sign-in, and for another resource or tenant, a chain of credentials tries the next one."""
    shim = Shim(desk)
    (shim.real / "az").unlink()
    desk.add("azure", RESOURCE, "--scope", "User.Read")
    found = shim.token("az,azd")
    assert "AzureDeveloperCliCredential: " in str(found["message"]), found
    assert not desk.provider.waiting_codes()
    desk.sign_in()
    foreign = "11111111-5d0b-4b53-9a54-2f9a7e2f4d10"
    for resource, words in ((RESOURCE, {"tenant_id": foreign}), ("https://vault.azure.net", {})):
        found = shim.token("az,azd", f"{resource}/.default", **words)
        assert "AzureDeveloperCliCredential: " in str(found["message"]), found


def the_shim_runs_the_real_program(desk: Desk) -> None:
    """Other commands run the real program, found outside the shim, and a second shim is refused."""
    shim = Shim(desk)
    link, copy = desk.folder / "link", desk.folder / "copy"
    link.symlink_to(shim.folder)

    def ran(path: str) -> tuple[int, str]:
        done = subprocess.run(
            [shim.folder / "az", "version", "a b"], env=desk.environment | {"PATH": path}, capture_output=True,
            text=True, timeout=60, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    assert ran(shim.path) == (0, "the real az: version a b\n")
    assert ran(f"{link}:{shim.path}") == (0, "the real az: version a b\n")
    assert ran(str(shim.folder))[0] == 1
    assert desk.run("helper", "az-shim", str(copy)).returncode == 0
    status, text = ran(f"{shim.folder}:{copy}:{shim.path}")
    assert status == 4 and "Keep one of them in PATH" in text, text


TESTS = [the_sdk_gets_a_token, a_chain_continues_without_a_sign_in, the_shim_runs_the_real_program]
