# SPDX-License-Identifier: MIT
"""What the two credentials have in common: what they are made of, and what they ask for, step by step.

Only how a step waits differs between them.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tessera import Cancelled
from tessera._silent import milliseconds

from ._identity import Identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from azure.core.credentials import TokenRequestOptions

    from tessera import (
        Account,
        DeviceCodePrompt,
        PublicClientApplication,
        SignInPrompt,
        SignInRequired,
    )


class Wanted(NamedTuple):
    """What a call of the SDK asks for.

    Attributes:
        scopes: What the token is for.
        claims: The claims of a challenge.
        authority: Who is asked; None for the configured authority.
        enable_cae: Whether the token may end early.
        ends_at: When the call gives up, by `time.monotonic`; None for never.
    """

    scopes: tuple[str, ...]
    claims: str | None
    authority: str | None
    enable_cae: bool
    ends_at: float | None

    def seconds_left(self) -> float | None:
        """For how long the call goes on; at its end 0, with which a call still finds what is stored."""
        return None if self.ends_at is None else max(0.0, self.ends_at - monotonic())

    def over(self) -> Cancelled:
        """That the time is over."""
        return Cancelled(
            "The call was over while somebody else's sign-in went on.",
            {"code": "deadline_exceeded", "remedy": "cancelled"},
        )


class Asking:
    """A credential without the calls of the SDK: what it asks of its applications."""

    _turns: ClassVar[type]
    """How those wait who need a person at once."""

    def __init__(
        self,
        client_id: str,
        *,
        account: Account | str | None = None,
        username: str | None = None,
        interactive: Callable[[SignInPrompt], object] | None = None,
        device_code: Callable[[DeviceCodePrompt], object] | None = None,
        additionally_allowed_tenants: Iterable[str] = (),
        timeout: float | None = None,
        **configuration: Any,  # noqa: ANN401 - the options of PublicClientApplication
    ) -> None:
        """Make a credential. No file is opened and no server is asked.

        Args:
            client_id: The application's identifier, as the provider registered it.
            account: Whose tokens: the account, or its home account id.
            username: Whose tokens: what the person signs in with. Without this and `account`, those of the only
                person who has signed in to the application. The choice is made once, for the credential's life.
            interactive: Signs in in a browser when only a person can continue; it is told the address of the page,
                as `prompt` of `PublicClientApplication.acquire_token_interactive`.
            device_code: Signs in on another device, in place of that; it shows the code, as `prompt` of
                `PublicClientApplication.acquire_token_by_device_code`.
            additionally_allowed_tenants: Tenants, besides the configured one, that a resource may ask for; `*` for
                all. Without any, all are allowed if the configured one is `organizations`, or none is configured.
            timeout: Seconds after which a call gives up, the wait for a person included.
            **configuration: All else that `PublicClientApplication` takes, such as `authority` and `group`.

        Raises:
            ConfigurationProblem: A value cannot work.
            ValueError: The timeout cannot be one; or both `interactive` and `device_code` are given, or both
                `account` and `username`.
        """
        if interactive is not None and device_code is not None:
            raise ValueError("give interactive or device_code, not both")
        milliseconds(timeout)
        self._arguments = {
            "client_id": client_id, "username": username, "interactive": interactive, "device_code": device_code,
            "additionally_allowed_tenants": tuple(additionally_allowed_tenants), "timeout": timeout,
            **configuration,
        }  # fmt: skip
        additionally_allowed_tenants = self._arguments["additionally_allowed_tenants"]
        self._identity = Identity(
            client_id, account=account, username=username,
            additionally_allowed_tenants=additionally_allowed_tenants, configuration=configuration,
        )  # fmt: skip
        self._interactive = interactive
        self._device_code = device_code
        self._timeout = timeout
        self._signing_in: Any = self._turns()

    def __getstate__(self) -> dict[str, Any]:
        """The arguments and the chosen account, for pickle; never a token.

        Raises:
            TypeError: An argument belongs to this process, or is a secret.
        """
        kind = type(self).__name__
        for name, value in self._arguments.items():
            if callable(value):
                raise TypeError(
                    f"{kind} cannot be pickled: {name} is a function of this process; "
                    "create the credential where it is used"
                )
        if self._arguments.get("store_key") is not None:
            raise TypeError(
                f"{kind} cannot be pickled: store_key is a secret; create the credential where it is used"
            )
        if "@" in (self._arguments.get("proxy") or ""):
            raise TypeError(
                f"{kind} cannot be pickled: proxy holds a password; create the credential where it is used"
            )
        return {**self._arguments, "account": self._identity.known_person}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Create the credential again; no file is opened and no server is asked."""
        arguments = dict(state)
        # Both are known after the account of a user name was selected; the constructor accepts only one.
        account = arguments.pop("account")
        self.__init__(**arguments)  # type: ignore[misc]
        self._identity.chosen(account)

    def _wanted(
        self,
        scopes: tuple[str, ...],
        *,
        claims: str | None = None,
        tenant_id: str | None = None,
        enable_cae: bool = False,
    ) -> Wanted:
        if not scopes:
            raise ValueError("a token needs at least one scope")
        ends_at = None if self._timeout is None else monotonic() + self._timeout
        return Wanted(
            scopes, claims=claims, authority=self._identity.authority(tenant_id),
            enable_cae=enable_cae, ends_at=ends_at,
        )  # fmt: skip

    def _application(self, wanted: Wanted) -> PublicClientApplication:
        return self._identity.application(enable_cae=wanted.enable_cae)

    def _silently(self, application: PublicClientApplication, wanted: Wanted) -> dict[str, Any]:
        """What a silent call takes."""
        return {
            "account": self._identity.person(application),
            "authority": wanted.authority,
            "claims": wanted.claims,
            "timeout": wanted.seconds_left(),
        }

    def _by_a_person(self, wanted: Wanted) -> dict[str, Any]:
        """What a sign-in takes: with a code if there is somebody to show it, and in a browser otherwise."""
        arguments = {
            "authority": wanted.authority,
            "claims": wanted.claims,
            "timeout": wanted.seconds_left(),
        }
        if self._device_code is not None:
            return {**arguments, "prompt": self._device_code}
        return {
            **arguments,
            "prompt": self._interactive,
            "account": self._identity.known_person,
            "login_hint": self._identity.username,
        }

    def _for_a_person(self, error: SignInRequired, wanted: Wanted) -> Wanted:
        """What a person is asked for; raises the error if there is no way to a person."""
        if self._interactive is None and self._device_code is None:
            raise error
        return wanted._replace(claims=error.claims or wanted.claims)


def asked_for(given: TokenRequestOptions | None) -> dict[str, Any]:
    """What `get_token_info` is given, as arguments of `get_token`; others are ignored."""
    known = given or {}
    return {
        "claims": known.get("claims"),
        "tenant_id": known.get("tenant_id"),
        "enable_cae": bool(known.get("enable_cae")),
    }
