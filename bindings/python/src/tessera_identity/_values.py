# SPDX-License-Identifier: MIT
"""The base class of values, and the accounts of users with a profile for each tenant."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, NoReturn

    from typing_extensions import Self

    # Receives the name of a metric, the increment or value, and the tags.
    Observe = Callable[[str, int, dict[str, str]], object]

assign = object.__setattr__
"""Sets an attribute of a value in its initializer."""


class Value:
    """An immutable value created from one JSON object.

    Dataclasses would provide the same, but importing their module takes 6 ms.

    Values are equal if their objects are equal. They can be pickled and copied, and `repr()` shows no secrets.
    Members that a later version of the library adds are in `extra`.
    """

    __slots__ = ("_document",)

    _required: ClassVar[tuple[str, ...]] = ()
    _optional: ClassVar[tuple[str, ...]] = ()
    _hidden: ClassVar[frozenset[str]] = frozenset()
    _document: Mapping[str, Any]

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of a JSON object; raises KeyError if a required one is missing."""
        assign(self, "_document", document)
        for name in self._required:
            assign(self, name, document[name])
        for name in self._optional:
            assign(self, name, document.get(name))

    @property
    def extra(self) -> dict[str, Any]:
        """The members that this version of the package does not know, unmodified."""
        known = self._required + self._optional
        return {name: value for name, value in self._document.items() if name not in known}

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy of the JSON object, with `snake_case` names, for `json.dumps`.

        It contains the secrets that `repr()` does not show, such as the tokens of a `TokenResult`.
        """
        copied: dict[str, Any] = _copied(self._document)
        return copied

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    if not TYPE_CHECKING:  # Type checkers would accept every name.

        def __getattr__(self, name: str) -> object:
            """Raises AttributeError, with the counterpart of a member of a dictionary of MSAL."""
            raise _unsupported_member(type(self).__name__, name)

        def __getitem__(self, name: object) -> object:
            """Raises TypeError: a value is not a dictionary."""
            raise _unsupported_key(type(self).__name__, name)

        def __contains__(self, name: object) -> bool:
            """Raises TypeError: a value is not a dictionary."""
            raise _unsupported_key(type(self).__name__, name)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Value):
            return NotImplemented
        return self._document == other._document

    def __hash__(self) -> int:
        # The first required member distinguishes most values; equality compares all members.
        return hash((type(self), self._document[self._required[0]]))

    def __reduce__(self) -> tuple[type[Value], tuple[dict[str, Any]]]:
        return type(self), (dict(self._document),)

    def __repr__(self) -> str:
        shown = []
        for name in self._required + self._optional:
            value = getattr(self, name)
            if value is not None:
                text = "<redacted>" if name in self._hidden else repr(value)
                shown.append(f"{name}={text}")
        return f"{type(self).__name__}({', '.join(shown)})"


def _copied(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {name: _copied(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copied(element) for element in value]
    return value


class LazyValue(Value):
    """A value whose members are read at their first use, because most programs use only a few of them."""

    __slots__ = ("_unparsed",)

    _unparsed: tuple[Callable[[bytes], Mapping[str, Any]], bytes]
    """The parser and the text of the JSON object, if it is not parsed yet."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Keeps a JSON object; raises KeyError if a required member is missing."""
        assign(self, "_document", document)
        for name in self._required:
            if name not in document:
                raise KeyError(name)

    @classmethod
    def parsed_later(cls, parse: Callable[[bytes], Mapping[str, Any]], text: bytes) -> Self:
        """Creates a value from a text of the library, which a function parses at the first use of a member."""
        value = cls.__new__(cls)
        assign(value, "_unparsed", (parse, text))
        return value

    def _member(self, name: str) -> Any:  # noqa: ANN401 - any value
        """Returns the value of an attribute."""
        return self._document.get(name)

    if not TYPE_CHECKING:  # Type checkers would accept every name.

        def __getattr__(self, name: str) -> object:
            """Reads a member at its first use; raises AttributeError like `Value` for any other name."""
            if name in self._required or name in self._optional:
                value = self._member(name)
            elif name == "_document":
                parse, text = self._unparsed
                value = parse(text)
            else:
                return super().__getattr__(name)
            assign(self, name, value)
            return value


