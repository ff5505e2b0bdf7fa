// SPDX-License-Identifier: MIT
// The table of the locations in which other applications store their caches.

import TesseraPlatform

/// All locations of one known cache.
struct KnownCacheLocations: Sendable, Hashable {
  /// The kind of location in which the owner creates the cache.
  enum InitialLocation: Sendable, Hashable {
    /// A plain file.
    case file
    /// A keyring item if the keyring can be used, otherwise a plain file.
    case item
  }

  /// The path of the plain file.
  let file: String
  /// The keyring items, the preferred one first.
  let items: [(item: KeyringItem, signal: String)]
  /// The kind of location in which the owner creates the cache.
  let initialLocation: InitialLocation

  /// All locations, the plain file first.
  var all: [DocumentLocation] {
    [.file(file)] + items.map { .item($0.item, signal: $0.signal) }
  }

  static func == (left: KnownCacheLocations, right: KnownCacheLocations) -> Bool {
    left.all == right.all && left.initialLocation == right.initialLocation
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(all)
  }
}

extension KnownCacheLocations {
  private static let client = KeyringItem.Attribute(
    "MsalClientID", "Microsoft.Developer.IdentityService")

  /// Returns the locations of Azure CLI: a plain file unless `core.encrypt_token_cache` is set.
  ///
  /// Source: azure-cli-core 2.91, `auth/persistence.py`. Later versions use another name for the item.
  static func azureCLI(_ folders: CacheDirectories) -> KnownCacheLocations {
    let start = folders.azure + "/msal_token_cache"
    return KnownCacheLocations(
      file: start + ".json",
      items: [
        (
          KeyringItem(
            schema: "my_schema_name",
            attributes: [.init("my_attr1", "foo"), .init("my_attr2", "bar")]), start + ".bin"
        ),
        (
          KeyringItem(
            schema: "Microsoft Azure CLI", attributes: [.init("type", "Token cache")]),
          start + ".sig"
        ),
      ],
      initialLocation: .file)
  }

  /// Returns the locations of azure-identity for Python.
  ///
  /// The plain file is also the signal file of the item.
  ///
  /// Source: azure-identity 1.27, `_persistent_cache.py`.
  ///
  /// - Parameter name: The name of the cache with its suffix, such as `msal.cache.nocae`.
  static func azureIdentity(_ folders: CacheDirectories, _ name: String) -> KnownCacheLocations {
    let file = "\(folders.home)/.IdentityService/\(name)"
    let item = KeyringItem(schema: name, attributes: [client], label: "MSALCache")
    return KnownCacheLocations(file: file, items: [(item, file)], initialLocation: .item)
  }

  /// Returns the locations of Azure PowerShell and of Azure.Identity for .NET, which share their caches.
  ///
  /// All their caches are in one item: Extensions.Msal does not search for the name, which is only the label of a new item.
  ///
  /// Source: Azure.Identity, `Constants.cs` and `TokenCache.cs`; Extensions.Msal, DONT_MATCH_NAME.
  ///
  /// - Parameter name: The name of the cache with its suffix, such as `msal.cache.nocae`.
  static func azurePowerShell(_ folders: CacheDirectories, _ name: String) -> KnownCacheLocations {
    let file = "\(folders.data)/.IdentityService/\(name)"
    let item = KeyringItem(
      schema: "msal.cache",
      attributes: [client, .init("Microsoft.Developer.IdentityService", "1.0.0.0")],
      matchesSchema: false, label: name, encoding: .base64)
    return KnownCacheLocations(file: file, items: [(item, file)], initialLocation: .item)
  }
}
