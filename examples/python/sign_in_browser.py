# SPDX-License-Identifier: MIT
"""Sign in with a browser: open the provider's page, and wait for the redirect."""

from __future__ import annotations

from argparse import Namespace

from example import print_line, print_token, run

from tessera_identity import PublicClientApplication, SignInPrompt


def sign_in(options: Namespace, application: PublicClientApplication) -> None:
    """Signs in and prints the account."""

    def show(prompt: SignInPrompt) -> None:
        if options.json:
            print_line({"url": prompt.url, "opens_browser": prompt.opens_browser})
        elif prompt.opens_browser:
            print(f"A browser opens. If it does not, open this page: {prompt.url}", flush=True)
        else:
            print(f"Open this page: {prompt.url}", flush=True)

    token = application.acquire_token_interactive(
        options.scopes, prompt=show, claims=options.claims
    )
    print_token(options, token)


if __name__ == "__main__":
    run(sign_in)
