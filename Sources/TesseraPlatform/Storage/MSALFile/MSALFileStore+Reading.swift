// SPDX-License-Identifier: MIT
// What a process keeps of a cache file in memory, and when it reads it again.

import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a process remembers of a cache file.
struct MSALFileMemory: Sendable {
  /// The file as it was at one moment.
  struct Known: Sendable {
    let cache: UnifiedCache
    let bytes: [UInt8]
    let stamp: CacheStamp
    /// Whether the file is the same as long as its stamp is.
    let isSettled: Bool
    /// When this stamp was first seen, by the monotonic clock.
    let firstSeen: UInt64
  }

  var known: Known?
  /// The state in which the file was found damaged.
  var damage: CacheStamp?
}

extension MSALFileStore {
  /// The file as it is now, from memory if nobody has changed it; nil if there is none.
  ///
  /// - Throws: `cacheDamaged` for a file that can't be read: it is never taken for one without accounts.
  func current(
    _ file: CacheFile, _ limits: CallLimits
  ) throws(TesseraError) -> MSALFileMemory.Known? {
    switch try read(file, limits) {
    case .missing: return nil
    case .sound(let known, _): return known
    case .damaged(let bytes, _): throw damaged(file, bytes)
    }
  }

  /// The same, with what is in a file that can't be read.
  func read(
    _ file: CacheFile, _ limits: CallLimits
  ) throws(TesseraError) -> CacheFile.Content<MSALFileMemory.Known> {
    let (old, damage) = memory.withLock { ($0.known, $0.damage) }
    if let old, old.isSettled, old.stamp == file.stamp {
      return .sound(old, old.stamp)
    }
    let wall = nanoseconds(of: CLOCK_REALTIME)
    let begin = time.monotonicNanoseconds
    let content = try file.read(time, within: limits, knownDamage: damage) { bytes in
      // Read again only because its stamp might have stayed the same.
      if let old, old.bytes == bytes { return (old.cache, bytes) }
      return (try? UnifiedCache(bytes, names: names)).map { ($0, bytes) }
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
        firstSeen: firstSeen)
      memory.withLock { $0 = MSALFileMemory(known: known, damage: nil) }
      return .sound(known, stamp)
    }
  }

  /// What it means when a call finds nothing.
  func condition(
    _ file: CacheFile, _ known: MSALFileMemory.Known, hasFound: Bool
  ) -> StoreCondition {
    guard !hasFound else { return .usable }
    if let last = file.asideNames.last {
      return .damaged(
        "\(file.path) was damaged; a copy of it lies in \(file.directory)/\(last). Sign in again.")
    }
    return known.cache.hasAccount ? .usable : .empty
  }

  /// The file can't be read; says what a sign-in will do about it.
  func damaged(_ file: CacheFile, _ bytes: [UInt8]) -> TesseraError {
    if finder.isSign(bytes) { return finder.inKeyring(file.path) }
    var reason = "it is no cache"
    do throws(UnifiedCacheDamage) {
      _ = try UnifiedCache(bytes)
    } catch {
      reason = error.reason
    }
    return TesseraError(
      .signIn, .cacheDamaged,
      "\(file.path) is damaged: \(reason). Sign in again: that keeps a copy of it and begins anew; nothing was overwritten."
    )
  }
}
