// SPDX-License-Identifier: MIT
// The location of a store and its shards.

import CLibrary
import CTesseraStore
import Synchronization
import TesseraCache
package import TesseraEngine

/// The paths of the files of one group's store.
package struct StoreLocation: Sendable {
  /// The directory, private to the user.
  package let directory: String
  /// The name of the group, which is part of each file name.
  package let group: String
  /// Whether the directory is the default one, not one chosen by the application.
  private let isDefaultDirectory: Bool

  /// Creates the paths in a directory, or in the user's data directory if it is nil.
  ///
  /// - Throws: `fixStorage` if no directory is given, and the user has no data directory.
  package init(group: String, directory: String?) throws(TesseraError) {
    self.group = group
    isDefaultDirectory = directory == nil
    if let directory {
      self.directory = directory
    } else if let path = EnvironmentPath.userDirectory("XDG_DATA_HOME", inHome: ".local/share") {
      self.directory = path
    } else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "This user has no home directory for the store. Set HOME or store.directory.")
    }
  }

  private init(_ location: StoreLocation, directory: String) {
    group = location.group
    isDefaultDirectory = location.isDefaultDirectory
    self.directory = directory
  }

  /// The path of the database.
  package var database: String { "\(directory)/\(group).db" }
  /// The paths of the lock files, which are never unlinked.
  ///
  /// For a store on another machine, they are on this machine, named after the inode of the directory. They then
  /// serialize the processes of this machine only, and locking never waits for the network.
  var lockFiles: LockFiles {
    guard isRemote, let number = PersistentFileID(at: directory)?.number else {
      return LockFiles(
        locks: "\(directory)/\(group).lock", threadLocks: "\(directory)/\(group).turn")
    }
    let start = "\(RuntimeDirectory.path)/tessera-\(number)-\(group)"
    return LockFiles(locks: start + ".lock", threadLocks: start + ".turn")
  }
  /// Whether the store is on another machine, or would be once its directory is created.
  package var isRemote: Bool { ctessera_is_remote(directory) }
  /// The path of the change counter file.
  package var counterFile: String { "\(directory)/\(group).fresh" }
}

extension StoreLocation {
  /// Returns the identity of the database file; nil if it does not exist.
  ///
  /// - Throws: `fixStorage` if the system call fails, because such a store must not be treated as empty.
  func identity() throws(TesseraError) -> FileIdentity? {
    if let identity = FileIdentity(at: database) { return identity }
    if errno == ENOENT { return nil }
    throw .failed("examine", database, errno)
  }

  /// Whether a store existed: the change counter file remains if the database is emptied.
  var hasCounterFile: Bool { FileIdentity(at: counterFile) != nil }

  /// Rejects symbolic links, and files that are owned or writable by other users; see ``FileRules``.
  package func checkSafety() throws(TesseraError) {
    do throws(FileError) {
      try FileRules.check(directory, kind: mode_t(S_IFDIR), tightens: isDefaultDirectory)
      try FileRules.checkParents(of: directory)
      let locks = [lockFiles.locks, lockFiles.threadLocks]
      for file in [database, counterFile] + ["-wal", "-shm", "-journal"].map({ database + $0 })
        + locks
      {
        try FileRules.check(file, kind: mode_t(S_IFREG), tightens: true)
      }
    } catch {
      throw TesseraError(error)
    }
  }

  /// Creates the directory and its missing parents, with mode 0700 from the start, and checks its safety.
  package func makeDirectory() throws(TesseraError) {
    do throws(FileError) {
      try PrivateDirectory.make(directory)
      if isRemote { try RuntimeDirectory.make(RuntimeDirectory.path) }
    } catch {
      throw TesseraError(error)
    }
    try checkSafety()
  }

  /// Returns the same paths without symbolic links.
  ///
  /// SQLite rejects all symbolic links, but those above the directory are allowed.
  func resolved() -> StoreLocation {
    guard let path = realpath(directory, nil) else { return self }
    defer { free(path) }
    return StoreLocation(self, directory: String(cString: path))
  }

  /// Creates the file whose mode a new database gets, and returns its path.
  ///
  /// This is the file with the locks between threads. Closing the other lock file would release the locks of other
  /// threads.
  package func createModeFile() throws(TesseraError) -> String {
    let path = lockFiles.threadLocks
    let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw .failed("open", path, errno) }
    close(descriptor)
    return path
  }
}

