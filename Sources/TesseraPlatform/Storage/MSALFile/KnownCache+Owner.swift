// SPDX-License-Identifier: MIT
// Whose the known caches are.

import TesseraEngine

extension KnownCache {
  /// Whose it is, for people.
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
