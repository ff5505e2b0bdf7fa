# SPDX-License-Identifier: MIT
"""A program for MSAL Python that never shows anything: a token of the only account, or an error."""

import json
import sys
from pathlib import Path

import msal
import requests

config = json.loads(Path(sys.argv[1]).read_text())
app = msal.PublicClientApplication(
    config["client_id"], authority=config["authority"], token_cache=msal.SerializableTokenCache()
)
result = None
for account in app.get_accounts(username=config.get("username")):
    result = app.acquire_token_silent_with_error(config["scope"], account=account)
if not result:
    print("no token")
elif "access_token" in result:
    print("source:", result["token_source"])
    headers = {"Authorization": "Bearer " + result["access_token"]}
    print(requests.get(config["endpoint"], headers=headers, timeout=30).json())
else:
    print("failed:", result["error"], result["error_codes"])
