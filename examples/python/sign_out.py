# SPDX-License-Identifier: MIT
"""Sign out: remove the application's tokens of an account, and print what remains."""

from __future__ import annotations

from argparse import Namespace

from example import find_account, print_line, run

from tessera_identity import PublicClientApplication


def sign_out(options: Namespace, application: PublicClientApplication) -> None:
    """Signs out and prints the remaining items."""
    account = find_account(options, application)
    report = application.sign_out(account)
    kinds = [remainder.kind for remainder in report.remaining]
    if options.json:
        print_line({"removed": bool(report.accounts), "remaining": kinds})
        return
    print(f"Signed out {account.username or '-'}.")
    for kind in kinds:
        print(f"Remaining: {kind}")


if __name__ == "__main__":
    run(sign_out)
