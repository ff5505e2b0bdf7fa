# SPDX-License-Identifier: MIT
"""Programs of the Azure SDK with Tessera's credential and a store filled by a C program."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import tempfile
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from azure.core import AsyncPipelineClient, PipelineClient
from azure.core.pipeline.policies import (
    AsyncBearerTokenCredentialPolicy,
    BearerTokenCredentialPolicy,
)
from azure.core.pipeline.transport import AsyncioRequestsTransport
from azure.core.rest import HttpRequest
from azure.identity import ChainedTokenCredential, CredentialUnavailableError
from tessera_identity.azure import TesseraCredential
from tessera_identity.azure.aio import TesseraCredential as AsyncTesseraCredential

from configurations import nested
from examples import Desk, expect
from provider import ROOT, Provider

CLIENT = Desk.client_id
FILLER = ROOT / "build/interop/filler"
SCOPE = "https://storage.azure.com/.default"
CLAIMS = '{"access_token":{"nbf":{"essential":true,"value":"1"}}}'


class Service:
    """A resource that requires a bearer token, optionally with claims; a context manager that stops it."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        """The received tokens."""
        self.challenges = 0
        """The number of following requests that get a claims challenge."""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                kind, _, token = (self.headers["Authorization"] or "").partition(" ")
                service.tokens.append(token if kind == "Bearer" else "")
                challenged = service.challenges > 0
                service.challenges -= challenged
                self.send_response(401 if challenged else 200)
                if challenged:
                    claims = base64.b64encode(CLAIMS.encode()).decode()
                    matches = f'Bearer realm="", error="insufficient_claims", claims="{claims}"'
                    self.send_header("WWW-Authenticate", matches)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Logs nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def filled(provider: Provider, configuration: dict[str, Any]) -> dict[str, Any]:
    """Returns the response of a C program that signs Alice in."""
    request = json.dumps({"scopes": [SCOPE]})
    command = [str(FILLER), json.dumps(nested({"client_id": CLIENT, **configuration})), request]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        prompt = json.loads(process.stdout.readline())
        expect("user_code" in prompt, f"the program in C showed {prompt}")
        provider.approve(prompt["user_code"])
        return dict(json.loads(process.stdout.read()))


def run_row(scenario: Callable[[dict[str, Any], Service], str], configuration: dict[str, Any]) -> None:
    """Lets a program use the store that a C program filled, and counts the requests."""
    with Provider("--interval", "1") as provider, Service() as service:
        place = {"authority": provider.entra_authority, "authority_type": "entra", **configuration}
        signed_in = filled(provider, place)
        before = provider.counts()["tokens_issued"]
        newest = scenario(place, service)
        expect(
            set(service.tokens[:-1]) == {signed_in["access_token"]}, "the service saw another token"
        )
        expect(
            service.tokens[-1] == newest != signed_in["access_token"],
            "the challenge brought no other token",
        )
        issued = provider.counts()["tokens_issued"] - before
        expect(issued == 1, f"the provider gave out {issued} tokens")


class Nobody:
    """A credential without a token, as the first one of a chain."""

    def get_token(self, *_: str, **__: Any) -> Any:
        """Raises CredentialUnavailableError."""
        raise CredentialUnavailableError("nobody")

    get_token_info = get_token


def clients(place: dict[str, Any], service: Service) -> str:
    """Uses a client with a chain of credentials twice, then with a claims challenge."""
    with TesseraCredential(CLIENT, username="alice@contoso.com", **place) as credential:
        policy = BearerTokenCredentialPolicy(ChainedTokenCredential(Nobody(), credential), SCOPE)
        client: Any = PipelineClient(service.address, policies=[policy])
        with client:
            for challenges in (0, 0, 1):
                service.challenges = challenges
                request = HttpRequest("GET", service.address)
                client.send_request(request, enforce_https=False).raise_for_status()
    return service.tokens[-1]


def async_clients(place: dict[str, Any], service: Service) -> str:
    """The same with an asynchronous client."""

    async def use() -> None:
        async with AsyncTesseraCredential(
            CLIENT, username="alice@contoso.com", **place
        ) as credential:
            policy = AsyncBearerTokenCredentialPolicy(credential, SCOPE)
            transport = AsyncioRequestsTransport()
            client: Any = AsyncPipelineClient(
                service.address, policies=[policy], transport=transport
            )
            async with client:
                for challenges in (0, 0, 1):
                    service.challenges = challenges
                    answer = await client.send_request(
                        HttpRequest("GET", service.address), enforce_https=False
                    )
                    answer.raise_for_status()

    asyncio.run(use())
    return service.tokens[-1]


def in_default_store(scenario: Callable[[dict[str, Any], Service], str]) -> None:
    """With the default store."""
    with tempfile.TemporaryDirectory() as folder:
        run_row(scenario, {"store_directory": folder, "key_sources": ["key_file"]})


def in_file(scenario: Callable[[dict[str, Any], Service], str], folder: Path) -> None:
    """With the file shared by all libraries."""
    run_row(scenario, {"store": "msal_file", "msal_cache": str(folder / "msal_token_cache.json")})


AZURE: dict[str, Callable[[Path], None]] = {
    "a client of the Azure SDK, default store": lambda _: in_default_store(clients),
    "an asynchronous client of the Azure SDK, default store": lambda _: in_default_store(
        async_clients
    ),
    "a client of the Azure SDK, shared file": lambda folder: in_file(clients, folder),
    "an asynchronous client of the Azure SDK, shared file": lambda folder: in_file(
        async_clients, folder
    ),
}
