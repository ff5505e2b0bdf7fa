# SPDX-License-Identifier: MIT
"""A credential on Tessera's store for the clients of the Azure SDK for Python.

    from azure.storage.blob import BlobServiceClient
    from tessera_identity.azure import TesseraCredential

    credential = TesseraCredential("client-id", authority="https://…/tenant", username="alice@contoso.com")
    client = BlobServiceClient("https://account.blob.core.windows.net", credential=credential)

The module does not require the SDK, and uses its types if it is installed. `tessera_identity.azure.aio` has the credential
for asynchronous clients.
"""

from ._credential import TesseraCredential
from ._tokens import AccessToken, AccessTokenInfo

__all__ = ["AccessToken", "AccessTokenInfo", "TesseraCredential"]

# Tracebacks and documentation contain the public module of the class.
TesseraCredential.__module__ = __name__
