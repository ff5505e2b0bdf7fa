// SPDX-License-Identifier: MIT
// A stamp that identifies a state of a cache file without reading its content.

import CLibrary
import TesseraCache
import TesseraPlatform

/// The identity, size and times of a file.
struct CacheStamp: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  /// The time of the last change of the content (mtime), in nanoseconds since 1970.
  let modified: UInt64
  /// The time of the last change of content or attributes (ctime), in nanoseconds since 1970.
  ///
  /// Programs cannot set it.
  let changed: UInt64

  /// Reads the stamp of a path, following links; nil with `errno` if the file cannot be queried.
  init?(at path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the stamp of an open file; nil with `errno` on failure.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      modified = CacheStamp.nanoseconds(status.st_mtimespec)
      changed = CacheStamp.nanoseconds(status.st_ctimespec)
    #else
      modified = CacheStamp.nanoseconds(status.st_mtim)
      changed = CacheStamp.nanoseconds(status.st_ctim)
    #endif
  }

  private static func nanoseconds(_ time: timespec) -> UInt64 {
    UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  /// Returns the store version for this state and the result of a search.
  func version(_ search: UnifiedSearch? = nil, fingerprint: UInt64? = nil) -> StoreVersion {
    StoreVersion(
      identity: identityHash,
      shard: fingerprint == nil ? 0 : Int(truncatingIfNeeded: search?.owner ?? 0),
      commits: fingerprint ?? 0, otherShard: Int(truncatingIfNeeded: search?.scopes ?? 0),
      otherCommits: timesHash)
  }

  /// Whether a store version has this state.
  func matches(_ version: StoreVersion) -> Bool {
    version.identity == identityHash && version.otherCommits == timesHash
  }

  /// A hash of the identity and size of the file.
  private var identityHash: UInt64 {
    inode ^ device &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: size) &* 0xA076_1D64_78BD_642F
  }

  /// A hash of both times.
  private var timesHash: UInt64 {
    changed ^ modified &* 0x9E37_79B9_7F4A_7C15
  }
}

extension CacheStamp {
  /// The resolution of the file system's timestamps, with a margin.
  ///
  /// Some file systems store whole seconds only.
  private var resolution: UInt64 {
    modified % 1_000_000_000 == 0 && changed % 1_000_000_000 == 0 ? 2_100_000_000 : 50_000_000
  }

  /// Whether any later change will result in another stamp, by the wall clock at the time of the read.
  ///
  /// The kernel sets both times on a write, so two writes within the clock's resolution may have the same stamp. Tessera sets
  /// mtime ahead after a write, so that mtime and ctime differ. The next write makes them equal again.
  func isSettled(atWallClock now: UInt64) -> Bool {
    if modified != changed { return true }
    return modified <= now && now - modified > resolution
  }

  /// Whether any later change will result in another stamp, if this one has been seen for some time on the monotonic clock.
  func isSettled(afterNanoseconds span: UInt64) -> Bool { span > resolution }
}
