# SPDX-License-Identifier: MIT
"""Acquire a token without user interaction: from the cache, or with a refresh token."""

from __future__ import annotations

from argparse import Namespace

from example import find_account, print_token, run

from tessera_identity import PublicClientApplication


def get_token(options: Namespace, application: PublicClientApplication) -> None:
    """Acquires a token and prints its source."""
    if options.resource is not None:
        # As with ADAL: by a resource and the user ID, which is the user name.
        token = application.acquire_token_silent_with_resource(
            options.resource, options.username or ""
        )
    else:
        token = application.acquire_token_silent(
            options.scopes,
            account=find_account(options, application),
            force_refresh=options.force_refresh,
            claims=options.claims,
        )
    print_token(options, token)


if __name__ == "__main__":
    run(get_token)
