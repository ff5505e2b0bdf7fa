# SPDX-License-Identifier: MIT
"""The telemetry for Entra, if a program enables it: the two header fields, unmodified."""

from __future__ import annotations

import time

from entra import Answer
from world import SCOPES, Vector, World, expect, row

ALLOWED = {"server_telemetry": True}


def sent_field(world: World, name: str) -> str:
    """Returns a field of the latest token request."""
    return world.entra.seen[-1].headers[f"x-client-{name}-telemetry"]


def as_ours(vector: Vector, **words: str) -> str:
    """Returns the expected value of a vector with our function number; 30 is another form of a silent call."""
    expected = str(vector["expected"]).replace("30,", "34,")
    for old, new in words.items():
        expected = expected.replace(old, new)
    return expected


@row("telemetry", "current header, proactive refresh")
def proactive(world: World, vector: Vector) -> None:
    world.entra.members["refresh_in"] = 1
    home = world.sign_in()
    silent = {"home_account_id": home, "scopes": SCOPES}
    time.sleep(1.1)
    expect(world.call("silent", silent)["source"], "network")
    time.sleep(1.1)
    for seen in world.entra.seen:
        assert not any("telemetry" in name for name in seen.headers), seen.headers
    expect(world.call("silent", silent, **ALLOWED)["source"], "network")
    expect(sent_field(world, "current"), as_ours(vector))
    expect(sent_field(world, "last"), "4|0|||")


@row("telemetry", "last header, one error")
def one_error(world: World, vector: Vector) -> None:
    home = world.sign_in()
    silent = {"home_account_id": home, "scopes": SCOPES}
    other = {**silent, "scopes": ["other.read"], "correlation_id": vector["input"]["correlationId"]}
    world.entra.answers.append(Answer(400, {"error": "invalid_scope"}))
    calls = [("silent", other), ("silent", {**silent, "force_refresh": True})]
    failed, _ = world.calls(*calls, **ALLOWED)
    expect(sent_field(world, "last"), as_ours(vector, error=failed["error"]["code"]))
    # A second application has had two cache hits, and no error.
    hits = [("silent", silent)] * 2
    world.calls(*hits, calls[1], **ALLOWED)
    expect(sent_field(world, "last"), "4|2|||")
