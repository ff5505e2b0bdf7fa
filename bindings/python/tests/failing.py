# SPDX-License-Identifier: MIT
"""Fixtures of the tests in which locks of open file descriptions, or shared mappings, fail."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shim") / "failing_calls.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, HERE / "failing_calls.c", "-ldl"], check=True)
    return path


FAILURES = {
    "locks EINVAL": {"TEST_LOCK_ERROR": str(errno.EINVAL)},
    "locks ENOLCK": {"TEST_LOCK_ERROR": str(errno.ENOLCK)},
    "mappings ENODEV": {"TEST_MAP_ERROR": str(errno.ENODEV)},
    "both": {"TEST_LOCK_ERROR": str(errno.EINVAL), "TEST_MAP_ERROR": str(errno.ENODEV)},
}
