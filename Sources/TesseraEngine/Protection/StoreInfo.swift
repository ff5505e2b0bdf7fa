// SPDX-License-Identifier: MIT
// Information about the store.

/// The present state of a store.
public struct StoreInfo: Sendable {
  /// The state that a call would find.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// There is no store yet.
    ///
    /// The first sign-in creates it.
    case missing
    /// The store has no records.
    case empty
    /// The store can be used.
    case usable
    /// The store can be read, but not written.
    case readOnly = "read_only"
    /// The store was damaged.
    ///
    /// The next sign-in quarantines it and creates a new one.
    case damaged
    /// A newer version of Tessera wrote the store.
    case tooNew = "too_new"
    /// The key is unavailable at present.
    case locked
    /// The available key is not the one that encrypts the store.
    case undecryptable
    /// Another process holds the store.
    case busy
    /// The store cannot be opened.
    case unavailable
  }

  /// The protection of the secrets.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// Encrypted, with a key that is not on the disk.
    case encrypted
    /// Encrypted, but the key is in a private file on the same disk.
    ///
    /// A reader of the whole disk can decrypt the secrets.
    case obfuscated
    /// Unencrypted, in a private file.
    case plaintext
    /// Nothing is written.
    case memory
  }

  /// The processes among which one at a time refreshes a token.
  public enum LockScope: String, Sendable, Hashable, CaseIterable {
    /// The threads of this process.
    ///
    /// Several processes may refresh the same token at the same time.
    case process
    /// The processes of this machine.
    case machine
    /// The processes that the locks of the host application's store exclude.
    case host
  }

  /// The numbers of records.
  public struct Records: Sendable, Hashable {
    /// Account records, one for each tenant of an account.
    public var accounts = 0
    /// Access tokens, including expired ones.
    public var accessTokens = 0
    /// Refresh tokens.
    public var refreshTokens = 0
    /// ID tokens.
    public var idTokens = 0
    /// All other records, such as discovery documents.
    public var others = 0
    /// Quarantined damaged rows.
    public var damaged = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// The state that a call would find.
  public var state: State
  /// The storage policy of the application.
  public var policy: StoragePolicy
  /// The protection of the secrets, or the expected one after the first sign-in; `nil` if it is unknown.
  public var protection: Protection?
  /// The location of the key; `nil` for none.
  public var keySource: KeySource?
  /// The key sources that failed before the present one when the store was created, or that would fail now.
  public var attempts: [KeyAttempt] = []
  /// The path of the database, of the cache file of other libraries, or of the file that signals changes of their keyring
  /// item; `nil` for a store in memory, and for one of the host application.
  public var path: String?
  /// The version of the database layout; `nil` without a database.
  public var layoutVersion: Int?
  /// The size of the used part of the database, in bytes.
  public var bytes: Int64?
  /// The size of the database file, in bytes.
  public var fileBytes: Int64?
  /// The size above which expired access tokens are evicted, and then those that expire first, in bytes.
  public var limitBytes: Int64?
  /// The numbers of records; `nil` without a readable database.
  public var records: Records?
  /// Whether the store is on a network file system.
  ///
  /// Its locks then work on this machine only, and every call reads it.
  public var isRemote = false
  /// The processes among which one at a time refreshes a token.
  public var lockScope = LockScope.machine
  /// Whether applications with other libraries also read and write the store.
  public var isSharedWithPeers = false
  /// The quarantined damaged databases, the newest last.
  public var setAside: [String] = []
  /// The error that a call would throw; `nil` for none.
  public var problem: TesseraError?

  /// Creates the state of a store.
  public init(state: State, policy: StoragePolicy, protection: Protection? = nil) {
    self.state = state
    self.policy = policy
    self.protection = protection
  }
}

extension StoreInfo.State {
  /// Creates the state that corresponds to a storage error.
  package init(_ code: TesseraError.Code) {
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

/// The requirements of an application for the encryption of its store.
public enum StoragePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written unless the key has more protection than file permissions.
  case requireEncrypted = "require_encrypted"
  /// The best available protection is used, at least a key file outside the store's directory.
  case preferEncrypted = "prefer_encrypted"
  /// As `preferEncrypted`, but if no key can be stored, secrets are written unencrypted to a private file.
  case allowPlaintext = "allow_plaintext"
  /// Nothing is written.
  case memoryOnly = "memory_only"
}

/// The source that stores the key of a store.
public enum KeySource: String, Sendable, Hashable, CaseIterable {
  /// The application, which provides the key.
  case caller
  /// The desktop keyring (freedesktop.org Secret Service), if it is unlocked.
  case secretService = "secret_service"
  /// The kernel keyring, which loses its keys on reboot.
  case kernelKeyring = "kernel_keyring"
  /// A private file outside the store's directory.
  case keyFile = "key_file"

  /// Whether the key is protected from a reader of the whole disk.
  public var isProtected: Bool { self != .keyFile }

  /// The default sources, in the order in which they are tried.
  public static let usual: [KeySource] = [.secretService, .keyFile]
}
