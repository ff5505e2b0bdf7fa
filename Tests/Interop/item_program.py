# SPDX-License-Identifier: MIT
"""A program of azure-identity with its tokens in the keyring.

usage: item_program.py sign_in PROXY CA_FILE CLIENT TENANT SCOPE CAE
           prints the code to enter, then {"token", "record"}; CAE is 1 for a token with claims challenges
       item_program.py silent PROXY CA_FILE CLIENT TENANT SCOPE CAE RECORD prints {"token"}
"""

from __future__ import annotations

import json
import sys

# Debian's binding of libsecret, for an environment without Debian's packages; the rest of the folder comes last.
sys.path.append("/usr/lib/python3/dist-packages")

from azure.identity import (  # noqa: E402
    AuthenticationRecord,
    DeviceCodeCredential,
    TokenCachePersistenceOptions,
)


def main(
    act: str, proxy: str, ca_file: str, client: str, tenant: str, scope: str, cae: str, *more: str
) -> None:
    """Runs the command in the arguments."""
    record = AuthenticationRecord.deserialize(more[0]) if more else None
    credential = DeviceCodeCredential(
        client_id=client, tenant_id=tenant, authentication_record=record,
        prompt_callback=lambda _address, code, _end: print(code, flush=True),
        # Fails without a keyring, instead of storing tokens unencrypted.
        cache_persistence_options=TokenCachePersistenceOptions(allow_unencrypted_storage=False),
        proxies={"https": proxy}, connection_verify=ca_file,
    )  # fmt: skip
    printed = {}
    if act == "sign_in":
        printed["record"] = credential.authenticate(scopes=[scope], enable_cae=cae == "1").serialize()
    printed["token"] = credential.get_token(scope, enable_cae=cae == "1").token
    print(json.dumps(printed))


if __name__ == "__main__":
    main(*sys.argv[1:])
