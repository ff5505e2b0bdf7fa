// SPDX-License-Identifier: MIT
// The store in the cache of other libraries: MSAL for Python, .NET, Go, Java and Node, Azure CLI, the Azure SDK.

import Synchronization
package import TesseraCache
package import TesseraEngine
import TesseraPlatform

/// A store in the unified JSON document that every MSAL library reads and writes, under the locks of all these
/// libraries.
///
/// No file is opened before the first call. Reading does not create a file.
package final class MSALFileStore: CredentialStore {
  /// The timeout of a call without a deadline, in milliseconds.
  private static let timeoutMilliseconds: Int64 = 10_000
  /// The free space that is required before a refresh, in bytes.
  ///
  /// It is several times the size of one token response in the file.
  private static let additionalBytes = 1 << 18

  let finder: MSALFileFinder
  let policy: StoragePolicy
  let time: any TimeSource
  private let log: TesseraLog
  let names: UnifiedNames
  /// The size above which access tokens are evicted, in bytes; nil for no limit.
  let limitBytes: Int64?
  private let knownLocation = AtomicReference<MSALFileLocation>()
  private let hasWarned = Atomic(false)
  let locks = StoreLocks()
  let memory = SpinLock(MSALFileState())

  /// Creates the store in a cache.
  ///
  /// - Parameters:
  ///   - policy: The storage policy. With `requireEncrypted`, a plain file is rejected.
  ///   - names: The names of clouds and tenants that other applications use in the cache.
  ///   - limitBytes: The size above which access tokens are evicted, those that expire first.
  package convenience init(
    _ cache: MSALCache, policy: StoragePolicy = .allowPlaintext,
    names: UnifiedNames = UnifiedNames(), limitBytes: Int64? = nil, time: any TimeSource,
    log: TesseraLog = .silent
  ) {
    self.init(
      MSALFileFinder(cache, KeyringItems(time: time), time: time), policy: policy, names: names,
      limitBytes: limitBytes, time: time, log: log)
  }

  /// Creates the store with a search for its location.
  init(
    _ finder: MSALFileFinder, policy: StoragePolicy = .allowPlaintext,
    names: UnifiedNames = UnifiedNames(), limitBytes: Int64? = nil, time: any TimeSource,
    log: TesseraLog = .silent
  ) {
    self.finder = finder
    self.policy = policy
    self.names = names
    self.limitBytes = limitBytes
    self.time = time
    self.log = log
  }

  /// Creates the store for a configuration, with the names of its authority.
  package convenience init(
    _ cache: MSALCache, _ configuration: ApplicationConfiguration, time: any TimeSource
  ) {
    let authority = try? Authority(configuration.authority, type: configuration.authorityType)
    let claims = cache.capabilityClaims(for: configuration)
    self.init(
      cache, policy: configuration.store.policy,
      names: authority.map { UnifiedNames($0, capabilityClaims: claims) }
        ?? UnifiedNames(capabilityClaims: claims),
      limitBytes: configuration.store.limitBytes, time: time,
      log: configuration.log)
  }

  package func isCurrent(_ version: StoreVersion) -> Bool {
    knownLocation.satisfies { $0.isCurrent(version) }
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let location = try currentLocation(limits)
    try checkPolicy(location)
    guard !selection.keys.contains(SignInRecord.key) else {
      return try snapshotWithSignIn(selection, at: location, bounded(limits))
    }
    let document = location.document
    guard let known = try current(document, bounded(limits)) else {
      return CacheSnapshot(records: [], version: nil, condition: .missing)
    }
    let records = selection.records(in: known.cache)
    return CacheSnapshot(
      records: records,
      // Cache hits compare stamps only. The stamp of a signal file is trusted only for a short time.
      version: known.isSettled && !location.isRemote && document.stampLifetime == .max
        ? known.version(UnifiedSearch(selection)) : nil,
      condition: condition(document, known, hasFound: !records.isEmpty))
  }

  @discardableResult
  package func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    let location = try currentLocation(limits)
    try checkPolicy(location)
    let limits = bounded(limits)
    let others = change.withoutSignIns
    let isShared = !others.steps.isEmpty || change.steps.isEmpty
    let outcome = isShared ? try commitShared(others, at: location, limits) : .applied
    try changeSignIns(change, at: location, limits)
    return outcome
  }

  /// Commits a change to the document that other libraries share.
  private func commitShared(
    _ change: CacheChange, at location: MSALFileLocation, _ limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    try withTesseraLock(location, limits) { document, lock throws(TesseraError) in
      document.file.removeStaleTemporaryFiles()
      if !document.file.isRemote { PeerLockFile.reclaim(at: lock.path) }
      // If no other process is writing, acquire the lock only to replace the file. Otherwise hold it from the first
      // read on.
      if lock.isFree, let outcome = try write(change, document, lock, limits) { return outcome }
      // A library without locking may write in between. Each retry applies the change to the new content.
      for _ in 0..<10 {
        let outcome = try lock.holding(within: limits) { lock throws(TesseraError) in
          try write(change, document, lock, limits)
        }
        if let outcome { return outcome }
      }
      throw TesseraError(
        .retryLater, .storeBusy,
        "\(location.path) was changed repeatedly by a program that ignores its lock. Try again.")
    }
  }

  package func checkWritable(within limits: CallLimits) throws(TesseraError) {
    let location = try currentLocation(limits)
    try checkPolicy(location)
    let limits = bounded(limits)
    var isLocked = false
    do throws(TesseraError) {
      try withTesseraLock(location, limits) { document, lock throws(TesseraError) in
        try lock.withLock(within: limits) { _ in isLocked = true }
        document.file.removeStaleTemporaryFiles()
        try document.checkWritable(additionalBytes: MSALFileStore.additionalBytes, within: limits)
      }
    } catch {
      // Without write access, the rotated refresh token would be lost for all libraries that share the file.
      let isFile = location.documentLocation.item == nil && location.file.stamp != nil
      throw !isLocked && isFile ? error.asReadOnlyCache(location.path) : error
    }
  }

  package func deleteQuarantined(within limits: CallLimits) throws(TesseraError) -> Bool {
    let location = try currentLocation(limits)
    guard !location.file.quarantinedNames.isEmpty else { return true }
    // Other libraries do not use the copies, so their lock is not needed.
    return try withTesseraLock(location, bounded(limits)) { document, _ in
      document.file.deleteQuarantined()
    }
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let location = try currentLocation(limits)
    try location.file.makeDirectory()
    return try locks.withLock(
      on: LockKey(credential), in: try location.lockFiles(), time, within: limits, body)
  }
}

