# SPDX-License-Identifier: MIT
"""A registry of container images on this machine, which exchanges tokens like an Azure Container Registry."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import secrets
import tarfile
import threading
import time
import urllib.parse
from pathlib import Path
from typing import Any

from services import Handler, Server, token_of

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


class Registry(Server):
    """A registry with one image."""

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

        class Requests(Handler):
            def _serve(self) -> None:
                body = self.body()
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
                common = [("Docker-Distribution-Api-Version", "registry/2.0")]
                if "/manifests/" in self.path:
                    common.append(("Docker-Content-Digest", _digest(registry._manifest)))
                self.send(status, content, *common, *headers)

            do_GET = do_POST = do_HEAD = _serve  # noqa: N815

        super().__init__(Requests, certificate)


class Daemon(Server):
    """The part of Docker's daemon that checks a login."""

    def __init__(self) -> None:
        """Starts the daemon, which accepts every login."""
        self.logins: list[dict[str, str]] = []
        """The logins that were checked."""
        daemon = self

        class Requests(Handler):
            def _serve(self) -> None:
                body = self.body()
                content = b"{}"
                if self.path.endswith("/auth"):
                    daemon.logins.append(json.loads(body))
                    content = json.dumps({"Status": "Login Succeeded"}).encode()
                self.send(200, content, ("Api-Version", "1.43"), ("Content-Type", "application/json"))

            do_GET = do_POST = do_HEAD = _serve  # noqa: N815

        super().__init__(Requests)
        self.address = f"tcp://{self.host}"
