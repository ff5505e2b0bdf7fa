# SPDX-License-Identifier: MIT
"""Sessions in which brokers start, stop or are missing, and programs without a broker."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from broker_account import AUTHORITY, CLIENT, HOME, usual
from clients import CLI, LIBRARY, SCOPES, DesktopUser, error_of, reason_of
from desktop import NAME, check
from sanitizers import preloaded

import examples
from provider import Provider

HIT = """
import json, sys, tessera_identity
with tessera_identity.PublicClientApplication(**json.loads(sys.argv[1])) as application:
    token = application.acquire_token_silent(["User.Read"], account=sys.argv[2])
    libraries = {line.split("/")[-1].strip() for line in open("/proc/self/maps") if ".so" in line}
    print(json.dumps({"source": token.source, "libraries": sorted(libraries)}))
"""


def a_broker_comes_and_goes(user: DesktopUser) -> None:
    """One application sees each state: no broker, a broker, no broker, another broker."""
    user.desktop.remove_broker()
    user.desktop.set_responses(**usual())
    application = user.application()
    for _ in range(2):
        problem = error_of(application.broker_version)
        check(problem.code == "broker_unavailable" and reason_of(problem) == "broker_not_running", repr(problem))
        user.desktop.add_broker()
        check(application.broker_version() == "2.5.2", "it is there")
        user.desktop.remove_broker()


def a_broker_is_started_by_the_bus(user: DesktopUser) -> None:
    """A service file is sufficient, from C and from Swift; a cancelled call does not start the broker."""
    user.desktop.remove_broker()
    user.desktop.set_responses(**usual())
    user.desktop.add_service_file()
    check(user.c("version", {})["answer"] == {"version": "2.5.2"}, "C")
    check(user.cli("broker", "version")[0] == 0, "Swift")


def a_broker_that_cannot_be_started_is_missing(user: DesktopUser) -> None:
    """The service file names a program that ends at once."""
    user.desktop.remove_broker()
    entry = f"[D-BUS Service]\nName={NAME}\nExec=/bin/false\n"
    (user.desktop.services / f"{NAME}.service").write_text(entry)
    problem = error_of(lambda: user.application().broker_version(timeout=20))
    check(reason_of(problem) == "broker_not_running", repr(problem), problem.causes)


def every_call_reports_a_missing_bus(user: DesktopUser) -> None:
    """No variable, no socket, an unusable bus: from C, Python and Swift."""
    application = user.application()
    for address in ("unix:path=/nonexistent/bus", "disabled:", "tcp:host=localhost,port=1"):
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        problem = error_of(application.broker_accounts)
        check(problem.code == "broker_unavailable" and reason_of(problem) == "no_session_bus", repr(problem))
    user.desktop.path.unlink()
    answer = user.c("accounts", {})["answer"]["error"]
    check(answer["code"] == "broker_unavailable" and answer["msal_internal_code"] == -42714, answer)
    status, answer = user.cli("broker", "accounts")
    check(status == 4 and answer["error"]["code"] == "broker_unavailable", answer)
    user.settings["broker"] = "require"
    answer = user.c("silent", {"home_account_id": HOME, "scopes": SCOPES})["answer"]["error"]
    check(answer["code"] == "broker_unavailable", answer)


def a_bus_may_have_several_addresses(user: DesktopUser) -> None:
    """The first reachable address is used; those of remote hosts or with a command to start are ignored."""
    user.desktop.set_responses(**usual())
    application = user.application()
    mark = user.desktop.folder / "started"
    started = f"unixexec:path=/bin/touch,argv1={mark}"
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"{started};unix:path=/nonexistent/bus;{user.desktop.address}"
    check(application.broker_version() == "2.5.2", "the third one serves")
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path=/nonexistent/bus;{started}"
    problem = error_of(application.broker_version)
    check(reason_of(problem) == "no_session_bus" and not mark.exists(), repr(problem))


def a_missing_preferred_broker_is_reported_and_skipped(user: DesktopUser) -> None:
    """With a provider: a sign-in on another device, and a refresh with the token of this device."""
    user.desktop.remove_broker()
    with Provider("--interval", "1") as provider:
        application = user.application(authority=provider.entra_authority, authority_type="entra")
        account = application.acquire_token_by_device_code(SCOPES, prompt=provider.approves()).account
        result = application.acquire_token_silent(SCOPES, account=account, force_refresh=True, explain=True)
        check(result.source == "network", result)
        (visit,) = result.brokers
        check(visit.outcome == "skipped" and visit.reason == "broker_not_running", visit)
        why = result.explanation
        check(why is not None and why.brokers == result.brokers and why.decision == "broker", why)


def a_forked_child_opens_its_own_connection(user: DesktopUser) -> None:
    """Parent and child each have their own connection."""
    user.desktop.set_responses(**usual())
    application = user.application()
    check(application.broker_version() == "2.5.2", "the parent, before")
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if application.broker_version() == "2.5.2" else 1)
        finally:
            os._exit(2)
    check(os.waitpid(child, 0)[1] == 0, "the child")
    check(application.broker_version() == "2.5.2", "the parent, after")


def a_cache_hit_sends_no_request_and_loads_no_library(user: DesktopUser) -> None:
    """With a required broker that has stopped: the process loads the same libraries as without a broker."""
    user.desktop.set_responses(**usual())
    user.application().acquire_token_silent(SCOPES, account=HOME)
    user.desktop.remove_broker()
    asked = len(user.desktop.calls())
    loaded = {}
    for policy in ("never", "require"):
        configuration = json.dumps(user.configuration(broker=policy))
        environment = {
            **user.desktop.environment(), "TESSERA_LIBRARY": str(LIBRARY),
            "PYTHONPATH": os.pathsep.join(sys.path), **preloaded(),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", HIT, configuration, HOME], env=environment, capture_output=True, text=True,
            check=True, timeout=100,
        )  # fmt: skip
        answer = json.loads(done.stdout)
        check(answer["source"] == "cache", answer)
        loaded[policy] = answer["libraries"]
    check(loaded["never"] == loaded["require"], loaded)
    check(not any("systemd" in name or "dbus" in name for name in loaded["require"]), loaded["require"])
    check(len(user.desktop.calls()) == asked, "no request was sent")


def neither_the_library_nor_the_command_needs_a_bus(_: DesktopUser) -> None:
    """The needed libraries of the files contain no D-Bus client."""
    for file in (LIBRARY, CLI):
        lines = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
        needed = [line.split("[")[1].rstrip("]") for line in lines.splitlines() if "(NEEDED)" in line]
        check(bool(needed), "readelf fails for", file)
        check(not any("dbus" in name or "systemd" in name or "glib" in name for name in needed), needed)


def the_examples_list_the_accounts(user: DesktopUser) -> None:
    """The example of each language, built like a user does."""
    user.desktop.set_responses(**usual())
    examples.build()
    for language in examples.LANGUAGES:
        words = [*examples.command(language, "broker_accounts"), "--json"]
        words += ["--client-id", CLIENT, "--authority", AUTHORITY]
        environment = {**examples.ENVIRONMENT, "DBUS_SESSION_BUS_ADDRESS": user.desktop.address}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=100, check=False)
        check(done.returncode == 0, language, done.stderr)
        accounts = json.loads(done.stdout)["accounts"]
        check([account["username"] for account in accounts] == ["alice@contoso.com"], language, accounts)


TESTS = [
    a_broker_comes_and_goes,
    a_broker_is_started_by_the_bus,
    a_broker_that_cannot_be_started_is_missing,
    every_call_reports_a_missing_bus,
    a_bus_may_have_several_addresses,
    a_missing_preferred_broker_is_reported_and_skipped,
    a_forked_child_opens_its_own_connection,
    a_cache_hit_sends_no_request_and_loads_no_library,
    neither_the_library_nor_the_command_needs_a_bus,
    the_examples_list_the_accounts,
]
