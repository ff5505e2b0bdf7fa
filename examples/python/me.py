# SPDX-License-Identifier: MIT
"""Print the user's name. Usage: me.py CLIENT-ID AUTHORITY ADDRESS-OF-ME."""

import json
import sys
from urllib.request import Request, urlopen

from tessera_identity import PublicClientApplication

token = PublicClientApplication(sys.argv[1], authority=sys.argv[2]).acquire_token_silent(["User.Read"])
request = Request(sys.argv[3], headers={"Authorization": token.authorization_header})
print(json.load(urlopen(request))["displayName"])
