// SPDX-License-Identifier: MIT
// The client capabilities of the tokens in a cache of other applications, which the cache does not record.

package import TesseraEngine
import TesseraWire

extension MSALCache {
  /// Returns the capabilities claims with which the owners of the cache request their access tokens; `nil` for none.
  ///
  /// MSAL requests capabilities (`CP1`: the application handles claims challenges) but does not record them. Tools that
  /// separate such tokens store them in a cache with a name that ends in `.cae`. Only applications that handle challenges write
  /// to it. Azure CLI has one cache and requests `CP1`. Its command `az account get-access-token` returns the tokens to any
  /// caller. Therefore any application may use them.
  ///
  /// Sources: azure-identity 1.27, `_internal/msal_credentials.py`; azure-cli-core 2.91, `auth/identity.py`.
  package func capabilityClaims(for application: ApplicationConfiguration) -> String? {
    let capabilities = application.sortedCapabilities
    let isCapable = capabilities.map(\.normalised) == ["cp1"]
    // A different spelling of CP1 has the same meaning.
    let claims = ClaimsRequest.parameter(nil, capabilities: isCapable ? capabilities : ["CP1"])
    return switch self {
    case .known(.azureIdentityCAE), .known(.azurePowerShellCAE): claims
    case .known(.azureCLI): isCapable ? claims : nil
    case .known: nil
    case .file(let path): path.hasSuffix(".cae") ? claims : nil
    }
  }
}
