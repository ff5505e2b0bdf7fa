# SPDX-License-Identifier: MIT
"""Metrics, their observer, and the trace context of calls."""

from __future__ import annotations

import asyncio
import pickle
import threading
from typing import Any

import pytest

from fake import ACCOUNT, DEVICE_CODE, INTERACTIVE, METRICS, PROMPT, SIGN_OUT, SILENT, TOKEN, Fake
from tessera_identity import (
    MetricHistogram,
    MetricsSnapshot,
    MetricValue,
    PublicClientApplication,
    aio,
)

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
TRACE: dict[str, Any] = {"traceparent": PARENT, "tracestate": "vendor=value"}
COUNTER = {
    "name": "calls_succeeded", "alias": "MsalSuccess", "unit": "count",
    "tags": {"function": "acquire_token_silent", "source": "memory"}, "value": 7,
}  # fmt: skip
GAUGE = {"name": "cached_responses", "unit": "count", "tags": {}, "value": 1}
HISTOGRAM = {
    "name": "call_duration", "unit": "microseconds", "tags": {"outcome": "success"}, "count": 3, "sum": 30,
    "bounds": [10, 25], "counts": [1, 1, 1],
}  # fmt: skip
DOCUMENT = {"counters": [COUNTER], "gauges": [GAUGE], "histograms": [HISTOGRAM]}
REPORT: dict[str, Any] = {
    "scope": "application", "accounts": [],
    "removed": {"accounts": 0, "access_tokens": 0, "refresh_tokens": 0, "id_tokens": 0},
    "remaining": [], "revocations": [], "warnings": [],
}  # fmt: skip


def test_snapshot_has_typed_values(fake: Fake) -> None:
    fake.set_response(METRICS, DOCUMENT)
    metrics = PublicClientApplication("client").metrics()
    assert metrics == MetricsSnapshot(DOCUMENT)
    assert metrics.counters == (MetricValue(COUNTER),)
    assert metrics.counters[0].alias == "MsalSuccess"
    assert metrics.gauges[0].alias is None
    assert metrics.histograms == (MetricHistogram(HISTOGRAM),)
    assert metrics.histograms[0].bounds == (10, 25)
    assert metrics.to_dict() == DOCUMENT
    assert pickle.loads(pickle.dumps(metrics)) == metrics
    assert hash(metrics) == hash(MetricsSnapshot(DOCUMENT))


def test_coroutine_has_the_same_snapshot(fake: Fake) -> None:
    fake.set_response(METRICS, DOCUMENT)
    metrics = asyncio.run(aio.PublicClientApplication("client").metrics())
    assert metrics == MetricsSnapshot(DOCUMENT)


def test_observer_receives_changes_on_the_calling_thread(fake: Fake) -> None:
    seen: list[tuple[str, int, dict[str, str], int]] = []
    fake.set_response(METRICS, DOCUMENT)
    application = PublicClientApplication(
        "client", observe=lambda *change: seen.append((*change, threading.get_ident()))
    )
    application.metrics()
    assert seen == [("call_duration", 5_000_000_000, {"function": "sign_out"}, threading.get_ident())]


def test_exception_of_an_observer_comes_out_of_the_call(fake: Fake) -> None:
    def observe(_name: str, _value: int, _tags: dict[str, str]) -> None:
        raise ValueError("observer")

    fake.set_response(METRICS, DOCUMENT)
    with pytest.raises(ValueError, match="observer"):
        PublicClientApplication("client", observe=observe).metrics()


def test_observer_must_be_a_function(fake: Fake) -> None:
    wrong: Any = "observe"
    with pytest.raises(TypeError, match="observe must be a function"):
        PublicClientApplication("client", observe=wrong)
    unknown: Any = {"observer": print}
    with pytest.raises(TypeError, match="unexpected keyword argument 'observer'"):
        PublicClientApplication("client", **unknown)


def trace(request: dict[str, Any]) -> dict[str, Any]:
    return {name: request.get(name) for name in TRACE}


def test_trace_context_is_passed_to_the_library(fake: Fake) -> None:
    application = PublicClientApplication("client")
    for function in (SILENT, INTERACTIVE, DEVICE_CODE):
        fake.set_response(function, TOKEN)
    fake.set_response(SIGN_OUT, REPORT)
    fake.set_prompt(PROMPT)
    account = ACCOUNT["home_account_id"]
    application.acquire_token_silent(["s"], account=account, **TRACE)
    assert trace(fake.request(SILENT)) == TRACE
    application.acquire_token_silent(["s"], account=account, force_refresh=True, **TRACE)
    assert trace(fake.request(SILENT)) == TRACE
    application.acquire_token_interactive(["s"], prompt_callback=None, **TRACE)
    assert trace(fake.request(INTERACTIVE)) == TRACE
    application.acquire_token_by_device_code(["s"], prompt_callback=lambda _: None, **TRACE)
    assert trace(fake.request(DEVICE_CODE)) == TRACE
    application.sign_out(account, **TRACE)
    assert trace(fake.request(SIGN_OUT)) == TRACE


def test_trace_context_is_not_kept_for_later_calls(fake: Fake) -> None:
    application = PublicClientApplication("client")
    fake.set_response(SILENT, TOKEN)
    first = application.acquire_token_silent(["s"], account="a", **TRACE)
    assert application.acquire_token_silent(["s"], account="a") is first
    assert trace(fake.request(SILENT)) == dict.fromkeys(TRACE)
    application.acquire_token_silent(["s"], account="a", traceparent=PARENT)
    assert trace(fake.request(SILENT)) == {"traceparent": PARENT, "tracestate": None}


def test_unknown_argument_is_still_an_error(fake: Fake) -> None:
    application = PublicClientApplication("client")
    unknown: Any = {"traceparents": PARENT}
    for call in (
        application.acquire_token_silent, application.acquire_token_interactive,
        application.acquire_token_by_device_code, application.begin_sign_in,
    ):  # fmt: skip
        with pytest.raises(TypeError, match="unexpected keyword argument 'traceparents'"):
            call(["s"], **unknown)
