# SPDX-License-Identifier: MIT
"""Conversion of the Python constructor's arguments to the configuration of C programs."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import CDLL, byref, c_char_p, c_void_p
from pathlib import Path
from typing import Any

import document_table


def nested(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the configuration with the objects that the arguments are members of.

    Other members are copied, so that a configuration which is nested already is not changed.
    """
    documents = document_table.read(document_table.TABLE.read_text())
    places = {
        inner.formerly or inner.name: (outer.name, inner.name)
        for outer in documents["Configuration"].members
        if outer.document
        for inner in documents[outer.document].members
    }
    configuration: dict[str, Any] = {}
    for name, value in arguments.items():
        if name == "store" and isinstance(value, str):
            place = ("store", "kind")
        elif name in places and name not in ("kind", "store"):
            place = places[name]
        else:
            configuration[name] = value
            continue
        if value is not None:
            amount = value * 1000 if name == "network_timeout_seconds" else value
            configuration.setdefault(place[0], {})[place[1]] = amount
    return configuration


def accepted_by(library: Path, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the configuration in the form that a library accepts.

    Version 0.1.0 has the names of the arguments, without objects.
    """
    loaded = CDLL(str(library))
    application, response = c_void_p(), c_char_p()
    sample = b'{"client_id": "client", "store": {"kind": "memory"}}'
    status = loaded.tessera_application_create(sample, None, byref(application), byref(response))
    loaded.tessera_string_free(response)
    loaded.tessera_application_free(application)
    return dict(arguments) if status else nested(arguments)
