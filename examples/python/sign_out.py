# SPDX-License-Identifier: MIT
"""Forget an account: its tokens, for every program of this machine."""

from __future__ import annotations

from argparse import Namespace

from example import find_account, run, show_line

from tessera import PublicClientApplication


def sign_out(options: Namespace, application: PublicClientApplication) -> None:
    """Remove the account and say so."""
    account = find_account(options, application)
    removed = application.remove_account(account)
    if options.json:
        show_line({"removed": removed})
    else:
        print(f"Signed out {account.username or '-'}.")


if __name__ == "__main__":
    run(sign_out)
