# SPDX-License-Identifier: MIT
"""Sign in with a device code: show the code, and wait until the user has entered it."""

from __future__ import annotations

from argparse import Namespace

from example import print_line, print_token, run

from tessera_identity import DeviceCodePrompt, PublicClientApplication


def sign_in(options: Namespace, application: PublicClientApplication) -> None:
    """Signs in and prints the account."""

    def show(prompt: DeviceCodePrompt) -> None:
        if options.json:
            print_line({"verification_uri": prompt.verification_uri, "user_code": prompt.user_code})
        else:
            print(f"Open this page:  {prompt.verification_uri}")
            print(f"Enter this code: {prompt.user_code}", flush=True)

    token = application.acquire_token_by_device_code(
        options.scopes, prompt=show, claims=options.claims
    )
    print_token(options, token)


if __name__ == "__main__":
    run(sign_in)
