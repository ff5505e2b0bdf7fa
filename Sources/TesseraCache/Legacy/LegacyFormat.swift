// SPDX-License-Identifier: MIT
// The formats in which older libraries keep their caches, and how one is told from another.

/// A format of a cache that older libraries wrote.
package enum LegacyFormat: String, Sendable, CaseIterable {
  /// One item of ADAL for Apple: a keyed archive, as a keychain holds it.
  case adalAppleItem = "adal_apple_item"
  /// The cache of ADAL for macOS as one keyed archive.
  case adalMacOS = "adal_macos"
  /// Items of an Apple keychain with their attributes, as JSON lines or as a property list.
  case appleKeychain = "apple_keychain"
  /// One of the two blobs that MSAL for macOS keeps in the login keychain.
  case msalMacOS = "msal_macos"
  /// ADAL.NET 3 and later, which MSAL.NET reads as well.
  case adalDotNet = "adal_dotnet"
  /// The dictionary that older versions of MSAL.NET wrote.
  case msalDotNet = "msal_dotnet"
  /// ADAL for Python.
  case adalPython = "adal_python"
  /// The Azure CLI before 2.30: `accessTokens.json`.
  case azureCLI = "azure_cli"
  /// ADAL for Node.
  case adalNode = "adal_node"
}
