# SPDX-License-Identifier: MIT
"""The results of rare calls: reports, and descriptions of stores, caches and brokers.

A program that only acquires tokens does not import this module. Creating its classes takes a millisecond.
"""

from __future__ import annotations

from ._errors import nested_error
from ._values import Account, Value, assign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from ._errors import TesseraError

    StoragePolicy = Literal[
        "require_encrypted", "prefer_encrypted", "allow_plaintext", "memory_only"
    ]
    KeySource = Literal["caller", "secret_service", "kernel_keyring", "key_file"]


class CopiedAccount(Value):
    """An account of the other store.

    Attributes:
        home_account_id: The home account ID.
        environment: The host of the cloud, or the issuer without ``https://``.
        username: The user name; empty if the store does not contain it.
        outcome: `copied`; or `already_here` if this store already had the same or newer records.
        record_count: The number of records that were added or updated.
    """

    _required = ("home_account_id", "environment", "outcome", "record_count")
    _optional = ("username",)
    __slots__ = ("environment", "home_account_id", "outcome", "record_count", "username")

    home_account_id: str
    environment: str
    username: str | None
    outcome: Literal["copied", "already_here"]
    record_count: int


class CopyReport(Value):
    """The accounts of another store and the numbers of copied records.

    Attributes:
        dry_run: Whether it is the report of a dry run, in which nothing was stored.
        accounts: The result for each account.
        record_count: The number of records that were added or updated, including those without an account.
    """

    _required = ("dry_run", "record_count")
    _optional = ("accounts",)
    __slots__ = ("accounts", "dry_run", "record_count")

    dry_run: bool
    accounts: tuple[CopiedAccount, ...]
    record_count: int

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `CopyReport`."""
        super().__init__(document)
        accounts = tuple(CopiedAccount(each) for each in document.get("accounts") or ())
        assign(self, "accounts", accounts)


class MigratedAccount(Value):
    """An account of one application in the cache of an older library.

    Attributes:
        username: The user name; empty if the cache does not contain it.
        environment: The host of the authority.
        client_id: The application; `foci-` and a number for tokens of a family.
        outcome: `migrated`, `already_migrated`, `already_signed_in` (the application already has a
            sign-in for the account; the imported token is used if the server rejects that sign-in) or
            `not_migrated`.
        home_account_id: The home account ID if the cache contains it; otherwise known after the first token.
        reason: The reason for `not_migrated`: `no_refresh_token`, `refused`, `retired`, `unknown_person`,
            `unknown_authority` (an authority that this application does not trust, such as ADFS),
            `too_many_tokens` or `name_only`; otherwise None.
        advice: The advice for the user.
    """

    _required = ("username", "environment", "client_id", "outcome")
    _optional = ("home_account_id", "reason", "advice")
    __slots__ = (
        "advice", "client_id", "environment", "home_account_id", "outcome", "reason", "username",
    )  # fmt: skip

    username: str
    environment: str
    client_id: str
    outcome: str
    home_account_id: str | None
    reason: str | None
    advice: str | None


class MigrationReport(Value):
    """The contents of the cache of an older library, and the migrated records.

    Attributes:
        format: The detected format, such as `adal_python`.
        dry_run: Whether it is the report of a dry run, in which nothing was stored.
        accounts: The result for each account.
        record_count: The number of records of the unified schema that were migrated or already present; in a dry
            run, the number that would be migrated. Their accounts are in `accounts`.
        preserved: The numbers of entries that are not migrated because only their owner can use them, by kind.
        damaged: The entries that could not be read, each with `code`, `message` and the zero-based index `entry`,
            which is absent for the whole cache.
        further_damaged: The number of further entries that could not be read.
    """

    _required = ("format", "dry_run", "record_count", "preserved", "further_damaged")
    _optional = ("accounts", "damaged")
    __slots__ = (
        "accounts", "damaged", "dry_run", "format", "further_damaged", "preserved", "record_count",
    )  # fmt: skip

    format: str
    dry_run: bool
    accounts: tuple[MigratedAccount, ...]
    record_count: int
    preserved: dict[str, int]
    damaged: tuple[dict[str, Any], ...]
    further_damaged: int

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `MigrationReport`."""
        super().__init__(document)
        accounts = tuple(MigratedAccount(each) for each in document.get("accounts") or ())
        assign(self, "accounts", accounts)
        assign(self, "damaged", tuple(document.get("damaged") or ()))


