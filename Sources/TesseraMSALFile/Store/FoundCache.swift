// SPDX-License-Identifier: MIT
// A possible location of another application's token cache, with its state on this machine.

/// A possible location of the token cache of one of Microsoft's tools, with its state.
///
/// Depending on their configuration, some tools use either an unencrypted file or a keyring item, and so have several
/// locations.
public struct FoundCache: Sendable, Hashable {
  /// The kind of location.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A file.
    case file
    /// An item of the Secret Service.
    ///
    /// Each write also updates the modification time of a file.
    case item = "secret_service"
  }

  /// The state of the location.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// There is no cache.
    case missing
    /// The cache was read.
    case usable
    /// Unknown: the keyring is locked, missing or does not respond.
    case locked
    /// The contents are not a cache of this kind, or are encrypted by the owner.
    case unreadable
    /// The location cannot be accessed.
    case unavailable
  }

  /// The name of the cache.
  ///
  /// For most caches, it is a valid value of `store.msal_cache` in a configuration.
  public var name: String
  /// The tool that owns the cache, for display.
  public var owner: String
  /// The kind of location.
  public var kind: Kind
  /// The path of the file.
  ///
  /// For an item, it is the file with the modification time that writers update.
  public var path: String
  /// The schema of the item; `nil` for a file.
  public var schema: String?
  /// The state of the location.
  public var state: State
  /// Whether the owner uses this one of its locations, or would create its cache here.
  public var isSelected: Bool
  /// The number of accounts in the cache; `nil` unless it was read.
  public var accounts: Int?
  /// The time of the last modification, in seconds since 1970; `nil` if there is no cache or the time is unknown.
  package var modifiedOn: Int64?
  /// The reason why the cache cannot be read or opened, for display; `nil` if there is none.
  public var reason: String?

  /// Creates a location.
  public init(
    name: String, owner: String, kind: Kind, path: String, schema: String? = nil,
    state: State = .missing, isSelected: Bool = false
  ) {
    self.name = name
    self.owner = owner
    self.kind = kind
    self.path = path
    self.schema = schema
    self.state = state
    self.isSelected = isSelected
  }
}
