# SPDX-License-Identifier: MIT
"""A program for MSAL Python: the calls of its public sample for interactive sign-ins."""

import json
import sys
from pathlib import Path

import msal
import requests

config = json.loads(Path(sys.argv[1]).read_text())
app = msal.PublicClientApplication(
    config["client_id"], authority=config["authority"], token_cache=msal.TokenCache()
)


def acquire_and_use_token() -> None:
    result = None
    accounts = app.get_accounts(username=config.get("username"))
    if accounts:
        print("accounts:", [each["username"] for each in accounts])
        result = app.acquire_token_silent(config["scope"], account=accounts[0])
    if not result:
        result = app.acquire_token_interactive(
            config["scope"], login_hint=config.get("username"), prompt=msal.Prompt.SELECT_ACCOUNT
        )
    if "access_token" in result:
        print("source:", result["token_source"])
        headers = {"Authorization": "Bearer " + result["access_token"]}
        print(requests.get(config["endpoint"], headers=headers, timeout=30).json())
    else:
        print("failed:", result.get("error"))


for _ in range(2):
    acquire_and_use_token()