class ExportedSignIns(Value):
    """Sign-ins in the format of an older library. They contain refresh tokens.

    Attributes:
        format: `apple_keychain` or `adal_macos`.
        account_count: The number of exported accounts; the cache of ADAL for macOS contains only accounts with a
            user name.
        access_groups: The keychain access groups of iOS and macOS in which ADAL and MSAL search.
        items: The keychain items, each with `account`, `service`, `generic` (Base64), `type` and `value` (Base64).
        data: The cache of ADAL for macOS with the accounts; None for a keychain.
    """

    _required = ("format", "account_count")
    _optional = ("access_groups", "items", "data")
    _hidden = frozenset(("items", "data"))
    __slots__ = ("access_groups", "account_count", "data", "format", "items")

    format: str
    account_count: int
    access_groups: tuple[str, ...]
    items: tuple[dict[str, Any], ...]
    data: bytes | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `ExportedSignIns`."""
        # Imported on demand, because it would delay the start of programs that export nothing.
        from base64 import b64decode

        super().__init__(document)
        assign(self, "access_groups", tuple(document.get("access_groups") or ()))
        assign(self, "items", tuple(document.get("items") or ()))
        data = document.get("data")
        assign(self, "data", None if data is None else b64decode(data))


class LeftoverToken(Value):
    """A record that remains after a sign-out.

    Attributes:
        kind: The kind: `other_application`, `family_refresh_token`, `handed_out_access_tokens`,
            `unrevoked_refresh_tokens`, `browser_session`, `set_aside_store` or `other_group`; see
            docs/c-interface.md.
        client_id: The application that has the token, if there is one.
        expires_on: The expiry time in seconds since 1970, if known.
        path: The file that contains it, if there is one.
    """

    _required = ("kind",)
    _optional = ("client_id", "expires_on", "path")
    __slots__ = ("client_id", "expires_on", "kind", "path")

    kind: str
    client_id: str | None
    expires_on: int | None
    path: str | None


class Revocation(Value):
    """The result of the revocation of a refresh token.

    Attributes:
        client_id: The application to which the token was issued.
        revoked: Whether the token was revoked.
        error: The error of the revocation; None if it succeeded.
    """

    _required = ("client_id", "revoked")
    _optional = ("error",)
    __slots__ = ("client_id", "error", "revoked")

    client_id: str
    revoked: bool
    error: TesseraError | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object."""
        super().__init__(document)
        error = document.get("error")
        assign(self, "error", None if error is None else nested_error(error))


