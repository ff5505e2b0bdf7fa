// SPDX-License-Identifier: MIT
// What a store says about itself: where it lies, what protects it, and what was tried.

/// A store as it is now.
public struct StoreInfo: Sendable {
  /// What one would find when using the store.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// There is none yet; the first sign-in makes it.
    case missing
    /// It is there, without any record.
    case empty
    /// It can be used.
    case usable
    /// It can be read, but not written.
    case readOnly = "read_only"
    /// It was damaged; the next sign-in sets it aside and begins anew.
    case damaged
    /// A newer version of Tessera wrote it.
    case tooNew = "too_new"
    /// Its key cannot be reached now.
    case locked
    /// Another process holds it.
    case busy
    /// It cannot be opened.
    case unavailable
  }

  /// What protects the secrets.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// Sealed, with a key that is kept apart from the disk.
    case encrypted
    /// Sealed, with a key in a private file on the same disk: who has the whole disk has both.
    case obfuscated
    /// In clear, in a private file.
    case plaintext
    /// Nothing is written.
    case memory
  }

  /// What one would find.
  public var state: State
  /// What the application asked for.
  public var policy: StoragePolicy
  /// What protects the secrets, or would after the first sign-in; nil if that is not known.
  public var protection: Protection?
  /// Where the key is kept; nil for none.
  public var keySource: KeySource?
  /// The sources that were tried before, and why they failed.
  public var attempts: [KeyAttempt] = []
  /// The database; nil for a store in memory.
  public var path: String?
  /// The version of the layout; nil without a database.
  public var layoutVersion: Int?
  /// Bytes of the database that are in use.
  public var bytes: Int64?
  /// Whether the store lies on a network file system: then its locks hold on this machine only.
  public var isOnNetwork = false
  /// Files that were set aside because they were damaged.
  public var setAside: [String] = []
  /// What is wrong, as a call would report it; nil for nothing.
  public var problem: TesseraError?

  package init(state: State, policy: StoragePolicy, protection: Protection? = nil) {
    self.state = state
    self.policy = policy
    self.protection = protection
  }
}
