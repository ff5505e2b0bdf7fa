# SPDX-License-Identifier: MIT
"""Starts the test program under strace as an unprivileged user, and reads the files and addresses that it used."""

from __future__ import annotations

import http.server
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
USER = "nobody"
ENV = "/usr/bin/env"
CLIENT = "6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10"
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_APPEND")
# Devices and files of the kernel that may be opened for writing.
ALLOWED = ("/dev/", "/proc/")
PORT = re.compile(r"sin6?_port=htons\((\d+)\)")


# Variables that name files or folders, for the libraries of the process.
PATHS = (
    "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "CURL_HOME", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "TMPDIR", "SQLITE_TMPDIR", "AZURE_CONFIG_DIR",
    "AZD_CONFIG_DIR", "AZURE_ACCESS_TOKEN_FILE", "SWIFT_ROOT", "SWIFT_DEBUG_LIB_PRESPECIALIZED_PATH",
    "KRB5_CONFIG", "LDAPCONF", "QLOGDIR", "GNUTLS_SYSTEM_PRIORITY_FILE", "LOCPATH", "GCONV_PATH", "NLSPATH",
    "HOSTALIASES", "RES_OPTIONS", "LD_LIBRARY_PATH", "LIBDISPATCH_LOG", "P11_KIT_CONFIG",
)  # fmt: skip


class Failed(Exception):
    """A test failed; the message contains the findings."""


class Skipped(Exception):
    """A test cannot run here; the message is the reason."""


class Provider(http.server.BaseHTTPRequestHandler):
    """Serves the metadata of an OpenID Connect issuer on this machine."""

    def do_GET(self) -> None:  # noqa: N802 - a name of http.server
        """Sends the metadata for every path."""
        issuer = f"http://{self.headers['Host']}/t"
        document = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys",
        }
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:  # noqa: A002 - a name of http.server
        """Prints nothing."""


@dataclass
class Result:
    """The output of one run, and the used files and addresses."""

    output: str
    errors: str
    status: int
    trap: Path
    store: Path
    proxy: int
    paths: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    started: list[str] = field(default_factory=list)

    @property
    def codes(self) -> dict[str, str]:
        """Returns the output of the program, by the name before the colon."""
        pairs = [line.split(":", 1) for line in self.output.splitlines() if ":" in line]
        return {name.strip(): value.strip() for name, value in pairs}

    def require_elevated(self) -> None:
        """Skips the test unless the kernel gave the program elevated rights."""
        if self.codes.get("AT_SECURE") != "1":
            raise Skipped(f"AT_SECURE is not 1 here: {self.output[:100]!r} {self.errors[:300]!r}")

    def require_nothing_of_the_environment(self) -> None:
        """Fails if a path, a port or a program of the environment was used, or if anything was printed."""
        if used := sorted({path for path in self.paths if str(self.trap) in path}):
            raise Failed(f"paths of the environment were used: {used}")
        if outside := [path for path in self.written if not path.startswith(ALLOWED + (str(self.store),))]:
            raise Failed(f"files outside of the store were opened for writing: {outside}")
        if self.proxy in self.ports:
            raise Failed("the proxy of the environment was used")
        if len(self.started) > 1:
            raise Failed(f"programs were started: {self.started[1:]}")
        if self.errors:
            raise Failed(f"printed on standard error: {self.errors[:300]}")


