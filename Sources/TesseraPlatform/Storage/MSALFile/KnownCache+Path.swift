// SPDX-License-Identifier: MIT
// Where Microsoft's tools keep the plain files of their token caches on Linux.

import TesseraEngine

extension KnownCache {
  /// All places in which it can lie.
  func places(_ folders: CacheFolders) -> KnownPlaces {
    switch self {
    case .azureCLI: .azureCLI(folders)
    case .azureIdentity: .azureIdentity(folders, "msal.cache.nocae")
    case .azureIdentityCAE: .azureIdentity(folders, "msal.cache.cae")
    case .azurePowerShell: .azurePowerShell(folders, "msal.cache.nocae")
    case .azurePowerShellCAE: .azurePowerShell(folders, "msal.cache.cae")
    }
  }
}
