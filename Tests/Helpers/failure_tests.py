# SPDX-License-Identifier: MIT
"""Killed processes, closed outputs, full disks, untrusted certificates, and providers that do not respond."""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import time
from pathlib import Path

from desk import Desk, Skipped
from registries import Registry
from services import certificate

HOST = "service.example.com"
ROLE = "arn:aws:iam::123456789012:role/Reader"
KILLS = 20
DAY = 86_400
CLOCK = Path(__file__).resolve().parent.parent / "Soak/clock.c"
# Helpers without a protocol for errors on standard output, with their arguments and standard input.
HELPERS: list[tuple[str, list[str], bytes]] = [
    ("tessera", ["helper", "http", "get", f"https://{HOST}"], b""),
    ("tessera", ["helper", "keyring", "get", f"https://{HOST}", "alice"], b""),
    ("terraform-credentials-tessera", ["get", HOST], b""),
    ("bazel-credential-tessera", ["get"], json.dumps({"uri": f"https://{HOST}"}).encode()),
    ("git-credential-tessera", ["get"], f"protocol=https\nhost={HOST}\n".encode()),
]


def a_killed_process_leaves_the_list_usable(desk: Desk) -> None:
    """A list is complete after processes that changed it were killed, and the next change removes their files."""
    left = desk.list.with_name(f"{desk.list.name}.new")
    desk.add("git", f"https://{HOST}")
    for number in range(KILLS):
        words = [
            "helper",
            "add",
            "git",
            f"https://{number}.example.com",
            *desk.registration,
            "--scope",
            "User.Read",
        ]
        process = subprocess.Popen(
            [desk.programs / "tessera", *words], env=desk.environment, stdout=subprocess.DEVNULL
        )
        time.sleep(random.uniform(0, 0.05))
        process.kill()
        process.wait()
        listed = desk.run("helper", "list")
        assert listed.returncode == 0 and f"https://{HOST}".encode() in listed.stdout, listed
    left.write_text("[[helper]\n")
    left.chmod(0o666)
    desk.add("git", "https://last.example.com")
    assert (
        sorted(desk.list.parent.iterdir()) == [desk.list]
        and desk.list.stat().st_mode & 0o777 == 0o600
    )
    assert b"https://last.example.com" in desk.run("helper", "list").stdout


def changes_through_a_link_have_one_lock(desk: Desk) -> None:
    """Concurrent changes of one list, by its path and by a symbolic link in another directory, are all kept."""
    desk.add("git", f"https://{HOST}")
    linked = desk.folder / "linked/tessera"
    linked.mkdir(parents=True, mode=0o700)
    (linked / desk.list.name).symlink_to(desk.list)
    processes = []
    for number in range(KILLS):
        folder = {"XDG_CONFIG_HOME": str(linked.parent)} if number % 2 else {}
        url = f"https://{number}.example.com"
        words = ["helper", "add", "git", url, *desk.registration, "--scope", "User.Read"]
        command = [str(desk.programs / "tessera"), *words]
        processes.append(subprocess.Popen(command, env=desk.environment | folder, stdout=subprocess.DEVNULL))
    assert [process.wait() for process in processes] == [0] * KILLS
    assert len(desk.run("helper", "list").stdout.splitlines()) == KILLS + 1
    assert (linked / desk.list.name).is_symlink()


def a_closed_output_has_one_status(desk: Desk) -> None:
    """A helper with a closed output ends with the status 74, with a token and without a sign-in."""
    for tool in ("http", "keyring", "terraform", "bazel", "git"):
        desk.add(tool, f"https://{HOST}")
    for _ in range(2):
        for program, words, given in HELPERS:
            command = [str(desk.programs / program), *words]
            for is_closed in (False, True):
                reader, writer = os.pipe()
                os.close(reader)
                started = ["sh", "-c", f"exec {shlex.join(command)} >&-"] if is_closed else command
                done = subprocess.run(
                    started, input=given, env=desk.environment, stdout=writer, stderr=subprocess.PIPE, timeout=60,
                    check=False, start_new_session=True,
                )  # fmt: skip
                os.close(writer)
                reason = b"Bad file descriptor" if is_closed else b"Broken pipe"
                assert done.returncode == 74, (program, is_closed, done)
                assert (
                    done.stderr == b"tessera: The output could not be written: " + reason + b".\n"
                ), done
        desk.sign_in()


