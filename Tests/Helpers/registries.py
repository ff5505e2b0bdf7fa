# SPDX-License-Identifier: MIT
"""A registry of container images on this machine, which exchanges tokens like an Azure Container Registry."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import secrets
import ssl
import tarfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from services import token_of

USERNAME = "00000000-0000-0000-0000-000000000000"


def unsigned(claims: dict[str, Any]) -> str:
    """Returns a JSON Web Token without a valid signature."""
    parts = [json.dumps(part).encode() for part in ({"alg": "none"}, claims)]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in [*parts, b"x"])


def _image() -> tuple[bytes, str, dict[str, bytes]]:
    """Returns the manifest of an image with one empty layer, its type, and its blobs."""
    layer = io.BytesIO()
    tarfile.open(fileobj=layer, mode="w").close()
    packed = gzip.compress(layer.getvalue(), mtime=0)
    configuration = json.dumps({
        "architecture": "amd64", "os": "linux", "config": {},
        "rootfs": {"type": "layers", "diff_ids": [_digest(layer.getvalue())]},
    }).encode()  # fmt: skip
    kind = "application/vnd.docker.distribution.manifest.v2+json"
    manifest = {
        "schemaVersion": 2, "mediaType": kind,
        "config": {
            "mediaType": "application/vnd.docker.container.image.v1+json", "size": len(configuration),
            "digest": _digest(configuration),
        },
        "layers": [{
            "mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip", "size": len(packed),
            "digest": _digest(packed),
        }],
    }  # fmt: skip
    return json.dumps(manifest).encode(), kind, {_digest(blob): blob for blob in (configuration, packed)}


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


class Registry:
    """A registry with one image; a context manager that stops it."""

    def __init__(self, *, exchanges: bool, certificate: Path | None = None) -> None:
        """Starts the registry, which requires tokens of its own, or a user name with a token of the provider."""
        self.received: list[tuple[str, str, str]] = []
        """The scheme, the user name and the token of each request that had one."""
        self.exchanged: list[dict[str, str]] = []
        """The fields of each exchange."""
        self.lifetime = 10_000
        self.status = 200
        """The status of an exchange."""
        self.location = ""
        self.is_open = threading.Event()
        """Exchanges wait for this event."""
        self.is_open.set()
        self._issued: set[str] = set()
        self._manifest, self._kind, self._blobs = _image()
        registry = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                path = urllib.parse.urlsplit(self.path).path
                found = token_of(self.headers.get("Authorization"))
                if found:
                    registry.received.append(found)
                if path == "/oauth2/exchange":
                    self._exchange(dict(urllib.parse.parse_qsl(body.decode())))
                elif path == "/oauth2/token":
                    self._token(found, dict(urllib.parse.parse_qsl(body.decode())))
                elif not found or (exchanges and found[2] not in registry._issued):
                    host = self.headers["Host"]
                    realm = f'Bearer realm="{registry.url}/oauth2/token",service="{host}"'
                    self._send(401, b"", ("WWW-Authenticate", realm if exchanges else 'Basic realm="registry"'))
                elif path == "/v2/":
                    self._send(200, b"{}")
                elif "/manifests/" in path:
                    self._send(200, registry._manifest, ("Content-Type", registry._kind))
                else:
                    blob = registry._blobs.get(path.rpartition("/")[2])
                    self._send(200 if blob else 404, blob or b"")

            def _exchange(self, fields: dict[str, str]) -> None:
                registry.exchanged.append(fields)
                registry.is_open.wait(60)
                if registry.status != 200:
                    problem = {"errors": [{"code": "UNAUTHORIZED", "message": f"no: {fields['access_token']}"}]}
                    return self._send(
                        registry.status, json.dumps(problem).encode(), ("Location", registry.location)
                    )
                token = unsigned({"exp": int(time.time()) + registry.lifetime, "jti": secrets.token_hex(4)})
                registry._issued.add(token)
                return self._send(200, json.dumps({"refresh_token": token}).encode())

            def _token(self, found: tuple[str, str, str] | None, fields: dict[str, str]) -> None:
                refresh = fields.get("refresh_token") or (found and found[1] == USERNAME and found[2])
                if refresh not in registry._issued:
                    return self._send(401, b"{}")
                token = secrets.token_hex(16)
                registry._issued.add(token)
                return self._send(200, json.dumps({"access_token": token, "token": token}).encode())

            def _send(self, status: int, content: bytes, *headers: tuple[str, str]) -> None:
                self.send_response(status)
                self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
                if "/manifests/" in self.path:
                    self.send_header("Docker-Content-Digest", _digest(registry._manifest))
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_HEAD = _serve  # noqa: N815

            def log_message(self, *_arguments: object) -> None:
                """Prints nothing."""

        class Server(ThreadingHTTPServer):
            request_queue_size = 64
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http{'s' if certificate else ''}://{self.host}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class Daemon:
    """The part of Docker's daemon that checks a login; a context manager that stops it."""

    def __init__(self) -> None:
        """Starts the daemon, which accepts every login."""
        self.logins: list[dict[str, str]] = []
        """The logins that were checked."""
        daemon = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                content = b"{}"
                if self.path.endswith("/auth"):
                    daemon.logins.append(json.loads(body))
                    content = json.dumps({"Status": "Login Succeeded"}).encode()
                self.send_response(200)
                self.send_header("Api-Version", "1.43")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_HEAD = _serve  # noqa: N815

            def log_message(self, *_arguments: object) -> None:
                """Prints nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"tcp://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
