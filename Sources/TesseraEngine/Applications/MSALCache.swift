// SPDX-License-Identifier: MIT
// Which token cache of Microsoft's libraries and tools a program uses, by name or by path.

/// A token cache that Microsoft's tools keep in a known place on Linux.
public enum KnownCache: String, Sendable, Hashable, CaseIterable {
  /// Azure CLI's: `msal_token_cache.json` in `$AZURE_CONFIG_DIR` or `~/.azure`.
  case azureCLI = "azure_cli"
  /// The one that azure-identity for Python shares: `~/.IdentityService/msal.cache.nocae`.
  case azureIdentity = "azure_identity"
  /// The same for programs that handle claims challenges (`CP1`): `~/.IdentityService/msal.cache.cae`.
  case azureIdentityCAE = "azure_identity_cae"
  /// Azure PowerShell's and Azure.Identity's for .NET: `.IdentityService/msal.cache.nocae` where the user's data lies.
  case azurePowerShell = "azure_powershell"
  /// The same for programs that handle claims challenges (`CP1`): `msal.cache.cae` beside it.
  case azurePowerShellCAE = "azure_powershell_cae"
}

/// A cache file that programs using MSAL for Python, .NET, Go, Java or Node keep.
public enum MSALCache: Sendable, Hashable {
  /// One of the known ones.
  case known(KnownCache)
  /// The file at an absolute path.
  case file(String)

  /// The cache that a name or an absolute path means; nil for any other text.
  public init?(_ text: String) {
    if let known = KnownCache(rawValue: text) {
      self = .known(known)
    } else if text.hasPrefix("/"), !text.hasSuffix("/"), !text.utf8.contains(0) {
      self = .file(text)
    } else {
      return nil
    }
  }

  /// The name or the path.
  public var text: String {
    switch self {
    case .known(let cache): cache.rawValue
    case .file(let path): path
    }
  }
}
