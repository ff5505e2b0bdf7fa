// SPDX-License-Identifier: MIT
// The file of the profiles: its location, its protection and atomic changes.

import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of the profiles of a user.
///
/// Only its owner can change it, because a profile decides which provider gets the user's sign-in.
struct ProfileFile {
  /// The absolute path.
  let path: String

  /// The name of the file.
  static let name = "config.toml"

  /// The maximum size, in bytes.
  private static let maximumSize = 1 << 20

  /// Creates the file of an environment; nil if the user has no home directory.
  init?(_ environment: Environment) {
    guard let folder = environment.configurationDirectory else { return nil }
    path = "\(folder)/\(ProfileFile.name)"
  }

  /// The directory of the file.
  private var folder: String { String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)) }

  /// Returns a function that reads the profiles of an environment; without a home directory there are none.
  static func profiles(
    of environment: Environment
  ) -> () throws(TesseraError) -> ProfileDocument {
    { () throws(TesseraError) in
      guard let file = ProfileFile(environment) else { return try ProfileDocument() }
      return try file.read()
    }
  }

  /// Reads the profiles.
  ///
  /// A missing file has none.
  ///
  /// - Throws: `invalidConfiguration` if the file is invalid, cannot be read, or can be written by other users.
  func read() throws(TesseraError) -> ProfileDocument {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return try ProfileDocument() }
      throw failure("cannot be read: \(ProfileFile.reason(errno)). Correct its permissions.")
    }
    defer { close(descriptor) }
    try check(descriptor, is: S_IFREG)
    try checkFolder()
    guard let text = String(validating: try bytes(of: descriptor), as: UTF8.self) else {
      throw failure("is not valid UTF-8. Correct it.")
    }
    do throws(TesseraError) {
      return try ProfileDocument(parsing: text)
    } catch {
      var error = error
      error.message = error.message.replacing(ProfileDocument.errorPrefix, with: path)
      throw error
    }
  }

  /// Changes the profiles atomically.
  ///
  /// Concurrent changes of other processes are kept.
  ///
  /// - Throws: `storeUnavailable` if the file cannot be written; the errors of ``read()``.
  func update(
    _ change: (inout ProfileDocument) throws(TesseraError) -> Void
  ) throws(TesseraError) {
    try makeFolder()
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw unwritable(errno) }
    defer { close(directory) }
    // The lock of the directory is released when its descriptor is closed.
    while flock(directory, LOCK_EX) != 0 {
      guard errno == EINTR else { throw unwritable(errno) }
    }
    var document = try read()
    try change(&document)
    // A value with a control character would make the file invalid.
    _ = try ProfileDocument(parsing: document.text)
    try replace(with: document.text, directory)
  }

  /// Checks the owner, the type and the mode of an open file.
  private func check(_ descriptor: Int32, is type: mode_t) throws(TesseraError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw failure("cannot be read: \(ProfileFile.reason(errno)). Correct its permissions.")
    }
    let name = type == S_IFDIR ? folder : path
    guard status.st_mode & S_IFMT == type else {
      throw failure("is not a regular file. Remove it.")
    }
    guard status.st_uid == geteuid() || (status.st_uid == 0 && type == S_IFDIR) else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "\(name) belongs to another user, so its profiles are not used. Change its owner (chown).")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "\(name) can be written by other users, so its profiles are not used. Run chmod go-w \(name)."
      )
    }
  }

  /// Checks the directory, in which another user could otherwise replace the file.
  private func checkFolder() throws(TesseraError) {
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      throw failure("cannot be read: \(ProfileFile.reason(errno)). Correct its permissions.")
    }
    defer { close(directory) }
    try check(directory, is: S_IFDIR)
  }

  private func bytes(of descriptor: Int32) throws(TesseraError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = buffer.withUnsafeMutableBytes { receiveBytes(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw failure("cannot be read: \(ProfileFile.reason(errno)). Correct its permissions.")
      }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= ProfileFile.maximumSize else { throw failure("is larger than 1 MiB.") }
    }
  }

  /// Creates the directory for this user only, with its parents.
  private func makeFolder() throws(TesseraError) {
    var end = path.startIndex
    while let next = path[path.index(after: end)...].firstIndex(of: "/") {
      guard mkdir(String(path[..<next]), 0o700) == 0 || errno == EEXIST || errno == EISDIR else {
        // A parent on a read-only file system may exist.
        guard access(String(path[..<next]), F_OK) == 0 else { throw unwritable(errno) }
        end = next
        continue
      }
      end = next
    }
  }

  /// Writes a new file for this user only, and renames it.
  ///
  /// A symbolic link is kept, and its target is replaced.
  private func replace(with text: String, _ directory: Int32) throws(TesseraError) {
    let target = ProfileFile.resolved(path) ?? path
    let temporary = "\(target).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unwritable(errno) }
    let isWritten = ProfileFile.write(text, to: descriptor) && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten, rename(temporary, target) == 0 else {
      let reason = isWritten ? errno : reason
      unlink(temporary)
      throw unwritable(reason)
    }
    fsync(directory)
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { sendBytes(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Returns a path without symbolic links; nil if the file does not exist.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  private func failure(_ problem: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidConfiguration, "\(path) \(problem)")
  }

  private func unwritable(_ number: Int32) -> TesseraError {
    TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(path) cannot be written: \(ProfileFile.reason(number)). Correct the permissions, or set XDG_CONFIG_HOME to \
      another directory.
      """)
  }
}
