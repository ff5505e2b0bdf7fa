// SPDX-License-Identifier: MIT
// The locations in which Microsoft's tools store their token caches on Linux.

import TesseraEngine
import TesseraPlatform

extension KnownCache {
  /// Returns all locations in which the cache can be stored.
  func locations(_ folders: CacheDirectories) -> KnownCacheLocations {
    switch self {
    case .azureCLI: .azureCLI(folders)
    case .azureIdentity: .azureIdentity(folders, "msal.cache.nocae")
    case .azureIdentityCAE: .azureIdentity(folders, "msal.cache.cae")
    case .azurePowerShell: .azurePowerShell(folders, "msal.cache.nocae")
    case .azurePowerShellCAE: .azurePowerShell(folders, "msal.cache.cae")
    }
  }
}
