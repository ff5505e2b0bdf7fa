#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures processes of helpers with a cached token, beside the Azure CLI and MSAL Python.

usage: helpers.py [AZ]   (the path of an Azure CLI, such as that of PyPI's package azure-cli)

The stores of Tessera have 100,000 tokens of one account, or of 10,000 accounts. The caches of the Azure CLI and of
MSAL Python have one token, and their discovery requests are answered inside the process. Prints the table of
docs/helpers.md.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from machine import day, machine
from msal_cache import write_msal
from page import markdown
from programs import BUILD, CORE, ENVIRONMENT, ROOT, SWIFT
from starts import MSAL_TOKEN
from tables import number
from workload import AUTHORITY, CLIENT, TENANT, Workload, fill_tessera, home, scope, username

TOKENS = 100_000
SAMPLES = 41
FOLDER = BUILD / "helpers"
COMMAND = ROOT / "build/swift-release/release/tessera-cli"
SERVICE, OTHER = "https://service.example", "https://other.example"
AZURE_CLI_CLIENT = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
AZURE_RESOURCE = "https://management.core.windows.net/"
HELPER_ENVIRONMENT = {
    **ENVIRONMENT, "HOME": str(FOLDER), "XDG_CONFIG_HOME": str(FOLDER / "config"),
    "XDG_DATA_HOME": str(FOLDER / "data"), "XDG_RUNTIME_DIR": str(FOLDER / "run"),
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
}  # fmt: skip
# The Azure CLI requests discovery documents although it has a cached token.
STUB = f"""
import json, requests
documents = {{
    "tenant_discovery_endpoint": "{AUTHORITY}/v2.0/.well-known/openid-configuration", "metadata": [],
    "issuer": "{AUTHORITY}/v2.0", "authorization_endpoint": "{AUTHORITY}/oauth2/v2.0/authorize",
    "token_endpoint": "{AUTHORITY}/oauth2/v2.0/token",
}}
def send(self, request, **_):
    assert request.method == "GET", request.url
    response = requests.Response()
    response.status_code, response.url = 200, request.url
    response._content = json.dumps(documents).encode()
    return response
requests.adapters.HTTPAdapter.send = send
"""


class Measured(NamedTuple):
    """A program with its standard input and environment."""

    command: Sequence[str | Path]
    given: bytes
    environment: dict[str, str]


def run(measured: Measured) -> tuple[float, float]:
    """Returns the wall-clock and processor time of a program in milliseconds. It must print a token."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CORE})
    given = FOLDER / "given"
    given.write_bytes(measured.given)
    try:
        with given.open() as file, (FOLDER / "output").open("w+") as output:
            start = time.perf_counter()
            words = [str(word) for word in measured.command]
            program = subprocess.Popen(words, stdin=file, stdout=output, env=measured.environment)
            _, status, usage = os.wait4(program.pid, 0)
            end = time.perf_counter()
    finally:
        os.sched_setaffinity(0, before)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode or "eyJ" not in (FOLDER / "output").read_text():
        raise SystemExit(f"{measured.command!r} printed no token and ended with {program.returncode}")
    return (end - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def filled(workload: Workload, service: str, tools: dict[str, list[str]]) -> None:
    """Fills the store of a workload once, and lists a service with one of its tokens."""
    data = FOLDER / "data/tessera"
    if not (data / f"{workload.name}.db").exists():
        print(f"filling {workload.name}", file=sys.stderr)
        fill_tessera(workload, SWIFT, data, HELPER_ENVIRONMENT)
    for tool, words in tools.items():
        subprocess.run(
            [COMMAND, "helper", "add", tool, service, "--client-id", CLIENT, "--authority", AUTHORITY,
             "--scope", scope(5), "--username", username(workload.users // 2), "--group", workload.name, *words],
            env=HELPER_ENVIRONMENT, stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip


def helpers() -> dict[str, Measured]:
    """Fills the stores, lists the services, and returns the helpers."""
    for name in ("data/tessera", "config", "run", "bin"):
        (FOLDER / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    (FOLDER / "config/tessera/helpers.toml").unlink(missing_ok=True)
    filled(
        Workload("one-user", TOKENS, "subset"), SERVICE, {"git": [], "docker": ["--login", "oauth2"], "azure": []}
    )
    filled(Workload("users", TOKENS, "subset"), OTHER, {"git": []})
    links = {"git": "git-credential-tessera", "docker": "docker-credential-tessera"}
    for link in links.values():
        path = FOLDER / "bin" / link
        path.unlink(missing_ok=True)
        path.symlink_to(COMMAND)
    git: list[str | Path] = [FOLDER / "bin" / links["git"], "get"]
    docker: list[str | Path] = [FOLDER / "bin" / links["docker"], "get"]
    az: list[str | Path] = [COMMAND, "helper", "az", "--", "account", "get-access-token", "--resource", SERVICE]

    def request(service: str) -> bytes:
        return f"protocol=https\nhost={service.removeprefix('https://')}\n\n".encode()

    return {
        "`git-credential-tessera get`": Measured(git, request(SERVICE), HELPER_ENVIRONMENT),
        "the same, 10,000 accounts": Measured(git, request(OTHER), HELPER_ENVIRONMENT),
        "`docker-credential-tessera get`": Measured(docker, SERVICE.encode(), HELPER_ENVIRONMENT),
        "`az account get-access-token` of `az-shim`": Measured(az, b"", HELPER_ENVIRONMENT),
    }


def msal() -> Measured:
    """Returns the shortest program with MSAL Python."""
    workload = Workload("users", 1, "subset")
    path = FOLDER / "msal.json"
    write_msal(workload, path)
    program = MSAL_TOKEN.format(programs=str(ROOT / "Benchmarks/Python"), path=str(path), scopes=[scope(0)])
    return Measured([sys.executable, "-c", f"{program}print('eyJ')\n"], b"", ENVIRONMENT)


def azure_cli(az: str) -> Measured:
    """Signs the Azure CLI in by its files, and returns its command."""
    folder = FOLDER / "azure"
    stub = FOLDER / "stub"
    for each in (folder, stub):
        each.mkdir(exist_ok=True)
    (stub / "sitecustomize.py").write_text(STUB)
    subscription = {
        "id": TENANT, "name": "Test", "state": "Enabled", "isDefault": True, "tenantId": TENANT,
        "homeTenantId": TENANT, "environmentName": "AzureCloud", "managedByTenants": [],
        "user": {"name": username(0), "type": "user"},
    }  # fmt: skip
    profile = {"installationId": TENANT, "subscriptions": [subscription]}
    (folder / "azureProfile.json").write_text(json.dumps(profile))
    host = "login.microsoftonline.com"
    common = {"home_account_id": home(0), "environment": host, "realm": TENANT}
    token = {
        **common, "credential_type": "AccessToken", "client_id": AZURE_CLI_CLIENT,
        "secret": "eyJ".ljust(2048, "x"), "target": f"{AZURE_RESOURCE}/.default", "cached_at": "1700000000",
        "expires_on": "4000000000", "extended_expires_on": "4000000000", "token_type": "Bearer",
    }  # fmt: skip
    account = {
        **common, "local_account_id": home(0).split(".")[0], "username": username(0), "authority_type": "MSSTS",
    }  # fmt: skip
    cache = {"AccessToken": {"x": token}, "Account": {"x": account}}
    (folder / "msal_token_cache.json").write_text(json.dumps(cache))
    environment = {**ENVIRONMENT, "AZURE_CONFIG_DIR": str(folder), "PYTHONPATH": str(stub)}
    environment |= {"AZURE_CORE_COLLECT_TELEMETRY": "false", "AZURE_CORE_ENCRYPT_TOKEN_CACHE": "false"}
    return Measured([az, "account", "get-access-token"], b"", environment)


def main() -> None:
    """Measures all programs in turn, and prints the table."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    programs = helpers() | {"MSAL Python, import and one token": msal()}
    if sys.argv[1:]:
        programs["`az account get-access-token` of the Azure CLI"] = azure_cli(sys.argv[1])
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for sample in range(SAMPLES):
        for name, measured in programs.items():
            # The Azure CLI takes up to a second.
            if sample % 4 == 0 or "Azure CLI" not in name:
                times[name].append(run(measured))
    first = statistics.median(whole for whole, _ in next(iter(times.values())))
    lines = []
    for name, each in times.items():
        median = statistics.median(whole for whole, _ in each)
        processor = statistics.median(own for _, own in each)
        least = min(whole for whole, _ in each)
        lines.append([name, *map(number, (median, least, processor, median / first))])
    print(f"Measured on {day()} in one run: {machine(FOLDER)}.\n")
    print(markdown(["program", "median, ms", "minimum", "processor time", "ratio"], lines), end="")


if __name__ == "__main__":
    main()
