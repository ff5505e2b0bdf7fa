// SPDX-License-Identifier: MIT
// The choice of the token store, with the checks that need no access to it.

import TesseraWire

/// The kind of token store.
public enum StoreKind: String, Sendable, CaseIterable {
  /// A database shared by all applications of the user that name the same group.
  case sqlite
  /// The cache file of MSAL for Python, .NET, Go, Java and Node, shared with applications that use those libraries.
  case msalFile = "msal_file"
  /// Process memory.
  ///
  /// The tokens are lost when the process ends.
  case memory
  /// A store of the host application.
  case host
}

/// The token store of an application.
///
/// ```swift
/// configuration.store = .sqlite(group: "com.contoso.mail")
/// configuration.store = .msalFile(.azureCLI)
/// configuration.store = .memory
/// ```
public enum StoreConfiguration: Sendable {
  /// The options of a database.
  public struct SQLiteOptions: Sendable {
    /// The name of the group of applications of this user that share the tokens.
    public var group: String
    /// The directory of the database; `nil` for `$XDG_DATA_HOME/tessera`.
    public var directory: String?
    /// The required encryption of the store.
    public var policy: StoragePolicy
    /// The size of the store above which access tokens are evicted, in megabytes (2^20 bytes); `nil` for no limit.
    ///
    /// The tokens that expire first are evicted first. Expired access tokens are removed in any case, refresh tokens
    /// never. Each application applies its own limit when it writes to the store.
    public var limitMegabytes: Int64?
    /// The locations to try for the key of a new store, in order; `nil` for ``KeySource/usual``.
    ///
    /// An existing store keeps its location. With ``key``, stores with a key in one of these locations are trusted in
    /// addition. If this property is `nil`, only stores encrypted with ``key`` are trusted.
    public var keySources: [KeySource]?
    /// The encryption key of the store, if the application provides it.
    ///
    /// A new store then uses no other source.
    public var key: StoreKey?

    /// Creates the options of a database.
    public init(
      group: String = "default", directory: String? = nil,
      policy: StoragePolicy = .preferEncrypted, limitMegabytes: Int64? = nil,
      keySources: [KeySource]? = nil, key: StoreKey? = nil
    ) {
      self.group = group
      self.directory = directory
      self.policy = policy
      self.limitMegabytes = limitMegabytes
      self.keySources = keySources
      self.key = key
    }
  }

  /// The options of a store of the host application.
  public struct HostOptions: Sendable {
    /// The name of the partition, which has all records.
    public var partition: String
    /// The required encryption of the partition.
    public var policy: StoragePolicy
    /// The size of the partition above which access tokens are evicted, in megabytes; `nil` for no limit.
    public var limitMegabytes: Int64?
    /// The locations to try for the key, as for a database; see ``SQLiteOptions/keySources``.
    public var keySources: [KeySource]?
    /// The encryption key of the partition, if the application provides it.
    public var key: StoreKey?

    /// Creates the options of a store.
    public init(
      partition: String = "default", policy: StoragePolicy = .preferEncrypted,
      limitMegabytes: Int64? = nil, keySources: [KeySource]? = nil, key: StoreKey? = nil
    ) {
      self.partition = partition
      self.policy = policy
      self.limitMegabytes = limitMegabytes
      self.keySources = keySources
      self.key = key
    }

    /// The options as those of a database whose group is the partition.
    fileprivate var database: SQLiteOptions {
      SQLiteOptions(
        group: partition, policy: policy, limitMegabytes: limitMegabytes, keySources: keySources,
        key: key)
    }
  }

  /// An encrypted database, shared by all applications of the user that name the same group.
  case sqlite(SQLiteOptions)
  /// A cache file of MSAL for Python, .NET, Go, Java and Node, shared with applications that use those libraries.
  ///
  /// It is not encrypted. With the policy ``StoragePolicy/requireEncrypted``, a plain file is rejected.
  case msalFile(
    MSALCache, policy: StoragePolicy = .preferEncrypted, limitMegabytes: Int64? = nil)
  /// Process memory.
  ///
  /// The tokens are lost when the process ends.
  case memory
  /// A store of the host application, such as a table of its own database.
  ///
  /// The library encrypts what it stores there.
  case host(any HostStore, HostOptions = HostOptions())