def a_full_disk_is_reported(desk: Desk) -> None:
    """A token that does not fit the disk is an error with the reason, and leaves no file."""
    if os.geteuid() != 0:
        raise Skipped("a full disk requires root")
    desk.add("aws", ROLE, "--endpoint", "https://sts.example.com", "--token", "access")
    desk.sign_in()
    run = shlex.quote(desk.environment["XDG_RUNTIME_DIR"])
    script = (
        f"mount -t tmpfs -o size=8k,mode=700 tmpfs {run} && mkdir -m 700 {run}/tessera && "
        f"{{ head -c 99999 /dev/zero >{run}/full 2>/dev/null; tessera helper aws token-file {ROLE}; "
        f"echo $?; find {run}/tessera -type f; }}"
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script], env=desk.environment, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.stdout == "4\n" and done.stderr.endswith(
        "cannot be written: No space left on device.\n"
    ), done


def an_untrusted_certificate_is_explained(desk: Desk) -> None:
    """The message about an untrusted certificate names a variable, because helpers have no options for it."""
    with Registry(exchanges=True, certificate=certificate(desk.folder)) as registry:
        desk.add("docker", registry.url, "--exchange", "acr")
        desk.sign_in()
        for variables in ({}, {"SSL_CERT_FILE": str(desk.folder)}):
            done = desk.run(
                "get", given=registry.url.encode(), program="docker-credential-tessera", **variables
            )
            assert (
                done.returncode == 1
                and b"SSL_CERT_FILE" in done.stdout
                and b"--" not in done.stdout
            ), done
        assert not registry.exchanged


