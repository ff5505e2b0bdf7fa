// SPDX-License-Identifier: MIT
// What a process keeps of a cache in memory, and when it reads it again.

import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a process remembers of a cache.
struct MSALFileMemory: Sendable {
  /// The cache as it was at one moment.
  struct Known: Sendable {
    let cache: UnifiedCache
    let bytes: [UInt8]
    let stamp: CacheStamp
    /// Whether the cache is the same as long as its stamp is.
    var isSettled: Bool
    /// When this stamp was first seen, by the monotonic clock.
    let firstSeen: UInt64
    /// When the cache was read last, by the same clock.
    let readAt: UInt64
  }

  var known: Known?
  /// The state in which the cache was found damaged.
  var damage: CacheStamp?
}

extension MSALFileStore {
  /// The cache as it is now, from memory if nobody has changed it; nil if there is none.
  ///
  /// - Throws: `cacheDamaged` for a file that can't be read: it is never taken for one without accounts.
  func current(
    _ document: any CacheDocument, _ limits: CallLimits
  ) throws(TesseraError) -> MSALFileMemory.Known? {
    switch try read(document, limits) {
    case .missing: return nil
    case .sound(let known, _): return known
    case .damaged(let bytes, _): throw damaged(document, bytes)
    }
  }

  /// The same, with what is in a cache that can't be read.
  func read(
    _ document: any CacheDocument, _ limits: CallLimits
  ) throws(TesseraError) -> CacheFile.Content<MSALFileMemory.Known> {
    let (old, damage) = memory.withLock { ($0.known, $0.damage) }
    let begin = time.monotonicNanoseconds
    if let old, old.isSettled, old.stamp == document.stamp, begin &- old.readAt < document.trust {
      return .sound(old, old.stamp)
    }
    let wall = nanoseconds(of: CLOCK_REALTIME)
    let precedent = old?.cache ?? UnifiedCache()
    let content = try document.read(time, within: limits, knownDamage: damage) { bytes in
      (try? UnifiedCache(bytes, names: names, after: precedent)).map { ($0, bytes) }
    }
    switch content {
    case .missing:
      memory.withLock { $0 = MSALFileMemory() }
      return .missing
    case .damaged(let bytes, let stamp):
      memory.withLock { $0.damage = stamp }
      return .damaged(bytes, stamp)
    case .sound((let cache, let bytes), let stamp):
      let firstSeen = old?.stamp == stamp ? old?.firstSeen ?? begin : time.monotonicNanoseconds
      let known = MSALFileMemory.Known(
        cache: cache, bytes: bytes, stamp: stamp,
        isSettled: stamp.isSettled(atWallClock: wall)
          || begin > firstSeen && stamp.isSettled(afterNanoseconds: begin - firstSeen),
        firstSeen: firstSeen, readAt: begin)
      memory.withLock { $0 = MSALFileMemory(known: known, damage: nil) }
      return .sound(known, stamp)
    }
  }

  /// What it means when a call finds nothing.
  func condition(
    _ document: any CacheDocument, _ known: MSALFileMemory.Known, hasFound: Bool
  ) -> StoreCondition {
    guard !hasFound else { return .usable }
    if let last = document.asideNames.last {
      let file = document.file
      return .damaged(
        "\(file.path) was damaged; a copy of it lies in \(file.directory)/\(last). Sign in again.")
    }
    return known.cache.hasAccount ? .usable : .empty
  }

  /// The cache can't be read; says what a sign-in will do about it.
  func damaged(_ document: any CacheDocument, _ bytes: [UInt8]) -> TesseraError {
    if document.trust == .max, finder.isSign(bytes) {
      return TesseraError(
        .retryLater, .storeBusy,
        "\(document.file.path) was emptied: its owner is moving the cache to the keyring. Try again."
      )
    }
    var reason = "it is no cache"
    do throws(UnifiedCacheDamage) {
      _ = try UnifiedCache(bytes)
    } catch {
      reason = error.reason
    }
    return document.damaged(reason)
  }
}
