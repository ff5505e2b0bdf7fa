// SPDX-License-Identifier: MIT
// A named socket in a directory, for one end of a test connection. It is closed on deinitialization.

import Foundation

/// One end of a Unix socket in a directory.
final class NamedSocket: Sendable {
  private let descriptor: Int32

  /// The use of the name.
  enum Role {
    /// The socket is bound but does not listen.
    case taken
    /// The socket listens but never accepts.
    case listening
    /// The socket is connected to the name.
    case connected
  }

  /// Opens a socket; nil on failure.
  init?(_ role: Role, in folder: String, named name: String) {
    let directory = open(folder, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(directory)/\(name)".utf8) + [0]
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let descriptor = descriptor
    let done = withUnsafeBytes(of: &address) { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      let count = socklen_t(bytes.count)
      return role == .connected ? connect(descriptor, start, count) : bind(descriptor, start, count)
    }
    guard done == 0, role != .listening || listen(descriptor, 8) == 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Sends text and returns the first part of the response.
  func exchange(_ text: String) -> String {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }
}
