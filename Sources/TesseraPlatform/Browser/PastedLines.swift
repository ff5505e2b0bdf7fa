// SPDX-License-Identifier: MIT
// What a person pastes into a terminal, line by line.

import TesseraEngine
package import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Lines from a descriptor of the host, which stays open.
package struct PastedLines {
  /// What can be polled; nil when no more lines come.
  package private(set) var descriptor: Int32?
  private var bytes: [UInt8] = []
  private var isTooLong = false

  /// An answer is no longer than this.
  private static let limit = 65_536

  /// Lines from a descriptor, or none.
  package init(_ descriptor: Int32?) {
    self.descriptor = descriptor
  }

  /// Checks that lines can come from a descriptor: nobody could answer through one that is closed.
  ///
  /// - Throws: `invalidMember`.
  static func check(_ descriptor: Int32?) throws(TesseraError) {
    guard let descriptor else { return }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_WRONLY else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "answer_descriptor is \(descriptor), from which this process cannot read: it is closed, or open for writing "
          + "only.")
    }
  }

  /// Reads what is there; to be called when the descriptor can be read.
  ///
  /// - Returns: the lines that are complete by now, without white space around them; empty ones are left out.
  package mutating func read() -> [String] {
    guard let descriptor else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readBytes(descriptor, &buffer, buffer.count)
    if count > 0 { return take(buffer.prefix(count)) }
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    self.descriptor = nil
    // The end of the input ends its last line.
    return take([0x0A])
  }

  private mutating func take(_ piece: ArraySlice<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in piece {
      guard byte == 0x0A else {
        isTooLong = isTooLong || bytes.count >= PastedLines.limit
        if !isTooLong { bytes.append(byte) }
        continue
      }
      let line = String(decoding: bytes, as: UTF8.self).trimmed
      if !line.isEmpty, !isTooLong { lines.append(line) }
      bytes = []
      isTooLong = false
    }
    return lines
  }
}

extension AuthorizationAnswer {
  /// What a person has pasted: the address at which the browser ended, or what follows the question mark in it.
  package init(pasted line: String, redirectURI: String) {
    let isAddress = line.contains("://") && line.contains("?")
    self = .address(Secret(isAddress ? line : "\(redirectURI)?\(line)"))
  }
}

/// `read`, which inside ``PastedLines`` has another meaning.
private func readBytes(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, start, count)
}