extension MSALFileStore {
  /// Returns the location of the cache.
  ///
  /// The location of a known cache is determined again after a change, because its owner may have moved it to the keyring.
  func currentLocation(_ limits: CallLimits) throws(TesseraError) -> MSALFileLocation {
    let last = knownLocation.borrowed { $0 }
    if let last, finder.isUnchanged(last.path, memory.withLock { $0.known?.stamp }) { return last }
    let now = try finder.find(within: bounded(limits))
    if let last, last.documentLocation == now.location { return last }
    let location = MSALFileLocation(now.location, finder.keyring)
    return now.exists ? knownLocation.replace(last, with: location) : location
  }

  /// Throws if the policy requires encryption and the cache is a plain file.
  func checkPolicy(_ location: MSALFileLocation) throws(TesseraError) {
    guard policy == .requireEncrypted, location.documentLocation.item == nil else { return }
    throw .encryptionUnavailable(
      policy,
      "\(location.path) is not encrypted, because the tools that share it cannot read encrypted files",
      "Choose another store.policy or another store.")
  }

  func bounded(_ limits: CallLimits) -> CallLimits {
    limits.bounded(milliseconds: MSALFileStore.timeoutMilliseconds, time)
  }

  private func withTesseraLock<Value>(
    _ location: MSALFileLocation, _ limits: CallLimits,
    _ body: (any SharedCacheDocument, PeerLock) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let document = location.document
    try document.file.makeDirectory()
    try document.checkSafety()
    let lock = PeerLock(document.file.lockPath, lockFiles: try location.lockFiles(), locks, time)
    return try lock.withTesseraLock(within: limits) { () throws(TesseraError) in
      try body(document, lock)
    }
  }

