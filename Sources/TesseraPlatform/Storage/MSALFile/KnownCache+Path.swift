// SPDX-License-Identifier: MIT
// Where Microsoft's tools keep the plain files of their token caches on Linux.

package import TesseraEngine

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

extension MSALCache {
  /// The plain file, whether it is there or not.
  ///
  /// - Throws: `fixStorage` when the environment does not say where the user's files lie.
  package func path() throws(TesseraError) -> String {
    switch self {
    case .known(let cache): try cache.places(CacheFolders()).file
    case .file(let path): path
    }
  }
}
