// SPDX-License-Identifier: MIT
// The cache formats of older libraries.

/// A cache format of an older library.
public enum LegacyFormat: String, Sendable, Hashable, CaseIterable {
  /// One item of ADAL for Apple: a keyed archive, as stored in a keychain.
  case adalAppleItem = "adal_apple_item"
  /// The cache of ADAL for macOS, as one keyed archive.
  case adalMacOS = "adal_macos"
  /// Items of an Apple keychain with their attributes, as JSON lines or as a property list.
  case appleKeychain = "apple_keychain"
  /// One of the two blobs that MSAL for macOS stores in the login keychain.
  case msalMacOS = "msal_macos"
  /// ADAL.NET 3 and later, which MSAL.NET reads as well.
  case adalDotNet = "adal_dotnet"
  /// The dictionary format of older versions of MSAL.NET.
  case msalDotNet = "msal_dotnet"
  /// ADAL for Python.
  case adalPython = "adal_python"
  /// The Azure CLI before 2.30: `accessTokens.json`.
  case azureCLI = "azure_cli"
  /// ADAL for Node.
  case adalNode = "adal_node"
}