class SignOutReport(Value):
    """The report of a sign-out. The data on this machine was removed, even if requests to the provider failed.

    Attributes:
        scope: The scope: `application`, `every_application` or `machine`.
        accounts: The accounts that were signed out; for `machine`, those that this application knew.
        removed: The numbers of removed `accounts`, `access_tokens`, `refresh_tokens` and `id_tokens`.
        remaining: The records that remain.
        revocations: The results of the revocations, one for each refresh token.
        end_session_url: The URL at which a browser ends its session; None if not requested or not supported by the
            provider. It contains the ID token of the account (`id_token_hint`): do not log it. `repr()` of the
            report does not show it.
        broker: The result of the identity broker, if requested: the number of `removed` accounts, and the `error`
            (a JSON object) if it failed.
        warnings: Warnings about requests that failed.
    """

    _required = ("scope", "removed")
    _hidden = frozenset({"end_session_url"})
    _optional = ("accounts", "remaining", "revocations", "end_session_url", "broker", "warnings")
    __slots__ = (
        "accounts", "broker", "end_session_url", "remaining", "removed", "revocations", "scope", "warnings",
    )  # fmt: skip

    scope: str
    removed: dict[str, int]
    accounts: tuple[Account, ...]
    remaining: tuple[LeftoverToken, ...]
    revocations: tuple[Revocation, ...]
    end_session_url: str | None
    broker: dict[str, Any] | None
    warnings: tuple[str, ...]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `SignOutReport`."""
        super().__init__(document)
        lists = {"accounts": Account, "remaining": LeftoverToken, "revocations": Revocation}
        for name, kind in lists.items():
            assign(self, name, tuple(kind(each) for each in document.get(name) or ()))
        assign(self, "warnings", tuple(document.get("warnings") or ()))


class KeyAttempt(Value):
    """A key source that could not provide the key of the store, with the reason.

    Attributes:
        source: The key source: `secret_service`, `kernel_keyring`, `key_file` or `caller`.
        problem: The reason as a code, such as `no_bus`, `locked` or `timeout`.
        reason: The reason for developers.
    """

    _required = ("source", "problem", "reason")
    __slots__ = ("problem", "reason", "source")

    source: KeySource
    problem: str
    reason: str


class MetricValue(Value):
    """A counter or a present value.

    Attributes:
        name: The name of the metric, such as `calls_succeeded`; docs/metrics.md lists them.
        alias: The name of the same metric in MSAL for .NET; None for none.
        unit: The unit of the value: `count` or `bytes`.
        tags: The tags of the metric by name, such as `function`.
        value: The value.
    """

    _required = ("name", "unit", "tags", "value")
    _optional = ("alias",)
    __slots__ = ("alias", "name", "tags", "unit", "value")

    name: str
    alias: str | None
    unit: Literal["count", "bytes"]
    tags: dict[str, str]
    value: int


class MetricHistogram(Value):
    """A distribution of values.

    Attributes:
        name: The name of the metric, such as `call_duration`; docs/metrics.md lists them.
        alias: The name of the same metric in MSAL for .NET; None for none.
        unit: The unit of the values and of the bounds: `microseconds` or `seconds`.
        tags: The tags of the metric by name, such as `function`.
        count: The number of values.
        sum: The sum of all values.
        bounds: The inclusive upper bounds of the buckets, without the last bucket, which has none.
        counts: The number of values in each bucket, one more than `bounds`.
    """

    _required = ("name", "unit", "tags", "count", "sum", "bounds", "counts")
    _optional = ("alias",)
    __slots__ = ("alias", "bounds", "count", "counts", "name", "sum", "tags", "unit")

    name: str
    alias: str | None
    unit: Literal["microseconds", "seconds"]
    tags: dict[str, str]
    count: int
    sum: int
    bounds: tuple[int, ...]
    counts: tuple[int, ...]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of a histogram."""
        super().__init__(document)
        assign(self, "bounds", tuple(document["bounds"]))
        assign(self, "counts", tuple(document["counts"]))


class MetricsSnapshot(Value):
    """The metrics of an application since its creation; see docs/metrics.md.

    Attributes:
        counters: The numbers of events.
        gauges: The present values.
        histograms: The distributions of values.
    """

    _required = ("counters", "gauges", "histograms")
    __slots__ = ("counters", "gauges", "histograms")

    counters: tuple[MetricValue, ...]
    gauges: tuple[MetricValue, ...]
    histograms: tuple[MetricHistogram, ...]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the result of `tessera_application_metrics`."""
        super().__init__(document)
        assign(self, "counters", tuple(MetricValue(each) for each in document["counters"]))
        assign(self, "gauges", tuple(MetricValue(each) for each in document["gauges"]))
        assign(self, "histograms", tuple(MetricHistogram(each) for each in document["histograms"]))

    def __hash__(self) -> int:
        """Returns a hash of the counters, so that equal values have equal hashes."""
        return hash(self.counters)


class StoreInfo(Value):
    """The current state of a token store; see "StoreInfo" in docs/c-interface.md.

    Attributes:
        state: `missing`, `empty`, `usable`, `read_only`, `damaged`, `too_new`, `locked`, `undecryptable`,
            `busy` or `unavailable`.
        storage_policy: The configured storage policy.
        protection: `encrypted`, `obfuscated`, `plaintext` or `memory`; None if unknown.
        key_source: The key source that has the key; None if there is none.
        attempts: The key sources that failed, with the reasons.
        path: The database, the cache file of other libraries, or the file that signals changes of their keyring
            item; None for a store in memory.
        layout_version: The version of the layout.
        bytes: The used size of the database, in bytes.
        file_bytes: The size of the database file, in bytes.
        limit_bytes: The size above which expired access tokens, and then those that expire next, are evicted.
        records: The numbers of records, by kind.
        network_file_system: Whether the store is on a network file system, where locks apply to this machine only.
        lock_scope: The processes among which one at a time refreshes a token: `process`, `machine` or `host`.
        shared_with_peers: Whether applications with other libraries also use the store.
        set_aside: The quarantined databases, which were damaged.
        problem: The error that a call would raise.
    """

    _required = ("state", "storage_policy")
    _optional = (
        "protection",
        "key_source",
        "attempts",
        "path",
        "layout_version",
        "bytes",
        "file_bytes",
        "limit_bytes",
        "records",
        "network_file_system",
        "lock_scope",
        "shared_with_peers",
        "set_aside",
        "problem",
    )
    __slots__ = (
        "attempts",
        "bytes",
        "file_bytes",
        "key_source",
        "layout_version",
        "limit_bytes",
        "lock_scope",
        "network_file_system",
        "path",
        "problem",
        "protection",
        "records",
        "set_aside",
        "shared_with_peers",
        "state",
        "storage_policy",
    )

    state: str
    storage_policy: StoragePolicy
    protection: Literal["encrypted", "obfuscated", "plaintext", "memory"] | None
    key_source: KeySource | None
    attempts: tuple[KeyAttempt, ...]
    path: str | None
    layout_version: int | None
    bytes: int | None
    file_bytes: int | None
    limit_bytes: int | None
    records: Mapping[str, int] | None
    network_file_system: bool | None
    lock_scope: Literal["process", "machine", "host"] | None
    shared_with_peers: bool | None
    set_aside: tuple[str, ...]
    problem: TesseraError | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `StoreInfo`."""
        super().__init__(document)
        assign(self, "attempts", tuple(KeyAttempt(each) for each in document.get("attempts") or ()))
        assign(self, "set_aside", tuple(document.get("set_aside") or ()))
        problem = document.get("problem")
        assign(self, "problem", nested_error(problem) if problem else None)


