// SPDX-License-Identifier: MIT
// The credential store in a host application's own store: one partition with all records, replaced by each commit.

import CLibrary
package import TesseraCache
package import TesseraEngine
import TesseraWire

/// A credential store in the store of a host application.
///
/// The partition is one document, encrypted with the key of the store. Each commit reads it, applies the change and
/// replaces it, unless another process was faster. Then the change is applied to the new contents.
package final class HostCredentialStore: CredentialStore {
  /// The timeout of a call without a deadline, in milliseconds.
  static let timeoutMilliseconds: Int64 = 10_000
  /// The maximum number of attempts to replace a partition that other processes change.
  private static let maximumAttempts = 50
  /// The suffix of the partition with the contents that were damaged.
  private static let quarantineSuffix = ".damaged"

  let host: any HostStore
  /// The name of the partition.
  let partition: String
  /// The size above which access tokens are evicted, in bytes; nil to evict only expired ones.
  let limitBytes: Int64?
  let keys: StoreKeys
  let time: any TimeSource
  private let log: TesseraLog
  /// The contents that were read last.
  ///
  /// They are used only if the store reports their version.
  private let known = SpinLock<PartitionContents?>(nil)

  /// Creates a store without accessing that of the host.
  package init(
    _ host: any HostStore, partition: String, protection: any KeyProtection,
    limitBytes: Int64? = nil, time: any TimeSource, log: TesseraLog = .silent
  ) {
    self.host = host
    self.partition = partition
    self.limitBytes = limitBytes
    self.time = time
    self.log = log
    keys = StoreKeys(protection, log)
  }

  package func isCurrent(_ version: StoreVersion) -> Bool {
    host.version(of: partition).map { StoreVersion(identity: 0, commits: $0) } == version
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    guard let contents = try contents(within: bounded(limits)) else {
      return CacheSnapshot(records: [], version: nil, condition: try missingCondition(limits))
    }
    let records = selection.records(in: contents.records.table)
    let version =
      host.version(of: partition) == nil
      ? nil : StoreVersion(identity: 0, commits: contents.version)
    return CacheSnapshot(
      records: records, version: version,
      condition: try condition(contents, hasFound: !records.isEmpty, limits))
  }

  package func checkWritable(within limits: CallLimits) throws(TesseraError) {
    let limits = bounded(limits)
    let contents = try contents(within: limits)
    _ = try keys.keyForWriting(after: contents?.keyRow, within: limits)
  }

  @discardableResult
  package func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    let limits = bounded(limits)
    return try retrying(within: limits) { () throws(TesseraError) in
      try commitOnce(change, within: limits)
    }
  }

  package func rotateKey(
    to given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    let limits = bounded(limits)
    return try retrying(within: limits) { () throws(TesseraError) in
      guard let old = try contents(within: limits) else { return false }
      let new = try keys.rotatedKey(to: given, after: old.keyRow, within: limits)
      let isWritten = try write(old.records, encryptedWith: new, replacing: old.version, limits)
      return isWritten ? new != nil : nil
    }
  }

  package func deleteQuarantined(within limits: CallLimits) throws(TesseraError) -> Bool {
    let limits = bounded(limits)
    guard let damaged = try quarantined(within: limits) else { return true }
    return try write([], to: quarantine, replacing: damaged.version, within: limits) == .committed
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let number = RecordKey.number(of: credential.name)
    let owner = ProcessLocks.Owner()
    // No file has this device number. Two applications of this process may use the same store.
    let byte = ProcessLocks.Byte(
      device: .max, inode: UInt(truncatingIfNeeded: RecordKey.number(of: partition)),
      offset: off_t(number))
    var pause = Backoff()
    while !ProcessLocks.acquire(byte, exclusive: true, for: owner) {
      try pause.wait(time, within: limits)
    }
    defer { ProcessLocks.releaseAll(owner) }
    guard let locks = host.locks else { return try body() }
    let name = String(UInt64(bitPattern: number), radix: 16)
    while try !lock(locks, name, within: limits) { try pause.wait(time, within: limits) }
    defer { locks.unlock(name) }
    return try body()
  }
}

// MARK: - Reading

/// The contents of a partition at one version.
struct PartitionContents: Sendable {
  let version: UInt64
  /// The row of the key; nil without encryption.
  let keyRow: KeyRow?
  let records: PartitionRecords
  /// The size of the partition, in bytes.
  let size: Int
}

extension HostCredentialStore {
  func bounded(_ limits: CallLimits) -> CallLimits {
    limits.bounded(milliseconds: HostCredentialStore.timeoutMilliseconds, time)
  }

