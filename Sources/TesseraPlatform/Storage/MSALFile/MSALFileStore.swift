// SPDX-License-Identifier: MIT
// The store that is the cache of other libraries: MSAL for Python, .NET, Go, Java and Node, Azure CLI, the Azure SDK.

import Synchronization
package import TesseraCache
package import TesseraEngine

/// Keeps credentials in the unified JSON document that every MSAL reads and writes, under the locks of all of them.
///
/// Nothing is opened before the first call. Reading a file that does not exist makes nothing.
package final class MSALFileStore: CredentialStore {
  /// How long a call without a deadline waits for others, in milliseconds.
  private static let patience: Int64 = 10_000
  /// Room for what one answer of a server adds to the file, several times over.
  private static let room = 1 << 18

  let finder: MSALFileFinder
  let policy: StoragePolicy
  let time: any TimeSource
  private let log: Log
  let names: UnifiedNames
  /// Bytes from which access tokens make room; nil for no limit.
  let limitBytes: Int64?
  private let found = AtomicReference<MSALFilePlace>()
  private let hasWarned = Atomic(false)
  private let locks = StoreLocks()
  let memory = SpinLock(MSALFileMemory())

  /// The store in a file.
  ///
  /// - Parameters:
  ///   - policy: what the application wants; a file in clear is refused where it must be encrypted.
  ///   - names: what the programs that share it call clouds and tenants.
  ///   - limitBytes: bytes from which access tokens make room, those that end first.
  package convenience init(
    _ place: MSALCache, policy: StoragePolicy = .allowPlaintext,
    names: UnifiedNames = UnifiedNames(), limitBytes: Int64? = nil, time: any TimeSource,
    log: Log = .silent
  ) {
    self.init(
      MSALFileFinder(place, KeyringItems(time: time), time: time), policy: policy, names: names,
      limitBytes: limitBytes, time: time, log: log)
  }

  /// The store in the place that is found.
  init(
    _ finder: MSALFileFinder, policy: StoragePolicy = .allowPlaintext,
    names: UnifiedNames = UnifiedNames(), limitBytes: Int64? = nil, time: any TimeSource,
    log: Log = .silent
  ) {
    self.finder = finder
    self.policy = policy
    self.names = names
    self.limitBytes = limitBytes
    self.time = time
    self.log = log
  }

  /// The store that an application wants, with the words of its authority.
  package convenience init(
    _ place: MSALCache, _ configuration: ApplicationConfiguration, time: any TimeSource
  ) {
    let authority = try? Authority(configuration.authority, type: configuration.authorityType)
    let claims = place.capabilityClaims(for: configuration)
    self.init(
      place, policy: configuration.storagePolicy,
      names: authority.map { UnifiedNames($0, capabilityClaims: claims) }
        ?? UnifiedNames(capabilityClaims: claims),
      limitBytes: configuration.storeLimitMegabytes.map { $0 << 20 }, time: time,
      log: configuration.log)
  }

  package func isCurrent(_ version: StoreVersion) -> Bool {
    found.holds { $0.isCurrent(version) }
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let place = try foundPlace(limits)
    try checkPolicy(place)
    let document = place.document
    guard let known = try current(document, bounded(limits)) else {
      return CacheSnapshot(records: [], version: nil, condition: .missing)
    }
    let records = known.cache.records(selection)
    return CacheSnapshot(
      records: records,
      // A hit compares stamps only, and that of a touched file is trusted for a moment.
      version: known.isSettled && !place.isRemote && document.trust == .max
        ? known.version(UnifiedSearch(selection)) : nil,
      condition: condition(document, known, hasFound: !records.isEmpty))
  }

  package func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
    let place = try foundPlace(limits)
    try checkPolicy(place)
    let limits = bounded(limits)
    // A writer that heeds no lock may come between; each time the change is applied to what is there then.
    for _ in 0..<10 {
      let isDone = try withPeerLock(place, limits) { document, lock throws(TesseraError) in
        document.file.removeLeftOvers()
        return try write(change, document, lock, limits)
      }
      if isDone { return }
    }
    throw TesseraError(
      .retryLater, .storeBusy,
      "\(place.path) was changed again and again by a program that does not heed its lock.")
  }

  package func prove(within limits: CallLimits) throws(TesseraError) {
    let place = try foundPlace(limits)
    try checkPolicy(place)
    let limits = bounded(limits)
    var isLocked = false
    do throws(TesseraError) {
      try withPeerLock(place, limits) { document, _ throws(TesseraError) in
        isLocked = true
        document.file.removeLeftOvers()
        try document.prove(room: MSALFileStore.room, within: limits)
      }
    } catch {
      // Other libraries share the file, and the server may rotate the token: without its successor all lose their sign-in.
      let isReadable = !isLocked && place.place.item == nil && place.file.stamp != nil
      throw isReadable ? error.asReadOnlyCache(place.path) : error
    }
  }

  package func removeSetAside(within limits: CallLimits) throws(TesseraError) -> Bool {
    let place = try foundPlace(limits)
    guard !place.file.asideNames.isEmpty else { return true }
    return try withPeerLock(place, bounded(limits)) { document, _ in
      document.file.removeSetAside()
    }
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let place = try foundPlace(limits)
    try place.file.makeDirectory()
    return try locks.withLock(
      on: LockPlace(credential), in: try place.lockFiles(), time, within: limits, body)
  }
}

