# SPDX-License-Identifier: MIT
"""Import the sign-ins that an older library, such as ADAL, stored in a file."""

from __future__ import annotations

from argparse import Namespace

from example import print_line, run

from tessera_identity import PublicClientApplication


def migrate(options: Namespace, application: PublicClientApplication) -> None:
    """Prints the result for each account."""
    report = application.migrate(options.file)
    if options.json:
        members = ("username", "home_account_id", "outcome", "reason")
        accounts = [{name: getattr(each, name) for name in members} for each in report.accounts]
        print_line({"format": report.format, "accounts": accounts, "damaged": report.damaged})
    else:
        for each in report.accounts:
            print(each.username, each.outcome, each.advice or "-", sep="\t")


if __name__ == "__main__":
    run(migrate)