  /// Returns the database of a group; see ``SQLiteOptions`` for the parameters.
  public static func sqlite(
    group: String = "default", directory: String? = nil,
    policy: StoragePolicy = .preferEncrypted, limitMegabytes: Int64? = nil,
    keySources: [KeySource]? = nil, key: StoreKey? = nil
  ) -> StoreConfiguration {
    .sqlite(
      SQLiteOptions(
        group: group, directory: directory, policy: policy, limitMegabytes: limitMegabytes,
        keySources: keySources, key: key))
  }

  /// The kind of the store; memory if the policy requires it.
  public var kind: StoreKind {
    guard policy != .memoryOnly else { return .memory }
    return switch self {
    case .sqlite: .sqlite
    case .msalFile: .msalFile
    case .memory: .memory
    case .host: .host
    }
  }
}

extension StoreConfiguration {
  /// The required encryption of the store.
  package var policy: StoragePolicy {
    switch self {
    case .sqlite(let options): options.policy
    case .msalFile(_, let policy, _): policy
    case .memory: .memoryOnly
    case .host(_, let options): options.policy
    }
  }

  /// The size above which access tokens are evicted, in bytes; `nil` for no limit.
  package var limitBytes: Int64? { limitMegabytes.map { $0 << 20 } }

  private var limitMegabytes: Int64? {
    switch self {
    case .sqlite(let options): options.limitMegabytes
    case .msalFile(_, _, let limit): limit
    case .memory: nil
    case .host(_, let options): options.limitMegabytes
    }
  }

  /// The options of the database, or of the host application's store as such; the default options for another store.
  package var sqliteOptions: SQLiteOptions {
    switch self {
    case .sqlite(let options): options
    case .host(_, let options): options.database
    case .msalFile, .memory: SQLiteOptions()
    }
  }

  /// Checks the options.
  ///
  /// - Throws: `fixConfiguration` with a message that names the invalid setting.
  package func check() throws(TesseraError) {
    if let limitMegabytes, !(1...1_000_000).contains(limitMegabytes) {
      throw Self.invalid("store.limit_megabytes must be between 1 and 1000000.")
    }
    switch self {
    case .sqlite(let options): try options.check()
    case .msalFile(let cache, _, _):
      if case .file(let path) = cache, MSALCache(path) != cache {
        throw Self.invalid("store.msal_cache must be the absolute path of a file.")
      }
    case .memory: break
    case .host(_, let options): try options.database.check()
    }
  }

  fileprivate static func invalid(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, message)
  }
}

extension StoreConfiguration.SQLiteOptions {
  /// The key sources of trusted stores; `nil` if all stores are trusted.
  ///
  /// An attacker with write access to the store's files can replace them with a store encrypted with another key. An
  /// application that provides the key itself can detect this.
  package var trustedKeySources: Set<KeySource>? {
    guard key != nil else { return nil }
    return Set(keySources ?? []).union([.caller])
  }

  fileprivate func check() throws(TesseraError) {
    guard isGroupName(group) else {
      throw StoreConfiguration.invalid(
        "store.group is invalid: use 1 to 64 letters, digits, '.', '_' or '-', not starting with '.'."
      )
    }
    // Quarantined databases and partitions have such a suffix. Another group with it would be mistaken for one of them.
    guard !group.contains(".damaged-"), !group.hasSuffix(".damaged") else {
      throw StoreConfiguration.invalid(
        "store.group contains \".damaged\", reserved for quarantined stores: choose another name."
      )
    }
    if let directory, !directory.hasPrefix("/") || directory.utf8.contains(0) {
      throw StoreConfiguration.invalid("store.directory must be an absolute path.")
    }
    if let key, !key.isUsable {
      throw StoreConfiguration.invalid("store.key must have \(StoreKey.byteCount) bytes.")
    }
    let sources = keySources ?? []
    guard Set(sources).count == sources.count else {
      throw StoreConfiguration.invalid(
        "store.key_sources lists a source twice: list each source once.")
    }
    guard key != nil || !sources.contains(.caller) else {
      throw StoreConfiguration.invalid(
        "store.key_sources lists \"caller\", but store.key is missing: pass store.key, or remove \"caller\"."
      )
    }
  }

  /// Checks the group name.
  ///
  /// It becomes a file name, so it must not contain path separators.
  private func isGroupName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80
          && (character.isLetter || character.isNumber || "._-".contains(character))
      }
  }
}