class FoundCache(Value):
    """A possible location of the token cache of another tool.

    Attributes:
        name: The name of the cache. Most names are values of the configuration member `msal_cache`.
        owner: The tool that owns the cache, for display.
        kind: `file`, or `secret_service` for a keyring item.
        path: The file; for a keyring item, the file whose modification time signals changes.
        state: `missing`, `usable`, `locked` (unknown, because the keyring is locked, absent or unresponsive),
            `unreadable` (not a cache, or encrypted by its owner) or `unavailable` (the location cannot be read).
        selected: Whether this location is the one in use, or the one that the tool would create.
        schema: The schema of the keyring item; None for a file.
        accounts: The number of accounts; None unless the cache was read.
        modified_on: The modification time, in seconds since 1970.
        reason: A description of why it cannot be read, for display.
    """

    _required = ("name", "owner", "kind", "path", "state", "selected")
    _optional = ("schema", "accounts", "modified_on", "reason")
    __slots__ = _required + _optional

    name: str
    owner: str
    kind: Literal["file", "secret_service"]
    path: str
    state: Literal["missing", "usable", "locked", "unreadable", "unavailable"]
    selected: bool
    schema: str | None
    accounts: int | None
    modified_on: int | None
    reason: str | None


class TokenDescription(Value):
    """The unverified contents of a token, for display and debugging; never use them for a decision.

    Attributes:
        kind: `jwt`, or `opaque` for a format that only the issuer can read.
        verified: Always False.
        hint: A hint about the use of such a token.
        algorithm: The `alg` header parameter.
        issuer: The claimed issuer (`iss`).
        audiences: The audiences (`aud`).
        subject: The subject (`sub`).
        tenant_id: The tenant (`tid`).
        client_id: The application to which the token was issued (`azp`, `appid` or `client_id`).
        username: The user name.
        scopes: The delegated permissions (`scp` or `scope`).
        roles: The roles assigned to the application or the user (`roles`).
        issued_on: The time of issue in seconds since 1970 (`iat`).
        not_before_on: The start of validity in seconds since 1970 (`nbf`).
        expires_on: The expiry time in seconds since 1970 (`exp`).
    """

    _required = ("kind", "verified", "hint")
    _optional = (
        "algorithm", "issuer", "audiences", "subject", "tenant_id", "client_id", "username", "scopes",
        "roles", "issued_on", "not_before_on", "expires_on",
    )  # fmt: skip
    __slots__ = _required + _optional

    kind: str
    verified: bool
    hint: str
    algorithm: str | None
    issuer: str | None
    audiences: tuple[str, ...]
    subject: str | None
    tenant_id: str | None
    client_id: str | None
    username: str | None
    scopes: tuple[str, ...]
    roles: tuple[str, ...]
    issued_on: int | None
    not_before_on: int | None
    expires_on: int | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the JSON object `TokenDescription`."""
        super().__init__(document)
        for name in ("audiences", "scopes", "roles"):
            assign(self, name, tuple(document.get(name) or ()))


class BrokerAccount(Value):
    """An account of the identity broker, which need not be signed in to the application.

    Attributes:
        home_account_id: The home account ID, for `acquire_token_silent(account=…)`.
        local_account_id: The account ID in the tenant of the entry.
        environment: The host of the cloud.
        tenant_id: The tenant of the entry.
        username: The user name.
        name: The user's full name.
        given_name: The user's given name.
        family_name: The user's family name.
    """

    _required = ("home_account_id",)
    _optional = (
        "local_account_id", "environment", "tenant_id", "username", "name", "given_name", "family_name",
    )  # fmt: skip
    __slots__ = (*_required, *_optional)

    home_account_id: str
    local_account_id: str | None
    environment: str | None
    tenant_id: str | None
    username: str | None
    name: str | None
    given_name: str | None
    family_name: str | None


class BrokerCookie(Value):
    """A cookie that signs a browser in at the provider's pages. `repr()` does not show the content.

    Attributes:
        name: The name, such as `x-ms-RefreshTokenCredential`.
        content: The content.
    """

    _required = ("name", "content")
    _hidden = frozenset({"content"})
    __slots__ = _required

    name: str
    content: str


class SSOExtensionOperation(Value):
    """A request to the extension, in the form of Apple's classes. `repr()` does not show its options.

    Attributes:
        operation: The `requestedOperation` of an `ASAuthorizationSingleSignOnRequest`.
        options: The query items of its `authorizationOptions`, by name.
    """

    _required = ("operation", "options")
    _hidden = frozenset({"options"})
    __slots__ = _required

    operation: str
    options: dict[str, str]


class SSOExtensionAnswer(Value):
    """An unverified response of the extension. `repr()` shows no credentials.

    docs/brokers.md describes the members of the dictionaries. Attributes that the type of response does not have
    are None.

    Attributes:
        operation: The operation of the request.
        type: The type of the response (`operation_response_type`).
        succeeded: Whether the operation succeeded.
        device: The properties of the device and the broker.
        app_version: The version of the broker application.
        received_on: The time when the extension received the request, in seconds since 1970.
        answered_on: The time when the extension sent the response, in seconds since 1970.
        accounts: The accounts of the broker.
        account: The account of the device.
        cookies: The header fields that sign a browser in: `people` and `devices`.
        tokens: The description of the tokens; `store_sso_extension_tokens` validates and returns them.
        passkey_assertion: The passkey signature, in hexadecimal digits.
        passkey_credential: The passkey of the broker, in hexadecimal digits.
        browser_answer: The response to a page's message.
        contracts: The methods of page messages that the broker supports.
    """

    _required = ("operation", "type", "succeeded", "device")
    _optional = (
        "app_version", "received_on", "answered_on", "accounts", "account", "cookies", "tokens",
        "passkey_assertion", "passkey_credential", "browser_answer", "contracts",
    )  # fmt: skip
    _hidden = frozenset({"cookies", "browser_answer"})
    __slots__ = _required + _optional

    operation: str
    type: str
    succeeded: bool
    device: dict[str, Any]
    app_version: str | None
    received_on: int | None
    answered_on: int | None
    accounts: list[dict[str, Any]] | None
    account: dict[str, Any] | None
    cookies: dict[str, Any] | None
    tokens: dict[str, Any] | None
    passkey_assertion: dict[str, str] | None
    passkey_credential: dict[str, str] | None
    browser_answer: dict[str, Any] | None
    contracts: list[str] | None


# Tracebacks and pickles contain the public module of a class, as in `__init__.py`.
for _kind in list(globals().values()):
    if isinstance(_kind, type):
        _kind.__module__ = str(__package__)
del _kind
