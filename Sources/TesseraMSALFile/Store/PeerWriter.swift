// SPDX-License-Identifier: MIT
// The detection of a process that is writing a cache file in place, without taking a lock.

import CLibrary
import CTesseraStore
import TesseraPlatform

/// The detection of a running process of another library that holds the lock of a cache.
///
/// Readers wait for it before they consider a file damaged. They take no kernel lock to detect it, because another process that
/// tries to lock at that time would fail.
enum PeerWriter {
  /// Returns the ID of the process that holds the lock at a path; nil if no such process is known to be running.
  ///
  /// Tessera processes are not returned, because they replace the file atomically.
  static func process(holding path: String) -> Int32? {
    let descriptor = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    // Another thread may hold the lock as a POSIX lock.
    defer { ctessera_close_keeping_locks(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG),
      status.st_uid == geteuid()
    else { return nil }
    switch PeerLockOwner(of: descriptor) {
    case .own: return nil
    case .peer(let number):
      let holder = PeerLockStaleness.Holder.process(number)
      let isThere = holder != .notRunning && !PeerLockFile.isStale(holder, number, status)
      return isThere ? number : nil
    // Java writes nothing into the file. Query the kernel for the holder of the record lock.
    case .none: return FileLock(for: descriptor).conflict(descriptor, 0, 0)?.process
    }
  }
}
