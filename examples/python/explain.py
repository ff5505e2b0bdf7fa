# SPDX-License-Identifier: MIT
"""Explain the result of get_token, with all tokens that the store has for the account."""

from __future__ import annotations

from argparse import Namespace

from example import find_account, print_line, run

from tessera_identity import PublicClientApplication


def explain(options: Namespace, application: PublicClientApplication) -> None:
    """Prints the explanation."""
    account = find_account(options, application)
    found = application.explain(options.scopes, account=account, force_refresh=options.force_refresh)
    if options.json:
        count = len(found.candidates)
        print_line({"decision": found.decision, "reason": found.reason, "candidates": count})
        return
    print(f"{found.decision} ({found.reason}): {found.message}")
    for token in found.candidates:
        print(f"  {token.role}: {token.credential_type}")


if __name__ == "__main__":
    run(explain)
