// SPDX-License-Identifier: MIT
// Lines that the user pastes into a terminal.

import CLibrary
import TesseraEngine
package import TesseraWire

/// The lines read from a descriptor of the host application, which is never closed here.
package struct PastedLines {
  /// The descriptor to poll; nil after the end of the input.
  package private(set) var descriptor: Int32?
  private var bytes: [UInt8] = []
  private var isTooLong = false

  /// The maximum size of a line in bytes; longer lines are ignored.
  private static let limit = 65_536

  /// Creates a reader for a descriptor; nil for none.
  package init(_ descriptor: Int32?) {
    self.descriptor = descriptor
  }

  /// Checks that the descriptor is open for reading.
  ///
  /// - Throws: `invalidMember`.
  static func check(_ descriptor: Int32?) throws(TesseraError) {
    guard let descriptor else { return }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_WRONLY else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "answer_descriptor \(descriptor) cannot be read: it is closed, or open for writing only.")
    }
  }

  /// Reads the available bytes.
  ///
  /// Call it when the descriptor is readable.
  ///
  /// - Returns: The lines completed by this call, trimmed of white space. Empty lines are left out.
  package mutating func read() -> [String] {
    guard let descriptor else { return [] }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readBytes(descriptor, &buffer, buffer.count)
    if count > 0 { return take(buffer.prefix(count)) }
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    self.descriptor = nil
    // The last line may have no line feed.
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

extension RawAuthorizationResponse {
  /// Creates a response from a pasted line: the URL that the browser was redirected to, or its query.
  package init(pasted line: String, redirectURI: String) {
    let isAddress = line.contains("://") && line.contains("?")
    self = .address(Secret(isAddress ? line : "\(redirectURI)?\(line)"))
  }
}

/// `read(2)`.
///
/// Inside ``PastedLines`` the name refers to the method.
private func readBytes(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, start, count)
}
