// SPDX-License-Identifier: MIT
// With which capabilities the programs that own a cache ask for their tokens: nothing in the cache says so.

import TesseraWire

extension MSALCache {
  /// The claims of the capabilities that the access tokens of others have in it, for an application; nil for none.
  ///
  /// MSAL asks for capabilities (`CP1`: the program handles claims challenges) and writes nothing of it. The tools that tell
  /// such tokens from others keep them in a cache whose name ends in `.cae`: only what handles challenges gets them there.
  /// Azure CLI has one cache, and asks for `CP1`; `az account get-access-token` gives its tokens to whoever asks, so they
  /// are for every program here as well.
  ///
  /// Sources: azure-identity 1.27, `_internal/msal_credentials.py`; azure-cli-core 2.91, `auth/identity.py`.
  package func capabilityClaims(for application: ApplicationConfiguration) -> String? {
    let capabilities = application.sortedCapabilities
    let isCapable = capabilities.map(\.normalised) == ["cp1"]
    // Who spells it otherwise means the same.
    let claims = ClaimsRequest.parameter(nil, capabilities: isCapable ? capabilities : ["CP1"])
    return switch self {
    case .known(.azureIdentityCAE), .known(.azurePowerShellCAE): claims
    case .known(.azureCLI): isCapable ? claims : nil
    case .known: nil
    case .file(let path): path.hasSuffix(".cae") ? claims : nil
    }
  }
}
