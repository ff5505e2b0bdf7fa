// SPDX-License-Identifier: MIT
// The token caches of Microsoft's libraries and tools, by name or by path.

/// A token cache of one of Microsoft's tools in a known location on Linux.
public enum KnownCache: String, Sendable, Hashable, CaseIterable {
  /// The cache of Azure CLI: `msal_token_cache.json` in `$AZURE_CONFIG_DIR` or `~/.azure`.
  case azureCLI = "azure_cli"
  /// The shared cache of azure-identity for Python: `~/.IdentityService/msal.cache.nocae`.
  case azureIdentity = "azure_identity"
  /// The same for applications that handle claims challenges (`CP1`): `~/.IdentityService/msal.cache.cae`.
  case azureIdentityCAE = "azure_identity_cae"
  /// The cache of Azure PowerShell and of Azure.Identity for .NET: `.IdentityService/msal.cache.nocae` in the user's data
  /// directory.
  case azurePowerShell = "azure_powershell"
  /// The same for applications that handle claims challenges (`CP1`): `msal.cache.cae` in the same directory.
  case azurePowerShellCAE = "azure_powershell_cae"
}

/// A cache file of applications that use MSAL for Python, .NET, Go, Java or Node.
public enum MSALCache: Sendable, Hashable {
  /// A cache in a known location.
  case known(KnownCache)
  /// The file at an absolute path.
  case file(String)

  /// The cache of Azure CLI.
  public static let azureCLI = MSALCache.known(.azureCLI)
  /// The shared cache of azure-identity for Python.
  public static let azureIdentity = MSALCache.known(.azureIdentity)
  /// The shared cache of azure-identity for applications that handle claims challenges.
  public static let azureIdentityCAE = MSALCache.known(.azureIdentityCAE)
  /// The cache of Azure PowerShell and of Azure.Identity for .NET.
  public static let azurePowerShell = MSALCache.known(.azurePowerShell)
  /// The cache of Azure PowerShell for applications that handle claims challenges.
  public static let azurePowerShellCAE = MSALCache.known(.azurePowerShellCAE)

  /// Creates a cache from its name or an absolute path.
  ///
  /// Returns `nil` for any other text.
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
