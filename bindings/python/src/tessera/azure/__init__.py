# SPDX-License-Identifier: MIT
"""Tessera's sign-ins for the Azure SDK for Python: a credential wherever its clients take one.

    from azure.storage.blob import BlobServiceClient
    from tessera.azure import TesseraCredential

    credential = TesseraCredential("client-id", authority="https://…/tenant", username="alice@contoso.com")
    client = BlobServiceClient("https://account.blob.core.windows.net", credential=credential)

Nothing of the SDK is needed to import this: its own types are used where it is installed. `tessera.azure.aio` has
the credential of the SDK's asynchronous clients.
"""

from ._credential import TesseraCredential
from ._tokens import AccessToken, AccessTokenInfo

__all__ = ["AccessToken", "AccessTokenInfo", "TesseraCredential"]

# Tracebacks and documentation name the public module of the class.
TesseraCredential.__module__ = __name__
