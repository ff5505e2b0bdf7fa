// SPDX-License-Identifier: MIT
// A place in which another program's token cache can lie, as it was found on this machine.

/// A place in which the token cache of one of Microsoft's tools can lie, and what is there.
///
/// Some tools have several: a plain file, or an item of the keyring, as they are set up.
public struct FoundCache: Sendable, Hashable {
  /// What a cache lies in.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A file.
    case file
    /// An item of the Secret Service; a file is touched when it is written.
    case item = "secret_service"
  }

  /// What is there.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case missing
    /// A cache that was read.
    case usable
    /// Perhaps one: the keyring is locked, not there, or does not answer.
    case locked
    /// Something that is no cache of this kind, or is encrypted by its owner.
    case unreadable
    /// Something that cannot be looked at.
    case unavailable
  }

  /// What it is called; for most, what `msal_cache` of a configuration takes.
  public var name: String
  /// Whose it is, for people.
  public var owner: String
  /// What it lies in.
  public var kind: Kind
  /// The file, or the one that is touched for an item.
  public var path: String
  /// The schema of the item; nil for a file.
  public var schema: String?
  /// What is there.
  public var state: State
  /// Whether this is the one of its places that is in use, or that its owner would begin.
  public var isSelected: Bool
  /// How many people it knows; nil unless it was read.
  public var accounts: Int?
  /// When it was last written, in seconds since 1970; nil if nothing is there, or that is not known.
  public var modifiedOn: Int64?
  /// Why it cannot be read or opened, for a person; nil if it can.
  public var reason: String?

  package init(
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
