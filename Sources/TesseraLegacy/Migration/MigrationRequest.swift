// SPDX-License-Identifier: MIT
// A request to migrate the cache of an older library.

import TesseraEngine

/// A cache of an older library as bytes: the contents of a file, of a keychain item or of another store.
public struct MigrationRequest: Sendable, Hashable {
  /// The format of a cache.
  public enum Format: String, Sendable, Hashable, CaseIterable {
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

  /// The maximum size of the data in bytes.
  ///
  /// ADAL needs less for one hundred thousand accounts.
  public static var largest: Int { 256 << 20 }

  /// The contents of the cache.
  ///
  /// They are not modified.
  public var data: [UInt8]
  /// The format; `nil` to detect it.
  public var format: Format?
  /// Whether to create only a report, without storing anything.
  public var isDryRun = false
  /// The timeout of the whole call; `nil` for ten seconds for each access to a store that another process holds.
  public var timeout: Duration?

  /// Creates a request for a cache.
  public init(
    data: [UInt8], format: Format? = nil, isDryRun: Bool = false, timeout: Duration? = nil
  ) {
    self.data = data
    self.format = format
    self.isDryRun = isDryRun
    self.timeout = timeout
  }
}

extension MigrationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// All properties except the contents of the cache, which are tokens.
  public var description: String {
    "MigrationRequest(format: \(format?.rawValue ?? "detected"), isDryRun: \(isDryRun), data: <redacted>)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without the contents of the cache, so that `dump` and a debugger show no token.
  public var customMirror: Mirror {
    Mirror(self, children: ["format": format?.rawValue ?? "detected", "isDryRun": isDryRun])
  }
}
