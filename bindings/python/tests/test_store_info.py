# SPDX-License-Identifier: MIT
"""The report of a store, and the key that a program provides."""

from __future__ import annotations

import pytest

from fake import CREATE, STORE_INFO, Fake
from tessera_identity import InvalidRequestError, PublicClientApplication, StorageError

INFO = {
    "state": "locked",
    "storage_policy": "prefer_encrypted",
    "protection": "encrypted",
    "key_source": "secret_service",
    "attempts": [{"source": "kernel_keyring", "problem": "blocked", "reason": "not allowed"}],
    "path": "/home/ä/default.db",
    "layout_version": 3000,
    "records": {"accounts": 1},
    "network_file_system": False,
    "lock_scope": "machine",
    "shared_with_peers": True,
    "set_aside": [],
    "problem": {"remedy": "fix_storage", "code": "key_unavailable", "message": "m"},
}


def test_every_member_becomes_an_attribute(
    fake: Fake, application: PublicClientApplication
) -> None:
    fake.set_response(STORE_INFO, INFO)
    info = application.store_info()
    for name in ("state", "storage_policy", "protection", "key_source", "path", "records"):
        assert getattr(info, name) == INFO[name]
    assert info.layout_version == 3000
    assert info.network_file_system is False
    assert info.lock_scope == "machine"
    assert info.shared_with_peers is True
    assert [each.problem for each in info.attempts] == ["blocked"]
    assert info.set_aside == ()
    assert isinstance(info.problem, StorageError)
    assert info.problem.code == "key_unavailable"
    assert info.extra == {}
    assert fake.request(STORE_INFO) == {}
    application.store_info(timeout=1.5)
    assert fake.request(STORE_INFO) == {"timeout_milliseconds": 1500}


def test_unknown_values_are_none(fake: Fake, application: PublicClientApplication) -> None:
    fake.set_response(STORE_INFO, {"state": "missing", "storage_policy": "memory_only"})
    info = application.store_info()
    assert info.protection is None
    assert info.problem is None
    assert info.attempts == ()


def test_key_of_a_function_reaches_the_library(fake: Fake) -> None:
    fake.set_response(STORE_INFO, INFO)
    key = bytes(range(32))
    with PublicClientApplication("client", store_key=lambda: key) as application:
        assert fake.request(CREATE) == {"client_id": "client", "log_level": 4}
        application.store_info()
    assert fake.key == key


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (b"short", ValueError),
        ("text", TypeError),
        (None, TypeError),
        (KeyboardInterrupt, KeyboardInterrupt),
    ],
)
def test_an_invalid_key_raises_in_the_call(
    fake: Fake, given: object, error: type[BaseException]
) -> None:
    def provide_key() -> object:
        if isinstance(given, type):
            raise given
        return given

    fake.set_response(STORE_INFO, INFO)
    application = PublicClientApplication("client", store_key=provide_key)  # type: ignore[arg-type]
    with pytest.raises(error):
        application.store_info()
    assert fake.key == bytes(32)


@pytest.mark.parametrize("key", ["text", 5])
def test_a_key_of_another_type_is_rejected(key: object) -> None:
    with pytest.raises(TypeError, match="store_key must be bytes or a function"):
        PublicClientApplication("client", store_key=key)  # type: ignore[arg-type]


def test_sources_are_several(fake: Fake) -> None:
    with pytest.raises(TypeError):
        PublicClientApplication("client", key_sources="key_file")  # type: ignore[arg-type]
    fake.set_error(STORE_INFO, 3, code="missing_parameter", message="m")
    with PublicClientApplication("client") as application, pytest.raises(InvalidRequestError):
        application.store_info()
