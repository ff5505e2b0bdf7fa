# SPDX-License-Identifier: MIT
"""List the signed-in accounts of all applications that share the token store."""

from __future__ import annotations

from argparse import Namespace

from example import print_line, run

from tessera_identity import PublicClientApplication


def accounts(options: Namespace, application: PublicClientApplication) -> None:
    """Prints a line for each account, or one line of JSON."""
    found = application.get_accounts()
    if options.json:
        members = ("home_account_id", "environment", "username")
        print_line({"accounts": [{name: getattr(each, name) for name in members} for each in found]})
    else:
        for each in found:
            print(each.username or "-", each.environment, each.home_account_id, sep="\t")


if __name__ == "__main__":
    run(accounts)