  /// Returns the present contents; nil if the partition does not exist.
  ///
  /// - Throws: `cacheDamaged` for bytes that are not a document. They are never treated as an empty store.
  func contents(within limits: CallLimits) throws(TesseraError) -> PartitionContents? {
    switch try load(within: limits) {
    case .missing: return nil
    case .valid(let contents): return contents
    case .damaged(_, let error): throw error
    }
  }

  private enum Loaded {
    case missing
    case valid(PartitionContents)
    case damaged(HostPartition, TesseraError)
  }

  private func load(within limits: CallLimits) throws(TesseraError) -> Loaded {
    let present = host.version(of: partition)
    if let present, let known = known.withLock({ $0 }), known.version == present {
      return .valid(known)
    }
    guard let stored = try read(partition, within: limits) else { return .missing }
    do throws(TesseraError) {
      let contents = try parsed(stored, within: limits)
      if present != nil { known.withLock { $0 = contents } }
      return .valid(contents)
    } catch {
      guard error.code == .cacheDamaged else { throw error }
      return .damaged(stored, error)
    }
  }

  private func parsed(
    _ stored: HostPartition, within limits: CallLimits
  ) throws(TesseraError) -> PartitionContents {
    let document: PartitionDocument
    do throws(PartitionDocument.Problem) {
      document = try PartitionDocument(parsing: stored.bytes)
    } catch {
      switch error {
      case .damaged(let reason): throw damaged(reason)
      case .tooNew:
        throw TesseraError(
          .fixStorage, .storeTooNew,
          "\(title) was written by a newer version of Tessera. Update this application. Nothing was changed."
        )
      }
    }
    var plaintext = try plaintext(document, within: limits)
    defer { plaintext.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    guard let records = PartitionRecords(parsing: plaintext) else {
      throw damaged("it has no records")
    }
    return PartitionContents(
      version: stored.version, keyRow: document.keyRow, records: records,
      size: stored.bytes.count)
  }

  private func plaintext(
    _ document: PartitionDocument, within limits: CallLimits
  ) throws(TesseraError) -> [UInt8] {
    guard let row = document.keyRow else {
      try keys.protection.checkUnencryptedAllowed()
      return document.body
    }
    let cipher = try keys.cipher(of: row, within: limits)
    guard let plaintext = document.body.withUnsafeBytes({ cipher.decrypt($0, at: identity) }) else {
      throw damaged("it cannot be decrypted")
    }
    return plaintext
  }

  /// The identity with which the partition is encrypted, so that partitions cannot be swapped.
  private var identity: RowIdentity {
    RowIdentity(name: RecordKey.number(of: "partition\n" + partition), type: 0)
  }

  /// The partition for messages.
  private var title: String { "The partition \(partition) of the application's store" }

  private func damaged(_ reason: String) -> TesseraError {
    TesseraError(
      .signIn, .cacheDamaged,
      "\(title) is damaged (\(reason)). Sign in again: a sign-in quarantines it and creates a new one. Nothing was overwritten."
    )
  }

  /// The name of the partition with the contents that were damaged.
  private var quarantine: String { partition + HostCredentialStore.quarantineSuffix }

  /// Returns the quarantined contents; nil if there are none.
  func quarantined(within limits: CallLimits) throws(TesseraError) -> HostPartition? {
    guard let stored = try read(quarantine, within: limits), !stored.bytes.isEmpty else {
      return nil
    }
    return stored
  }

  /// The names of the quarantined partitions.
  func quarantinedNames(within limits: CallLimits) throws(TesseraError) -> [String] {
    try quarantined(within: limits) == nil ? [] : [quarantine]
  }

  private func missingCondition(_ limits: CallLimits) throws(TesseraError) -> StoreCondition {
    try quarantined(within: bounded(limits)) == nil ? .missing : quarantineCondition
  }

  private var quarantineCondition: StoreCondition {
    .damaged("\(title) was damaged. A copy is in the partition \(quarantine). Sign in again.")
  }

  private func condition(
    _ contents: PartitionContents, hasFound: Bool, _ limits: CallLimits
  ) throws(TesseraError) -> StoreCondition {
    guard !hasFound else { return .usable }
    guard try quarantined(within: bounded(limits)) == nil else { return quarantineCondition }
    return contents.records.table.allAccounts().isEmpty ? .empty : .usable
  }
}

// MARK: - Writing

extension HostCredentialStore {
  /// Runs `body` until it returns a value.
  private func retrying<Value>(
    within limits: CallLimits, _ body: () throws(TesseraError) -> Value?
  ) throws(TesseraError) -> Value {
    var pause = Backoff()
    for _ in 0..<HostCredentialStore.maximumAttempts {
      if let value = try body() { return value }
      known.withLock { $0 = nil }
      try pause.wait(time, within: limits)
    }
    throw TesseraError(
      .retryLater, .storeBusy,
      "\(title) was changed repeatedly by other processes. Try again.")
  }

