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
    /// The key that was found is not the one that it was sealed with.
    case undecryptable
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

  /// How many records there are.
  public struct Records: Sendable, Hashable {
    /// Profiles of people, one for each tenant.
    public var accounts = 0
    /// Access tokens, expired ones among them.
    public var accessTokens = 0
    /// Refresh tokens.
    public var refreshTokens = 0
    /// ID tokens.
    public var idTokens = 0
    /// Everything else, such as what servers said of themselves.
    public var others = 0
    /// Rows that were damaged and are kept aside.
    public var damaged = 0

    package init() {}
  }

  /// What one would find.
  public var state: State
  /// What the application asked for.
  public var policy: StoragePolicy
  /// What protects the secrets, or would after the first sign-in; nil if that is not known.
  public var protection: Protection?
  /// Where the key is kept; nil for none.
  public var keySource: KeySource?
  /// The sources that were tried before that one when the store got its key, or would be tried now, and why they failed.
  public var attempts: [KeyAttempt] = []
  /// The database, or the cache file of other libraries, or what is touched for their item of the keyring; nil for a store in
  /// memory.
  public var path: String?
  /// The version of the layout; nil without a database.
  public var layoutVersion: Int?
  /// Bytes of the database that are in use.
  public var bytes: Int64?
  /// Bytes of the database's file.
  public var fileBytes: Int64?
  /// Bytes from which expired access tokens make room for new ones, and then the access tokens that end next.
  public var limitBytes: Int64?
  /// What is in it; nil without a database that can be read.
  public var records: Records?
  /// Whether the store lies on another machine, or would: then its locks hold on this one only, and every call reads it.
  public var isRemote = false
  /// Whether programs with other libraries read and write it as well.
  public var isSharedWithPeers = false
  /// The databases that were set aside because they were damaged, newest last.
  public var setAside: [String] = []
  /// What is wrong, as a call would report it; nil for nothing.
  public var problem: TesseraError?

  package init(state: State, policy: StoragePolicy, protection: Protection? = nil) {
    self.state = state
    self.policy = policy
    self.protection = protection
  }
}

extension StoreInfo.State {
  /// What an error of the store says about it.
  package init(_ code: ErrorCode) {
    switch code {
    case .cacheDamaged: self = .damaged
    case .storeTooNew: self = .tooNew
    case .storeReadOnly: self = .readOnly
    case .keyUnavailable: self = .locked
    case .cacheUndecryptable: self = .undecryptable
    case .storeBusy, .deadlineExceeded: self = .busy
    default: self = .unavailable
    }
  }
}
