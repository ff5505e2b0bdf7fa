// SPDX-License-Identifier: MIT
// A temporary file that is completed before it replaces another file.

import CLibrary
import TesseraEngine
import TesseraPlatform

/// A private temporary file, which ``end()`` removes unless it was renamed.
struct TemporaryFile {
  let path: String
  let descriptor: Int32

  /// Creates a file in the directory of the target.
  ///
  /// Its name contains the target's name and the ID of this process.
  init(for target: String) throws(TesseraError) {
    let process = ProcessIdentity.current
    let number = UInt32.random(in: 0...UInt32.max)
    path = "\(target)\(TemporaryFile.nameMarker)\(process.number)-\(process.start)-\(number)"
    descriptor = openFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw failure("make") }
    // The lock identifies a running writer to processes in other PID namespaces.
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Writes the content and syncs it to disk.
  func write(_ bytes: [UInt8]) throws(TesseraError) {
    try BlockedSignal.fileSize.blocked { () throws(TesseraError) in
      // The umask may have removed permissions.
      guard fchmod(descriptor, 0o600) == 0 else { throw failure("make") }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { bytes in
          pwrite(
            descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written,
            off_t(written))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure("write") }
        written += count
      }
      guard fsync(descriptor) == 0 else { throw failure("write") }
    }
  }

  /// Reserves disk space, if the file system supports it.
  func reserve(_ count: Int) throws(TesseraError) {
    #if !canImport(Darwin)
      try BlockedSignal.fileSize.blocked { () throws(TesseraError) in
        let code = posix_fallocate(descriptor, 0, off_t(max(count, 1)))
        guard [0, EINVAL, EOPNOTSUPP, EINTR].contains(code) else {
          throw .failed("write", path, code, setting: "store.msal_cache")
        }
      }
    #endif
  }

  /// Closes the file, and removes it unless it was renamed.
  func end() {
    unlink(path)
    close(descriptor)
  }

  /// Removes a temporary file, unless a process still has its lock.
  static func removeUnused(_ path: String) {
    let descriptor = openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }

  /// Returns the process that created a temporary file for a target; nil for any other file.
  static func writer(of name: String, for target: String) -> ProcessIdentity? {
    guard name.hasPrefix(target + nameMarker) else { return nil }
    let parts = name.dropFirst(target.count + nameMarker.count).split(separator: "-")
    guard parts.count == 3, let number = Int32(parts[0]), let start = UInt16(parts[1]) else {
      return nil
    }
    return ProcessIdentity(number: number, start: start)
  }

  private static let nameMarker = ".tessera-"

  private func failure(_ verb: String) -> TesseraError {
    .failed(verb, path, errno, setting: "store.msal_cache")
  }
}