  /// Applies a change to the present contents.
  ///
  /// - Returns: The outcome; nil if another process wrote in the meantime.
  private func commitOnce(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome? {
    guard let (old, version) = try startingPoint(change, within: limits) else { return nil }
    var records = old?.records ?? PartitionRecords()
    let before = Set(records.table.everything())
    let outcome = records.apply(change)
    records.evictExpired(at: time.clocks)
    let after = Set(records.table.everything())
    // A change without effect writes nothing, except to replace damaged contents.
    let isEqual = old.map { $0.records.isEmpty == records.isEmpty } ?? (version == 0)
    guard after != before || !isEqual else { return outcome }
    if let limitBytes {
      records.evict(toBytes: limitBytes, keeping: after.subtracting(before))
    }
    let key = try keys.keyForWriting(after: old?.keyRow, within: limits)
    return try write(records, encryptedWith: key, replacing: version, limits) ? outcome : nil
  }

  /// Returns the contents to which a change is applied, and the version that the new contents replace.
  ///
  /// Damaged contents are quarantined first, if the change may replace them.
  ///
  /// - Returns: nil if another process quarantined contents at the same time.
  private func startingPoint(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> (PartitionContents?, version: UInt64)? {
    switch try load(within: limits) {
    case .missing: return (nil, 0)
    case .valid(let contents): return (contents, contents.version)
    case .damaged(let stored, let error):
      guard change.justifiesReplacement else { throw error }
      let older = try read(quarantine, within: limits)?.version ?? 0
      guard
        try write(stored.bytes, to: quarantine, replacing: older, within: limits) == .committed
      else { return nil }
      log.write(.warning, "\(title) was damaged. A copy is in the partition \(quarantine).")
      return (nil, stored.version)
    }
  }

  /// Replaces the contents of the partition.
  ///
  /// - Returns: Whether the partition still had the version that is replaced.
  private func write(
    _ records: PartitionRecords, encryptedWith key: (row: KeyRow, cipher: RowCipher)?,
    replacing version: UInt64, _ limits: CallLimits
  ) throws(TesseraError) -> Bool {
    var body = records.bytes
    if let key {
      var nonces = NonceSupply()
      guard let encrypted = key.cipher.encrypt(&body, at: identity, &nonces) else {
        throw TesseraError(
          .fixStorage, .storeUnavailable, "\(title) cannot be encrypted. Try again.")
      }
      body = encrypted
    }
    guard body.count <= PartitionRecords.maximumBytes else {
      throw TesseraError(
        .fixStorage, .storeFull,
        "\(title) would be larger than \(PartitionRecords.maximumBytes >> 20) MiB. Sign accounts out, or set a limit for the store."
      )
    }
    let document = PartitionDocument(keyRow: key?.row, body: body)
    let result = try write(document.bytes, to: partition, replacing: version, within: limits)
    known.withLock { $0 = nil }
    return result == .committed
  }
}

// MARK: - Calls of the host

extension HostCredentialStore {
  private func read(
    _ partition: String, within limits: CallLimits
  ) throws(TesseraError) -> HostPartition? {
    try calling("read", limits) { try host.read(partition, timeout: $0) }
  }

  private func write(
    _ bytes: [UInt8], to partition: String, replacing version: UInt64, within limits: CallLimits
  ) throws(TesseraError) -> HostWriteResult {
    try calling("written", limits) { timeout in
      try host.write(bytes, to: partition, expecting: version, timeout: timeout)
    }
  }

  private func lock(
    _ locks: any HostLocks, _ name: String, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    // The host does not know the cancellation of the call, which must end within 100 ms. At the deadline, the pause between
    // two attempts ends the wait.
    let left = limits.atMost(milliseconds: 100, time).nanosecondsLeft(time) ?? 0
    do {
      return try locks.lock(name, timeout: .nanoseconds(Int64(clamping: left)))
    } catch {
      throw unavailable("locked", error)
    }
  }

  /// Calls a function of the host.
  ///
  /// A result counts even after the limits: a commit may have stored the only valid refresh token.
  private func calling<Value>(
    _ action: String, _ limits: CallLimits, _ body: (Duration) throws -> Value
  ) throws(TesseraError) -> Value {
    try limits.check(time)
    let left = limits.nanosecondsLeft(time) ?? 0
    do {
      return try body(.nanoseconds(Int64(clamping: left)))
    } catch {
      try limits.check(time)
      throw unavailable(action, error)
    }
  }

  private func unavailable(_ action: String, _ error: any Error) -> TesseraError {
    TesseraError(
      .fixStorage, .storeUnavailable,
      "The store of the application cannot be \(action): \(String(describing: error).withoutParameters.plain(atMost: 500)). Make it available, and call again."
    )
  }
}