/// A set of shards of a store.
///
/// Shard 0 is the account list: it changes when a user signs in or out. Each of the next shards does the same for one
/// range of account hashes.
///
/// The other shards are selected by a hash. For the records of an account, it is the hash of the account. For access
/// tokens, it is the hash of the account and a scope. For records without an account, such as discovery, it is the hash
/// of the key. Application metadata affects all shards.
struct StoreShards {
  /// The range of valid shard numbers.
  static let all = 0...4094
  /// The shard that changes when a user signs in or out, but not on a refresh.
  static let accountList = 0
  /// The shards that identify the ranges of the account list with changes.
  static let ranges = 1...AccountListVersion.rangeCount
  /// The shards that are selected by hash.
  private static let hashedShards = ranges.upperBound + 1...all.upperBound
  /// The lowest type number of records that no cached token depends on, such as provider metadata.
  private static let firstInternalType = 9000

  private var selected: Set<Int> = []
  private var isAll = false

  /// The numbers of the shards in this set.
  var numbers: [Int] { isAll ? Array(StoreShards.all) : Array(selected) }

  /// Whether the set is empty.
  var isEmpty: Bool { selected.isEmpty && !isAll }

  /// Adds the shards of a record other than an access token.
  ///
  /// - Parameters:
  ///   - owner: The hash of its home account ID; nil for a record without an account.
  ///   - key: The hash of its key.
  ///   - type: Its type number.
  ///   - changesList: Whether the record may change the account list.
  mutating func insert(owner: Int64?, key: Int64, type: Int, changesList: Bool) {
    if let owner {
      selected.insert(StoreShards.shard(of: owner))
      if changesList {
        selected.formUnion([StoreShards.accountList, StoreShards.range(of: owner)])
      }
    } else if type < StoreShards.firstInternalType {
      // Application metadata affects the tokens of all accounts, and rarely changes.
      isAll = true
    } else {
      selected.insert(StoreShards.shard(of: key))
    }
  }

  /// Adds the shard of an access token.
  ///
  /// - Parameter scope: The hash of its account and one of its scopes, or no scope.
  mutating func insert(scope: Int64) { selected.insert(StoreShards.shard(of: scope)) }

  /// Adds all shards.
  mutating func insertAll() { isAll = true }

  /// Adds the shards of another set.
  mutating func formUnion(_ other: StoreShards) {
    selected.formUnion(other.selected)
    isAll = isAll || other.isAll
  }

  /// Returns the one or two shards that cover a selection; nil if more would be needed.
  static func shards(
    readBy selection: SnapshotSelection, hashedBy number: (String) -> Int64 = RecordKey.number(of:)
  ) -> ShardPair? {
    guard !selection.everything else { return nil }
    // Application metadata is part of every shard.
    let keys = selection.keys.filter { $0.type != AppMetadataRecord.typeNumber }
    // The owner of a record cannot be derived from its key.
    guard keys.allSatisfy({ $0.type >= firstInternalType }) else { return nil }
    if selection.allAccounts { return keys.isEmpty ? ShardPair(accountList) : nil }
    if let owner = selection.owner {
      return keys.isEmpty
        ? ShardPair(
          owner: number(owner),
          scope: number(SQLiteTable.scopeText(owner, selection.scope))) : nil
    }
    let shards = Set(keys.map { shard(of: $0.number) })
    return shards.count > 1 ? nil : ShardPair(shards.first ?? accountList)
  }

  /// Returns the shard of a hash.
  static func shard(of hash: Int64) -> Int {
    hashedShards.lowerBound + Int(UInt64(bitPattern: hash) % UInt64(hashedShards.count))
  }

  /// Returns the shard for the range of an account hash.
  static func range(of owner: Int64) -> Int {
    ranges.lowerBound + AccountListVersion.range(of: owner)
  }
}

/// One or two shards that cover the data read by a call.
struct ShardPair {
  let one: Int
  let other: Int

  /// Creates a value for one shard.
  init(_ shard: Int) { (one, other) = (shard, shard) }

