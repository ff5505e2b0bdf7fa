# SPDX-License-Identifier: MIT
"""A program for MSAL Python: the calls of its public sample for the device flow."""

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
    accounts = app.get_accounts()
    if accounts:
        print("accounts:", [each["username"] for each in accounts])
        result = app.acquire_token_silent(config["scope"], account=accounts[0])
    if not result:
        flow = app.initiate_device_flow(scopes=config["scope"])
        if "user_code" not in flow:
            raise ValueError(json.dumps(flow))
        print(flow["message"])
        sys.stdout.flush()
        result = app.acquire_token_by_device_flow(flow)
    if "access_token" in result:
        print("source:", result["token_source"])
        headers = {"Authorization": "Bearer " + result["access_token"]}
        print(requests.get(config["endpoint"], headers=headers, timeout=30).json())
    else:
        print("failed:", result.get("error"))
    sys.stdout.flush()


for _ in range(2):
    acquire_and_use_token()
