// SPDX-License-Identifier: MIT
// The in-memory copy of a cache, and its invalidation.

import CLibrary
import TesseraCache
import TesseraEngine
import TesseraPlatform

/// The in-memory state of a cache.
struct MSALFileState: Sendable {
  /// The parsed cache at one point in time.
  struct ParsedDocument: Sendable {
    let cache: UnifiedCache
    let bytes: [UInt8]
    let stamp: CacheStamp
    /// Whether every later change of the cache changes its stamp.
    var isSettled: Bool
    /// The monotonic time at which this stamp was first seen, in nanoseconds.
    let firstSeen: UInt64
    /// The monotonic time of the last read, in nanoseconds.
    let readAt: UInt64
  }

  var known: ParsedDocument?
  /// The state in which the cache was found damaged.
  var damage: CacheStamp?
}

extension MSALFileStore {
  /// Returns the current cache, from memory if it is unchanged; nil if it does not exist.
  ///
  /// Removes the lock file of a dead Tessera process, because other libraries would wait for it.
  ///
  /// - Throws: `cacheDamaged` for a file that cannot be parsed. It is never treated as an empty cache.
  func current(
    _ document: any SharedCacheDocument, _ limits: CallLimits
  ) throws(TesseraError) -> MSALFileState.ParsedDocument? {
    let file = document.file
    // The owner of the lock file may be running on another machine.
    if !file.isRemote { PeerLockFile.reclaim(at: file.lockPath) }
    switch try read(document, limits) {
    case .missing: return nil
    case .valid(let known, _): return known
    case .damaged(let bytes, _): throw damaged(document, bytes)
    }
  }

  /// Reads the current cache.
  ///
  /// Unlike ``current(_:_:)``, returns the content of a damaged cache.
  func read(
    _ document: any SharedCacheDocument, _ limits: CallLimits
  ) throws(TesseraError) -> CacheFile.Content<MSALFileState.ParsedDocument> {
    let (old, damage) = memory.withLock { ($0.known, $0.damage) }
    let begin = time.monotonicNanoseconds
    if let old, old.isSettled, old.stamp == document.stamp,
      begin &- old.readAt < document.stampLifetime
    {
      return .valid(old, old.stamp)
    }
    let wall = nanoseconds(of: CLOCK_REALTIME)
    let previous = old?.cache ?? UnifiedCache()
    let content = try document.read(time, within: limits, knownDamage: damage) { bytes in
      (try? UnifiedCache(bytes, names: names, after: previous)).map { ($0, bytes) }
    }
    switch content {
    case .missing:
      memory.withLock { $0 = MSALFileState() }
      return .missing
    case .damaged(let bytes, let stamp):
      memory.withLock { $0.damage = stamp }
      return .damaged(bytes, stamp)
    case .valid((let cache, let bytes), let stamp):
      let firstSeen = old?.stamp == stamp ? old?.firstSeen ?? begin : time.monotonicNanoseconds
      let known = MSALFileState.ParsedDocument(
        cache: cache, bytes: bytes, stamp: stamp,
        isSettled: stamp.isSettled(atWallClock: wall)
          || begin > firstSeen && stamp.isSettled(afterNanoseconds: begin - firstSeen),
        firstSeen: firstSeen, readAt: begin)
      memory.withLock { $0 = MSALFileState(known: known, damage: nil) }
      return .valid(known, stamp)
    }
  }

  /// Returns the store condition to report with a snapshot.
  func condition(
    _ document: any SharedCacheDocument, _ known: MSALFileState.ParsedDocument, hasFound: Bool
  ) -> StoreCondition {
    guard !hasFound else { return .usable }
    if let last = document.quarantinedNames.last {
      let file = document.file
      return .damaged(
        "\(file.path) was damaged. A copy is in \(file.directory)/\(last). Sign in again.")
    }
    return known.cache.hasAccount ? .usable : .empty
  }

  /// Returns the error for a cache that cannot be parsed.
  func damaged(_ document: any SharedCacheDocument, _ bytes: [UInt8]) -> TesseraError {
    if document.stampLifetime == .max, finder.mayBeSignalFile(bytes) {
      return TesseraError(
        .retryLater, .storeBusy,
        "\(document.file.path) is empty: its owner is moving the cache to the keyring. Try again."
      )
    }
    var reason = "it is not a cache"
    do throws(UnifiedCacheError) {
      _ = try UnifiedCache(bytes)
    } catch {
      reason = error.reason
    }
    return document.damaged(reason)
  }
}
