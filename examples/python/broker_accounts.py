# SPDX-License-Identifier: MIT
"""List the accounts of this machine's identity broker, including those not signed in here."""

from __future__ import annotations

from argparse import Namespace

from example import print_line, run

from tessera_identity import PublicClientApplication


def broker_accounts(options: Namespace, application: PublicClientApplication) -> None:
    """Prints a line for each account, or one line of JSON."""
    found = application.broker_accounts()
    if options.json:
        members = ("home_account_id", "username", "name")
        print_line({"accounts": [{name: getattr(each, name) for name in members} for each in found]})
    else:
        for each in found:
            print(each.username or "-", each.name or "-", each.home_account_id, sep="\t")


if __name__ == "__main__":
    run(broker_accounts)
