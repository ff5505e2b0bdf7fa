// SPDX-License-Identifier: MIT
// A file that only its owner can change: checks of the file and of all directories above it, and atomic changes.

import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that only its owner can change.
struct ProtectedFile {
  /// The absolute path.
  let path: String

  /// The time for other processes to finish their changes, in microseconds.
  private static let lockTimeout = 10_000_000
  /// The maximum size, in bytes.
  private static let maximumSize = 1 << 20

  /// Reads the text; nil if the file does not exist.
  ///
  /// - Throws: `invalidConfiguration` if the file cannot be read, or if another user can change or replace it.
  func read() throws(TesseraError) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      let step = errno == EACCES ? "Correct its permissions." : "Correct or remove it."
      throw failure(path, "cannot be read: \(ProtectedFile.reason(errno)). \(step)")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure(path, "is not a regular file. Remove it.")
    }
    try check(path, status, ownedByRoot: false)
    try checkFolders()
    guard let text = String(validating: try bytes(of: descriptor), as: UTF8.self) else {
      throw failure(path, "is not valid UTF-8. Correct it.")
    }
    return text
  }

  /// Changes the text atomically.
  ///
  /// Concurrent changes of other processes are kept.
  ///
  /// - Parameter change: Returns the new text for the present one, which is empty if the file does not exist.
  /// - Throws: `storeUnavailable` if the file cannot be written; the errors of ``read()``.
  func update(_ change: (String) throws(TesseraError) -> String) throws(TesseraError) {
    for end in path.indices.dropFirst() where path[end] == "/" {
      let parent = String(path[..<end])
      guard mkdir(parent, 0o700) != 0 else { continue }
      let reason = errno
      // A parent on a read-only file system may exist.
      guard access(parent, F_OK) == 0 else { throw unwritable(reason) }
    }
    // A symbolic link is kept, and its target is replaced.
    let target = ProtectedFile.resolved(path) ?? path
    let directory = ProtectedFile.openFolder(of: target)
    guard directory >= 0 else { throw unwritable(errno) }
    // The lock of the directory is released when its descriptor is closed.
    defer { close(directory) }
    try lock(directory)
    try replace(target, with: try change(try read() ?? ""))
    fsync(directory)
  }

  /// Waits for the lock of the directory.
  private func lock(_ directory: Int32) throws(TesseraError) {
    let interval = 20_000
    for _ in 0..<ProtectedFile.lockTimeout / interval {
      if flock(directory, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw unwritable(errno) }
      usleep(useconds_t(interval))
    }
    throw TesseraError(
      .retryLater, .storeBusy, "\(path) is being changed by another process. Try again.")
  }

  /// Checks all directories, in which another user could otherwise replace the file.
  ///
  /// With symbolic links, the directories of both paths are checked.
  private func checkFolders() throws(TesseraError) {
    for path in Set([path, ProtectedFile.resolved(path) ?? path]) {
      for end in path.indices where path[end] == "/" {
        let parent = end == path.startIndex ? "/" : String(path[..<end])
        var status = stat()
        guard stat(parent, &status) == 0 else {
          throw failure(parent, "cannot be read: \(ProtectedFile.reason(errno)).")
        }
        try check(parent, status, ownedByRoot: true)
      }
    }
  }

  /// Checks the owner and the mode of the file or a directory.
  ///
  /// In a directory with the sticky bit, such as /tmp, other users cannot replace a file or directory of this user.
  private func check(_ name: String, _ status: stat, ownedByRoot: Bool) throws(TesseraError) {
    guard status.st_uid == geteuid() || (ownedByRoot && status.st_uid == 0) else {
      throw failure(name, "belongs to another user. Change its owner (chown).")
    }
    let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || isSticky else {
      throw failure(
        name, "can be written by other users, so it is not used. Run chmod go-w \(name).")
    }
  }

  private func bytes(of descriptor: Int32) throws(TesseraError) -> [UInt8] {
    guard
      let bytes = DescriptorInput.bytes(of: descriptor, maximum: ProtectedFile.maximumSize)
    else { throw failure(path, "cannot be read, or is larger than 1 MiB. Correct it.") }
    return bytes
  }

  /// Writes a new file for this user only, and renames it.
  ///
  /// The new file always has the same name, which the lock of the directory permits. One that a killed process left is
  /// thus replaced.
  private func replace(_ target: String, with text: String) throws(TesseraError) {
    guard text.utf8.count <= ProtectedFile.maximumSize else {
      throw failure(path, "would be larger than 1 MiB. Remove entries from it.")
    }
    let temporary = "\(target).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable(errno) }
    let isWritten = sendText(text, to: descriptor) && fsync(descriptor) == 0
    var reason = errno
    close(descriptor)
    if isWritten, rename(temporary, target) == 0 { return }
    if isWritten { reason = errno }
    unlink(temporary)
    throw unwritable(reason)
  }

  /// Opens the directory of a file; returns a negative number after an error, as `open` does.
  private static func openFolder(of path: String) -> Int32 {
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Returns a path without symbolic links; nil if the file does not exist.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  private func failure(_ name: String, _ problem: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, "\(name) \(problem)")
  }

  private func unwritable(_ number: Int32) -> TesseraError {
    TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(path) cannot be written: \(ProtectedFile.reason(number)). Correct the permissions, or set XDG_CONFIG_HOME to \
      another directory.
      """)
  }
}

/// Input from a descriptor.
enum DescriptorInput {
  /// Reads everything; nil after an error, or if there are more bytes than the maximum.
  static func bytes(of descriptor: Int32, maximum: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = buffer.withUnsafeMutableBytes { receiveBytes(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= maximum else { return nil }
    }
  }
}
