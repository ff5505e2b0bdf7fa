// SPDX-License-Identifier: MIT
// Locks of single credentials: byte ranges of one file, held by the kernel for an open file description.

import TesseraCache
import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The locks of a store's credentials.
///
/// The kernel drops a lock when its holder dies, so none is ever stale, and nothing has to be cleaned. Every holder
/// opens the file anew: that makes the same lock keep threads of one process apart as well.
struct CredentialLockFile: Sendable {
  private let path: String

  /// The locks in a file that is made when the first one is taken, and stays.
  init(path: String) {
    self.path = path
  }

  /// Does something while nobody else holds the lock of the same credential.
  func withLock<Value>(
    on credential: CredentialLock, _ time: any TimeSource, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreLocation.failure("open", path, errno) }
    defer { close(descriptor) }
    let offset = off_t(RecordKey.number(of: credential.name) & 0x7FFF_FFFF_FFFF)
    var pause = Backoff()
    while !CredentialLockFile.set(F_WRLCK, descriptor, offset) {
      guard errno == EAGAIN || errno == EACCES || errno == EINTR else {
        throw StoreLocation.failure("lock", path, errno)
      }
      try pause.wait(time, within: limits)
    }
    // Unlocking, not only closing: a child that forked meanwhile has the description as well.
    defer { _ = CredentialLockFile.set(F_UNLCK, descriptor, offset) }
    return try body()
  }

  private static func set(_ type: some BinaryInteger, _ descriptor: Int32, _ offset: off_t) -> Bool
  {
    var range = flock()
    range.l_type = Int16(truncatingIfNeeded: type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = offset
    range.l_len = 1
    return fcntl(descriptor, openFileDescriptionLock, &range) == 0
  }

  /// `F_OFD_SETLK`, which the C library's Swift overlay does not name on every system.
  private static let openFileDescriptionLock: Int32 = {
    #if os(Linux)
      37
    #else
      90
    #endif
  }()
}