class TenantProfile(Value):
    """A user in one tenant (MSAL: MSALTenantProfile).

    Attributes:
        tenant_id: The tenant ID; empty for a provider without tenants.
        local_account_id: The account ID in the tenant (`oid`, or `sub` if there is no `oid`).
        is_home_tenant: Whether it is the home tenant; False if the user is a guest.
        username: The user name in the tenant, as of the last sign-in to it.
        claims: The claims of the ID token of the tenant; None unless requested with `claims=True`.
    """

    _required = ("local_account_id", "tenant_id", "is_home_tenant")
    _optional = ("username", "claims")
    __slots__ = ("claims", "is_home_tenant", "local_account_id", "tenant_id", "username")

    tenant_id: str
    local_account_id: str
    is_home_tenant: bool
    username: str | None
    claims: dict[str, Any] | None


class Account(LazyValue):
    """The account of a user (MSAL: MSALAccount).

    Attributes:
        home_account_id: The account ID that is the same in all tenants. Pass it, or the account, to other calls.
        environment: The host of the cloud; for a plain OpenID Connect provider, the issuer without ``https://``.
        username: The user name, for display and search. It may change.
        name: The user's full name, for display.
        claims: The claims of the ID token of the home tenant; None unless requested with `claims=True`, and for a
            user with sign-ins as a guest only.
        tenant_profiles: The tenants in which the user has signed in, with the home tenant first.
    """

    _required = ("home_account_id", "environment")
    _optional = ("username", "name", "claims", "tenant_profiles")
    __slots__ = ("claims", "environment", "home_account_id", "name", "tenant_profiles", "username")

    home_account_id: str
    environment: str
    username: str | None
    name: str | None
    claims: dict[str, Any] | None
    tenant_profiles: tuple[TenantProfile, ...]

    def _member(self, name: str) -> Any:  # noqa: ANN401 - any value
        value = self._document.get(name)
        if name == "tenant_profiles":
            return tuple(TenantProfile(each) for each in value or ())
        return value


class CurrentAccount(Value):
    """The current account of a single-account application (MSAL: single-account mode).

    Attributes:
        account: The only signed-in account; None if no account is signed in.
        previous_account: The account returned by the previous call in any process of the application; None if
            there was none. For a removed account, only the ID, the environment and the user name are set.
    """

    _required = ("account", "previous_account")
    __slots__ = ("account", "previous_account")

    account: Account | None
    previous_account: Account | None

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Reads the members of the result of `tessera_application_get_current_account`."""
        super().__init__(document)
        for name in self.__slots__:
            given = document.get(name)
            assign(self, name, None if given is None else Account(given))

    def __hash__(self) -> int:
        """Returns a hash of the two accounts, so that equal values have equal hashes."""
        return hash((self.account, self.previous_account))


def identifiers_of(account: Account | str | None) -> tuple[str | None, str | None]:
    """Returns the home account ID of an account, and its environment if it is known."""
    if account is None or isinstance(account, str):
        return account, None
    try:
        return account.home_account_id, account.environment
    except AttributeError:
        raise TypeError(
            "account must be an Account or a home account ID: "
            "pass a result of get_accounts() or get_account(username=...)"
        ) from None


def username_without_id(account: Account | str | None) -> str | None:
    """Returns the user name of an account without a home account ID, as in a migrated cache; None for others."""
    if account is None or isinstance(account, str) or account.home_account_id:
        return None
    return account.username


_COUNTERPARTS = {
    "token_source": ".source",
    "scope": ".scopes",
    "refresh_token": "the refresh token is in the store",
    "local_account_id": ".tenant_profiles[0].local_account_id",
    "realm": ".tenant_profiles[0].tenant_id",
    "error": "errors are exceptions",
    "get": "use attributes, or the dictionary of to_dict()",
    "items": "use attributes, or the dictionary of to_dict()",
    "keys": "use attributes, or the dictionary of to_dict()",
}
"""The counterpart of each member of a dictionary or an object of MSAL."""


def _unsupported_member(kind: str, name: str) -> AttributeError:
    """Returns the error for an attribute that a value does not have."""
    counterpart = _COUNTERPARTS.get(name)
    reason = f"{kind!r} object has no attribute {name!r}"
    return AttributeError(f"{reason}: {counterpart}" if counterpart else reason)


def _unsupported_key(kind: str, name: object) -> TypeError:
    """Returns the error for a value that is used like a dictionary."""
    counterpart = _COUNTERPARTS.get(str(name), f".{name}")
    return TypeError(f"{kind!r} object is not a dictionary: for {name!r}, use {counterpart}, or to_dict()")
