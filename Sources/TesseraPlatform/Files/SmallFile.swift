// SPDX-License-Identifier: MIT
// Reading of configuration files up to a size limit, and atomic replacement.

import CLibrary

/// Access to small configuration files.
package enum SmallFile {
  /// Returns the content of a file; nil if it does not exist, is not a regular file, cannot be read or exceeds the limit.
  ///
  /// Opening never blocks, even if the file was replaced by a FIFO.
  package static func contents(of path: String, limit: Int = 4 << 20) -> [UInt8]? {
    let descriptor = openFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG),
      status.st_size <= limit
    else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= limit else { return nil }
    }
  }

  /// Returns the sorted names in a directory, without hidden ones, up to a limit; empty if it cannot be read.
  static func names(in folder: String, limit: Int = 8192) -> [String] {
    guard let directory = openDirectory(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Replaces the content of a file atomically and durably.
  ///
  /// A symbolic link is preserved and its target is replaced. An existing file keeps its mode; a new file gets `mode`.
  static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(FileError) {
    let path = FileRules.resolved(path) ?? path
    var status = stat()
    let kept = stat(path, &status) == 0 ? status.st_mode & 0o777 : mode
    let temporary = "\(path).\(getpid())-tessera"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    unlink(temporary)
    let descriptor = openFile(temporary, flags, mode: 0o600)
    guard descriptor >= 0 else {
      throw .failed(verb: "create", path: temporary, code: errno)
    }
    let written =
      BlockedSignal.fileSize.blocked { write(bytes, to: descriptor) }
      && fchmod(descriptor, kept) == 0
    var problem = written && fsync(descriptor) == 0 ? 0 : errno
    close(descriptor)
    if problem == 0, rename(temporary, path) != 0 { problem = errno }
    guard problem == 0 else {
      unlink(temporary)
      throw .failed(verb: "write", path: path, code: problem)
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    PrivateDirectory.sync(folder.isEmpty ? "/" : folder)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// `write(2)`.
///
/// Inside ``SmallFile`` the name refers to the method.
private func writeBytes(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, start, count)
}
