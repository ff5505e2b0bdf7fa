// SPDX-License-Identifier: MIT
// The table of the places in which other programs keep their caches.

/// All places in which one known cache can lie.
struct KnownPlaces: Sendable, Hashable {
  /// What its owner makes when there is none.
  enum Beginning: Sendable, Hashable {
    /// A plain file.
    case file
    /// An item of the keyring if that can be used, or else a plain file.
    case item
  }

  /// Its plain file.
  let file: String
  /// Its items, the usual one first.
  let items: [(item: KeyringItem, signal: String)]
  /// What its owner makes when there is none.
  let beginning: Beginning

  /// All of them, the plain file first.
  var all: [DocumentPlace] {
    [.file(file)] + items.map { .item($0.item, signal: $0.signal) }
  }

  static func == (left: KnownPlaces, right: KnownPlaces) -> Bool {
    left.all == right.all && left.beginning == right.beginning
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(all)
  }
}

extension KnownPlaces {
  private static let client = KeyringItem.Attribute(
    "MsalClientID", "Microsoft.Developer.IdentityService")

  /// Azure CLI's: a plain file unless `core.encrypt_token_cache` is set.
  ///
  /// Source: azure-cli-core 2.91, `auth/persistence.py`, and what came after it, which names the item otherwise.
  static func azureCLI(_ folders: CacheFolders) -> KnownPlaces {
    let start = folders.azure + "/msal_token_cache"
    return KnownPlaces(
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
      beginning: .file)
  }

  /// That of azure-identity for Python; its plain file is what is touched for its item.
  ///
  /// Source: azure-identity 1.27, `_persistent_cache.py`.
  ///
  /// - Parameter name: the name of the cache with its suffix, such as `msal.cache.nocae`.
  static func azureIdentity(_ folders: CacheFolders, _ name: String) -> KnownPlaces {
    let file = "\(folders.home)/.IdentityService/\(name)"
    let item = KeyringItem(schema: name, attributes: [client], label: "MSALCache")
    return KnownPlaces(file: file, items: [(item, file)], beginning: .item)
  }

  /// That of Azure PowerShell and of Azure.Identity for .NET, which share theirs.
  ///
  /// All caches of theirs are one item: Extensions.Msal looks for the attributes alone, and the name is no more than the
  /// label of a new one.
  ///
  /// Source: Azure.Identity, `Constants.cs` and `TokenCache.cs`; Extensions.Msal, DONT_MATCH_NAME.
  ///
  /// - Parameter name: as above.
  static func azurePowerShell(_ folders: CacheFolders, _ name: String) -> KnownPlaces {
    let file = "\(folders.data)/.IdentityService/\(name)"
    let item = KeyringItem(
      schema: "msal.cache",
      attributes: [client, .init("Microsoft.Developer.IdentityService", "1.0.0.0")],
      matchesSchema: false, label: name, encoding: .base64)
    return KnownPlaces(file: file, items: [(item, file)], beginning: .item)
  }
}