extension MSALFileStore {
  /// Where the cache is.
  ///
  /// That of a known cache is looked for again when it has changed: its owner may have moved to the keyring.
  func foundPlace(_ limits: CallLimits) throws(TesseraError) -> MSALFilePlace {
    let last = found.borrowed { $0 }
    if let last, finder.isStill(last.path, memory.withLock { $0.known?.stamp }) { return last }
    let now = try finder.find(within: bounded(limits))
    if let last, last.place == now.place { return last }
    let place = MSALFilePlace(now.place, finder.keyring)
    return now.isThere ? found.replace(last, with: place) : place
  }

  /// A file in clear is nothing for a program that wants it encrypted.
  func checkPolicy(_ place: MSALFilePlace) throws(TesseraError) {
    guard policy == .requireEncrypted, place.place.item == nil else { return }
    throw .encryptionUnavailable(
      policy, "\(place.path) is a file in clear, as all programs that share it expect",
      "Allow that with another storage_policy, or choose another store.")
  }

  func bounded(_ limits: CallLimits) -> CallLimits {
    limits.bounded(milliseconds: MSALFileStore.patience, time)
  }

  private func withPeerLock<Value>(
    _ place: MSALFilePlace, _ limits: CallLimits,
    _ body: (any CacheDocument, PeerLockFile) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let document = place.document
    try document.file.makeDirectory()
    try document.checkSafety()
    let lock = PeerLock(document.file.lockPath, turns: try place.lockFiles(), locks, time)
    return try lock.withLock(within: limits) { lock throws(TesseraError) in
      try body(document, lock)
    }
  }

  /// Applies a change to what is there now; false if somebody wrote to it meanwhile.
  private func write(
    _ change: CacheChange, _ document: any CacheDocument, _ lock: PeerLockFile,
    _ limits: CallLimits
  ) throws(TesseraError) -> Bool {
    let (known, seen) = try startingPoint(change, document, limits)
    var cache = known?.cache ?? UnifiedCache(names: names)
    change.apply(to: &cache)
    guard cache.isChanged else { return true }
    var bytes = cache.bytes()
    if let limitBytes, bytes.count > limitBytes {
      cache.makeRoom(bytes: bytes.count - Int(clamping: limitBytes))
      bytes = cache.bytes()
    }
    var empty = UnifiedCache()
    // What changes nothing writes nothing, and makes no file.
    if let known, known.bytes == bytes { return true }
    if seen == nil, bytes == empty.bytes() { return true }
    if document is CacheFile { warn(document.file) }
    guard let new = try document.write(bytes, replacing: seen, under: lock, within: limits) else {
      return false
    }
    let now = time.monotonicNanoseconds
    memory.withLock { memory in
      memory.known = MSALFileMemory.Known(
        cache: cache, bytes: bytes, stamp: new, isSettled: new.modified != new.changed,
        firstSeen: now, readAt: now)
      memory.damage = nil
    }
    return true
  }

  /// What a change is applied to, and what it takes the place of.
  ///
  /// A damaged file is set aside first, for what is worth beginning anew.
  private func startingPoint(
    _ change: CacheChange, _ document: any CacheDocument, _ limits: CallLimits
  ) throws(TesseraError) -> (MSALFileMemory.Known?, SeenCache?) {
    // What is written must be made from what is there, and not from what was there a moment ago.
    if document.trust < .max { memory.withLock { $0.known?.isSettled = false } }
    switch try read(document, limits) {
    case .missing: return (nil, nil)
    case .sound(let known, let stamp): return (known, SeenCache(bytes: known.bytes, stamp: stamp))
    case .damaged(let bytes, let stamp):
      guard change.replacesDamage, !finder.isSign(bytes) else { throw damaged(document, bytes) }
      let name = try document.setAside(bytes, time)
      log.write(
        .warning,
        "\(document.file.path) was damaged. A copy lies in \(name); the cache begins anew.")
      return (nil, SeenCache(bytes: bytes, stamp: stamp))
    }
  }

  /// Says once that the tokens will lie in clear, before they do.
  private func warn(_ file: CacheFile) {
    guard policy == .preferEncrypted, !hasWarned.exchange(true, ordering: .relaxed) else { return }
    log.write(
      .warning,
      "Tokens are written in clear to \(file.path), where every program that shares it finds them.")
  }
}