  /// Creates a value for the records of an account and its access tokens with a scope, given their hashes.
  init(owner: Int64, scope: Int64) {
    (one, other) = (StoreShards.shard(of: owner), StoreShards.shard(of: scope))
  }
}

/// The pauses between attempts to acquire a lock.
package struct Backoff {
  /// The longest pause, in nanoseconds, and so the longest delay until a free lock is noticed.
  private static let maximumNanoseconds: UInt64 = 20_000_000
  private var next: UInt64 = 500_000

  package init() {}

  /// Waits before the next attempt.
  ///
  /// - Throws: `cancelled` if the call was cancelled, `storeBusy` at its deadline.
  package mutating func wait(_ time: any TimeSource, within limits: CallLimits) throws(TesseraError)
  {
    do throws(TesseraError) {
      try time.wait(nanoseconds: next, within: limits)
    } catch {
      guard error.code == .deadlineExceeded else { throw error }
      throw TesseraError(
        .retryLater, .storeBusy,
        "Timed out waiting for another thread or process that holds the token store: try again, or allow more time."
      )
    }
    next = min(next * 2, Backoff.maximumNanoseconds)
  }
}

/// The number of calls that use a resource.
///
/// It may be closed only when there are none.
final class UseCount: Sendable {
  /// The value once the resource must be closed.
  private static let retired = -1

  /// Two per use, plus one after ``retire()``.
  private let value = Atomic<Int>(0)

  init() {}

  /// Begins a use.
  ///
  /// Returns false after ``retire()``.
  func begin() -> Bool {
    var seen = value.load(ordering: .acquiring)
    while seen & 1 == 0 {
      let (exchanged, now) = value.compareExchange(
        expected: seen, desired: seen &+ 2, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      seen = now
    }
    return false
  }

  /// Ends a use.
  ///
  /// Returns true if the caller must close the resource.
  func end() -> Bool {
    value.subtract(2, ordering: .acquiringAndReleasing)
    return mustClose()
  }

  /// Prevents further uses.
  ///
  /// Returns true if the caller must close the resource, because no call uses it.
  func retire() -> Bool {
    value.bitwiseOr(1, ordering: .acquiringAndReleasing)
    return mustClose()
  }

  private func mustClose() -> Bool {
    value.compareExchange(
      expected: 1, desired: UseCount.retired, ordering: .acquiringAndReleasing
    ).exchanged
  }
}

/// An atomic reference to an object, initially nil.
///
/// A read takes one load: no lock that a fork() could leave held, and no reference count shared by threads. A replaced
/// object is therefore never freed, because a thread may still be using it.
package final class AtomicReference<Object: AnyObject & Sendable>: Sendable {
  private let address = Atomic<UInt>(0)

  /// Creates a reference to no object.
  package init() {}

  deinit {
    AtomicReference.object(address.load(ordering: .acquiring))?.release()
  }

  /// Passes the object to `body`.
  ///
  /// Inlined to avoid touching its reference count.
  @inline(__always)
  package func borrowed<Value>(_ body: (Object?) -> Value) -> Value {
    guard let object = AtomicReference.object(address.load(ordering: .acquiring)) else {
      return body(nil)
    }
    return object._withUnsafeGuaranteedRef { body($0) }
  }

  /// Whether an object is set and satisfies a condition.
  ///
  /// Every cache hit calls this function. An intermediate optional would touch the reference count.
  @inline(__always)
  package func satisfies(_ condition: (Object) -> Bool) -> Bool {
    guard let object = AtomicReference.object(address.load(ordering: .acquiring)) else {
      return false
    }
    return object._withUnsafeGuaranteedRef(condition)
  }

  /// Replaces `old` with `new` if it is still set, and returns the object that is set afterwards.
  package func replace(_ old: Object?, with new: Object) -> Object {
    let expected = old.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    let desired = Unmanaged.passRetained(new)
    let (exchanged, current) = address.compareExchange(
      expected: expected, desired: UInt(bitPattern: desired.toOpaque()),
      ordering: .acquiringAndReleasing)
    guard !exchanged else { return new }
    desired.release()
    return AtomicReference.object(current)?.takeUnretainedValue() ?? new
  }

  private static func object(_ address: UInt) -> Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged<Object>.fromOpaque($0) }
  }
}
