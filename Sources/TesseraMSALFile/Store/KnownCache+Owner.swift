// SPDX-License-Identifier: MIT
// The display names of the owners of known caches.

import TesseraEngine
import TesseraPlatform

extension KnownCache {
  /// The display name of the owner.
  var owner: String {
    switch self {
    case .azureCLI: "Azure CLI"
    case .azureIdentity: "azure-identity for Python"
    case .azureIdentityCAE: "azure-identity for Python, claims challenges"
    case .azurePowerShell: "Azure PowerShell, Azure.Identity for .NET"
    case .azurePowerShellCAE: "Azure PowerShell, Azure.Identity for .NET, claims challenges"
    }
  }
}