class Session:
    """The copies of the program, a provider and a proxy, until the end of the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Paths that only the environment names.
        self.trap = folder / "trap"
        self._reason = self._missing()

    def __enter__(self) -> Session:
        self.folder.chmod(0o755)
        for name in ("trap", "home"):
            (self.folder / name).mkdir()
            (self.folder / name).chmod(0o1777)
        self._marker = self.trap / "started"
        program = self.trap / "program"
        program.write_text(f"#!/bin/sh\necho started >>'{self._marker}'\n")
        program.chmod(0o755)
        self._program = program
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._proxy = socket.create_server(("127.0.0.1", 0))
        if not self._reason:
            self._build()
        return self

    def __exit__(self, *_problem: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._proxy.close()

    def _missing(self) -> str:
        """Returns the reason for which the tests cannot run here, or an empty string."""
        if os.geteuid() != 0:
            return "needs root, to make setuid programs"
        missing = [name for name in ("strace", "setcap", "gcc") if not shutil.which(name)]
        if missing:
            return f"needs {', '.join(missing)}"
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            return f"{self.folder} is on a file system without setuid"
        return ""

    def _build(self) -> None:
        built = ROOT / "build/lib/libtessera.so"
        # The link contains the SONAME, which programs load.
        library = self.folder / built.readlink()
        shutil.copy(built, library)
        library.chmod(0o755)
        source = self.folder / "ordinary"
        subprocess.run(
            ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}",
             "-o", source, HERE / "program.c", library, f"-Wl,-rpath,{self.folder}"],
            check=True, timeout=300,
        )  # fmt: skip
        for kind in ("setuid", "setcap"):
            shutil.copy(source, self.folder / kind)
        (self.folder / "setuid").chmod(0o4755)
        done = subprocess.run(
            ["setcap", "cap_net_bind_service=ep", self.folder / "setcap"], capture_output=True
        )
        self._has_capabilities = done.returncode == 0

    def variables(self) -> dict[str, str]:
        """Returns variables that a library of an ordinary program reads; all of them refer to the trap."""
        trap = self.trap
        found = {name: f"{trap}/{name.lower()}" for name in PATHS}
        found |= {
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={trap}/bus",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={trap}/system-bus",
            "BROWSER": str(self._program),
            "PATH": f"{trap}/bin:/usr/bin:/bin",
            "DISPLAY": ":99",
            "TZ": f":{trap}/zone",
            "CURL_SSL_BACKEND": "gnutls",
        }
        proxy = f"http://127.0.0.1:{self._proxy.getsockname()[1]}"
        found |= dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"), proxy)
        return found | self.runtime_variables()

    def runtime_variables(self) -> dict[str, str]:
        """Returns variables of the Swift runtime."""
        return {
            "SWIFT_BACKTRACE": f"enable=yes,swift-backtrace={self._program}",
            "SWIFT_DEBUG_HELP": "YES",
            "SWIFT_DETERMINISTIC_HASHING": "YES",
            "SWIFT_DEBUG_ENABLE_METADATA_ALLOCATION_ITERATION": "YES",
            "SWIFT_DEBUG_VALIDATE_UNCHECKED_CONTINUATIONS": "YES",
        }

    def was_started(self) -> bool:
        """Whether the program of the trap has run."""
        return self._marker.exists()

    def run(self, kind: str, variables: dict[str, str], *more: str) -> Result:
        """Runs one copy of the program as the unprivileged user, with only these variables and umask 0."""
        if self._reason:
            raise Skipped(self._reason)
        if kind == "setcap" and not self._has_capabilities:
            raise Skipped("the file system has no file capabilities")
        log = self.folder / "trace"
        log.unlink(missing_ok=True)
        if kind == "ordinary":
            # Not under strace, which takes part in the delivery of signals.
            command = ["setpriv", f"--reuid={USER}", f"--regid={pwd.getpwnam(USER).pw_gid}", "--clear-groups"]
        else:
            command = ["strace", "-f", "-q", "-s", "4096", "-u", USER, "-o", str(log)]
            command += ["-e", "trace=%file,%network"]
        command += [ENV, "-i", *(f"{name}={value}" for name, value in variables.items())]
        command += [str(self.folder / kind), *self._arguments(kind), *more]
        done = subprocess.run(
            command, env={"PATH": os.environ["PATH"]}, cwd="/", umask=0, timeout=300,
            capture_output=True, text=True, errors="replace",
        )  # fmt: skip
        store, proxy = self.folder / "store", self._proxy.getsockname()[1]
        result = Result(done.stdout, done.stderr, done.returncode, self.trap, store, proxy)
        if log.exists():
            _read(log.read_text(errors="replace"), result)
        return result

    def _arguments(self, kind: str) -> list[str]:
        store = self.folder / "store" / kind
        store.parent.mkdir(exist_ok=True)
        store.parent.chmod(0o755)
        if not store.exists():
            store.mkdir(mode=0o700)
            if kind != "setuid":
                shutil.chown(store, USER)
        common = {
            "client_id": CLIENT,
            "authority": f"http://127.0.0.1:{self._server.server_address[1]}/t",
            "authority_type": "openid",
        }
        configurations = [
            {
                **common,
                "store": {"directory": str(store), "key_sources": ["secret_service", "key_file"]},
                "broker": "prefer",
            },
            {**common, "store": {"kind": "memory"}},
            # No such host exists (RFC 6761 section 6.4): without a proxy no connection is made.
            {**common, "store": {"kind": "memory"}, "authority": "https://provider.invalid/t"},
        ]
        request = {"scopes": ["files.read"], "timeout_milliseconds": 3000}
        return [json.dumps(document) for document in (*configurations, request)]


def _read(log: str, result: Result) -> None:
    """Adds the paths, ports and programs of a trace to a result."""
    for line in log.splitlines():
        call = line.split("(", 1)[0].split()[-1] if "(" in line else ""
        if call == "execve":
            path = TEXT.search(line)
            # The arguments are not paths.
            if path and path[1] != ENV:
                result.started.append(path[1])
            continue
        texts = TEXT.findall(line)
        result.paths += texts
        if call in ("open", "openat", "creat") and WRITES.search(line):
            result.written += texts[:1]
        result.ports += [int(port) for port in PORT.findall(line)]