  /// Applies a change to the current document.
  ///
  /// - Returns: The outcome; nil without writing if another process wrote in the meantime, or if the lock must be held
  ///   from the first read on.
  private func write(
    _ change: CacheChange, _ document: any SharedCacheDocument, _ lock: PeerLock,
    _ limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome? {
    guard let (known, seen) = try startingPoint(change, document, lock, limits) else { return nil }
    var cache = known?.cache ?? UnifiedCache(names: names)
    let outcome = change.apply(to: &cache)
    guard cache.isChanged else { return outcome }
    var bytes = cache.bytes()
    if let limitBytes, bytes.count > limitBytes {
      cache.evictAccessTokens(bytes: bytes.count - Int(clamping: limitBytes))
      bytes = cache.bytes()
    }
    var empty = UnifiedCache()
    // A change without effect writes nothing and creates no file.
    if let known, known.bytes == bytes { return outcome }
    if seen == nil, bytes == empty.bytes() { return outcome }
    if document is CacheFile { warn(document.file) }
    guard let new = try document.write(bytes, replacing: seen, under: lock, within: limits) else {
      return nil
    }
    let now = time.monotonicNanoseconds
    memory.withLock { memory in
      memory.known = MSALFileState.ParsedDocument(
        cache: cache, bytes: bytes, stamp: new, isSettled: new.modified != new.changed,
        firstSeen: now, readAt: now)
      memory.damage = nil
    }
    return outcome
  }

  /// Returns the document to which a change is applied, and the state that it replaces.
  ///
  /// A damaged file is quarantined first, if the change may replace it.
  ///
  /// - Returns: `nil` for a damaged file, unless the lock is held: its writer may not have finished.
  private func startingPoint(
    _ change: CacheChange, _ document: any SharedCacheDocument, _ lock: PeerLock,
    _ limits: CallLimits
  ) throws(TesseraError) -> (MSALFileState.ParsedDocument?, DocumentState?)? {
    // Read the document again: a trusted stamp may hide the latest change.
    if document.stampLifetime < .max { memory.withLock { $0.known?.isSettled = false } }
    switch try read(document, limits) {
    case .missing: return (nil, nil)
    case .valid(let known, let stamp):
      return (
        known, DocumentState(bytes: known.bytes, stamp: stamp, isSettled: known.isSettled)
      )
    case .damaged(let bytes, let stamp):
      guard change.justifiesReplacement, !finder.mayBeSignalFile(bytes) else {
        throw damaged(document, bytes)
      }
      guard lock.isHeld else { return nil }
      let name = try document.quarantine(bytes, time)
      log.write(
        .warning,
        "\(text(ofPath: document.file.path)) was damaged. A copy is in \(text(ofPath: name)). A new cache is created."
      )
      return (nil, DocumentState(bytes: bytes, stamp: stamp, isSettled: false))
    }
  }

  /// Logs a warning, once, before the first tokens are written unencrypted.
  private func warn(_ file: CacheFile) {
    guard policy == .preferEncrypted, !hasWarned.exchange(true, ordering: .relaxed) else { return }
    log.write(
      .warning,
      "Tokens are stored unencrypted in \(text(ofPath: file.path)), which other tools share.")
  }

  /// Returns a path for a message of the log.
  private func text(ofPath path: String) -> String {
    switch finder.cache {
    case .known: log.text(ofPath: path)
    case .file: log.text(ofChosenPath: path)
    }
  }
}