def a_silent_provider_is_reported_in_time(desk: Desk) -> None:
    """Helpers of programs that wait for 10 seconds report a provider that does not respond before that."""
    desk.provider.command("set", access_token_lifetime_seconds=1)
    desk.add("bazel", f"https://{HOST}")
    desk.add("azure", "https://management.azure.com", "--scope", "User.Read")
    desk.sign_in()
    time.sleep(1.5)
    with desk.provider.held():
        az = [
            "helper",
            "az",
            "account",
            "get-access-token",
            "--resource",
            "https://management.azure.com",
        ]
        pipe = subprocess.PIPE
        processes = [
            subprocess.Popen(
                [str(desk.programs / name), *words], env=desk.environment, stdin=pipe, stdout=pipe, stderr=pipe
            ) for name, words in (("tessera", az), ("bazel-credential-tessera", ["get"]))
        ]  # fmt: skip
        outputs = [process.communicate(HELPERS[3][2], timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [2, 2], outputs
    for output, error in outputs:
        assert output == b"" and b"did not respond within 8 seconds" in error, error


def a_wrong_clock_loses_no_sign_in(desk: Desk) -> None:
    """With a clock that is a day off, a helper prints a valid token, also if the provider does not respond."""
    library = desk.folder / "clock.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, CLOCK], check=True, timeout=60)
    desk.add("git", f"https://{HOST}")
    program, words, given = HELPERS[-1]
    for step in (-DAY, DAY):
        wrong = {"LD_PRELOAD": str(library), "CLOCK_STEP": str(step)}
        # A failure that was recorded with the wrong clock ends with the next sign-in.
        failed = desk.run(*words, program=program, given=given, **wrong)
        assert failed.returncode == 1 and b"password" not in failed.stdout, (step, failed)
        desk.sign_in()
        with desk.provider.held():
            done = desk.run(*words, program=program, given=given, **wrong)
        assert done.returncode == 0 and b"password=ey" in done.stdout, (step, done)
        refreshed = desk.run(*words, program=program, given=given, **wrong)
        assert b"password=ey" in refreshed.stdout, (step, refreshed)
        assert desk.run(*words, program=program, given=given).stdout == refreshed.stdout
        words_out = ["logout", *desk.registration]
        assert desk.run(*words_out).returncode == 0


def large_and_nested_inputs_are_refused(desk: Desk) -> None:
    """Documents with many levels, endless input and a list that is too large are errors; a long list is used."""
    desk.add("git", f"https://{HOST}")
    levels = b"[" * 60_000
    pairs = b'{"uri":' * 8_000
    for program, words, variables in (
        ("bazel-credential-tessera", ["get"], {}), ("docker-credential-tessera", ["store"], {}),
        ("cargo-credential-tessera", ["--cargo-plugin"], {}),
        ("kubectl-tessera", ["get"], {"KUBERNETES_EXEC_INFO": levels.decode()}),
        ("kubectl-tessera", ["get"], {"KUBERNETES_EXEC_INFO": pairs.decode()}),
    ):  # fmt: skip
        for given in (levels + b"\n", pairs + b"\n", b"\0" * 1_000_000):
            done = desk.run(*words, program=program, given=given, **variables)
            assert done.returncode in (0, 1, 3, 4) and b"ey" not in done.stdout, (program, done)
    desk.sign_in()
    one = desk.list.read_text()
    many = "".join(one.replace(HOST, f"{number}.example.com") for number in range(4_000))
    request = HELPERS[-1][2]
    desk.list.write_text(one + many)
    assert b"password=ey" in desk.run("get", program="git-credential-tessera", given=request).stdout
    desk.add("git", "https://last.example.com")
    desk.list.write_text(one + "#" * ((1 << 20) - len(one) - 20) + "\n")
    before = desk.list.read_text()
    words = ["helper", "add", "git", "https://late.example.com", *desk.registration, "--scope", "User.Read"]
    done = desk.run(*words)
    assert done.returncode == 4 and b"would be larger than 1 MiB" in done.stderr, done
    assert desk.list.read_text() == before and desk.run("helper", "list").returncode == 0
    desk.list.write_text(before + before)
    done = desk.run("get", program="git-credential-tessera", given=request)
    assert (done.returncode, done.stdout) == (4, b"") and b"larger than 1 MiB" in done.stderr, done


def special_files_are_refused(desk: Desk) -> None:
    """A list that is a pipe, a device, a directory or a loop of links is an error, and no helper waits for it."""
    desk.list.parent.mkdir(mode=0o700)
    for kind in ("pipe", "directory", "/dev/zero", str(desk.list)):
        if kind == "pipe":
            os.mkfifo(desk.list)
        elif kind == "directory":
            desk.list.mkdir()
        else:
            desk.list.symlink_to(kind)
        done = desk.run("get", program="git-credential-tessera", given=HELPERS[-1][2])
        assert (done.returncode, done.stdout) == (4, b"") and str(desk.list).encode() in done.stderr, done
        if kind == "directory":
            desk.list.rmdir()
        else:
            desk.list.unlink()


def without_a_home_the_user_database_is_used(desk: Desk) -> None:
    """Without HOME and the XDG variables, helpers use the home directory of the user database."""
    kept = {"PATH": desk.environment["PATH"]}
    done = subprocess.run(
        [desk.programs / "tessera", "helper", "check", "git", f"https://{HOST}"], env=kept, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1 and b"is not listed" in done.stderr, done


TESTS = [
    a_killed_process_leaves_the_list_usable, changes_through_a_link_have_one_lock, a_closed_output_has_one_status,
    a_full_disk_is_reported, an_untrusted_certificate_is_explained, a_silent_provider_is_reported_in_time,
    a_wrong_clock_loses_no_sign_in, large_and_nested_inputs_are_refused, special_files_are_refused,
    without_a_home_the_user_database_is_used,
]  # fmt: skip
