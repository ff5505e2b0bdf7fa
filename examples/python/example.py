# SPDX-License-Identifier: MIT
"""Common code of the examples: options, the account, output and errors."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Callable

import tessera_identity

ADVICE = {
    tessera_identity.SignInRequiredError: "sign in with sign_in",
    tessera_identity.RetryLaterError: "try again later",
    tessera_identity.InvalidRequestError: "correct the options of this command",
    tessera_identity.ConfigurationError: "check --client-id, --authority and the app registration",
    tessera_identity.StorageError: "repair the token store, or choose another one with --store-directory",
    tessera_identity.CancelledError: "nothing",
    tessera_identity.InternalError: "report this error, including the message",
}
"""Advice for the user, in the order of the statuses of the C interface. The exit status is the position."""


AUTHORITY_TYPES = ("entra", "b2c", "ciam", "adfs", "openid")
"""The authority types; docs/authorities.md explains when one is required."""


def run(body: Callable[[argparse.Namespace, tessera_identity.PublicClientApplication], None]) -> None:
    """Runs an example and ends the process. After an error, the exit status identifies its class."""
    options = parse_options()
    try:
        with tessera_identity.PublicClientApplication(
            options.client_id,
            authority=options.authority,
            authority_type=options.authority_type,
            group=options.group,
            store_directory=options.store_directory,
            ca_file=options.ca_file,
            redirect_uri=options.redirect_uri,
        ) as application:
            body(options, application)
    except tessera_identity.TesseraError as error:
        print(f"Error: {error.message}\nWhat to do: {ADVICE[type(error)]}.", file=sys.stderr)
        if error.retry_after is not None:
            print(f"Wait: {error.retry_after} seconds.", file=sys.stderr)
        sys.exit(1 + list(ADVICE).index(type(error)))


def parse_options() -> argparse.Namespace:
    """Parses the command line, which is the same in the examples of all languages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--client-id", metavar="ID", default="")
    parser.add_argument("--authority", metavar="URL")
    parser.add_argument("--authority-type", choices=AUTHORITY_TYPES)
    parser.add_argument("--group", metavar="NAME")
    parser.add_argument("--store-directory", metavar="PATH")
    parser.add_argument("--redirect-uri", metavar="URI", help="registered redirect URI")
    parser.add_argument("--ca-file", metavar="PATH", help="trusted certificates (PEM)")
    parser.add_argument("--scope", metavar="SCOPE", action="append", default=[], dest="scopes")
    parser.add_argument("--resource", metavar="RESOURCE", help="instead of scopes, as in ADAL")
    parser.add_argument("--home-account-id", metavar="ID", help="account, by home account ID")
    parser.add_argument("--username", metavar="NAME", help="account, by user name")
    parser.add_argument("--claims", metavar="JSON", help="claims challenge or an error's claims")
    parser.add_argument("--file", metavar="PATH", help="cache file of an older library")
    parser.add_argument("--force-refresh", action="store_true", help="do not use the cache")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    return parser.parse_args()


def find_account(
    options: argparse.Namespace, application: tessera_identity.PublicClientApplication
) -> tessera_identity.Account:
    """Returns the account of --home-account-id or --username, or the only account."""
    home, username = options.home_account_id, options.username
    if home is not None or username is not None:
        return application.get_account(home_account_id=home, username=username)
    accounts = application.get_accounts()
    if not accounts:
        raise tessera_identity.SignInRequiredError("no account is signed in")
    if len(accounts) > 1:
        raise tessera_identity.InvalidRequestError("several accounts are signed in: choose one with --username")
    return accounts[0]


def print_token(options: argparse.Namespace, token: tessera_identity.TokenResult) -> None:
    """Prints the source of the token and its remaining lifetime. The token itself is never printed."""
    username = token.account.username or "-"
    for scope in token.declined_scopes:
        print(f"Warning: the server declined the scope {scope}.", file=sys.stderr)
    if token.persisted is False:
        print(
            "Warning: the store could not be written. The sign-in ends with this process.",
            file=sys.stderr,
        )
    if options.json:
        line = {"source": token.source, "expires_on": token.expires_on, "username": username}
        print_line({**line, "fingerprint": fingerprint(token.access_token)})
    else:
        print(f"Token for {username} from the {token.source}, valid for {token.expires_in} seconds.")


def print_line(document: object) -> None:
    """Prints a document as one line of JSON."""
    print(json.dumps(document, separators=(",", ":")), flush=True)


def fingerprint(text: str) -> str:
    """Returns a 64-bit FNV-1a hash, which identifies a token without printing it."""
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"
