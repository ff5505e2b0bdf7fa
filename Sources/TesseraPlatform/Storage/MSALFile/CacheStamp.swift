// SPDX-License-Identifier: MIT
// What tells one state of a cache file from every other, without reading it.

import TesseraCache

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Which file it is, how long, and when it was changed last.
struct CacheStamp: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  /// When its content was changed, in nanoseconds since 1970.
  let modified: UInt64
  /// When anything about it was changed, in nanoseconds since 1970; nobody can set that.
  let changed: UInt64

  /// The file at a path, or where links there lead; nil if there is none, or if the system does not tell: see `errno`.
  init?(at path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that a descriptor has open.
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

  /// The state as the engine compares it, with what somebody looked for in it.
  func version(_ search: UnifiedSearch? = nil, fingerprint: UInt64? = nil) -> StoreVersion {
    StoreVersion(
      identity: place, part: fingerprint == nil ? 0 : Int(truncatingIfNeeded: search?.owner ?? 0),
      commits: fingerprint ?? 0, otherPart: Int(truncatingIfNeeded: search?.scopes ?? 0),
      otherCommits: times)
  }

  /// Whether it is the state of a version.
  func matches(_ version: StoreVersion) -> Bool {
    version.identity == place && version.otherCommits == times
  }

  /// Which file it is, and how long.
  private var place: UInt64 {
    inode ^ device &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: size) &* 0xA076_1D64_78BD_642F
  }

  /// Both times; a later one comes with another number.
  private var times: UInt64 {
    changed ^ modified &* 0x9E37_79B9_7F4A_7C15
  }
}

extension CacheStamp {
  /// The clocks of file systems go in steps, most of them shorter than this; some know whole seconds only.
  private var step: UInt64 {
    modified % 1_000_000_000 == 0 && changed % 1_000_000_000 == 0 ? 2_100_000_000 : 50_000_000
  }

  /// Whether any change after a look gives another stamp, by the wall clock at the time of the look.
  ///
  /// A write sets both times to the kernel's clock, so two writes within one of its steps may look alike. Tessera's own
  /// writers set the first one afterwards: where they differ, the next write makes them alike.
  func isSettled(atWallClock now: UInt64) -> Bool {
    if modified != changed { return true }
    return modified <= now && now - modified > step
  }

  /// The same, for a file that has had this stamp for some time by a clock that nobody sets.
  func isSettled(afterNanoseconds span: UInt64) -> Bool { span > step }
}
