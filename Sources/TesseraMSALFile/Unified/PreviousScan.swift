// SPDX-License-Identifier: MIT
// The entries of a section in the previous scan. Most of them are unchanged and need not be scanned again.

import TesseraCache

/// The entries of a section in the previous scan, in document order.
struct PreviousScan {
  private let list: UnifiedList
  private let bytes: [UInt8]
  /// The entry that is expected next.
  private var next = 0

  /// The number of entries to look ahead, in case some were removed.
  private static let lookahead = 8

  /// Creates a scan without entries.
  init() {
    self.init(UnifiedList(), [])
  }

  /// Creates a scan from the section of an older document.
  init(_ list: UnifiedList, _ bytes: [UInt8]) {
    self.list = list
    self.bytes = bytes
  }

  /// The number of entries.
  var count: Int { list.count }

  /// Skips an entry after its key, if the previous scan had the same bytes there.
  ///
  /// - Returns: The entry with its known metadata, or `nil` if it must be scanned.
  mutating func skipKnown(
    _ scanner: inout UnifiedScanner, _ key: Range<Int>
  ) -> UnifiedList.Entry? {
    for index in next..<min(next + Self.lookahead, count) {
      var entry = list.entries[index]
      guard scanner.matches(entry.key, of: bytes, at: key.lowerBound) else { continue }
      next = index + 1
      guard scanner.matches(entry.byteRange, of: bytes, at: key.lowerBound), endsWithBrace(entry)
      else {
        return nil
      }
      scanner.skipKnown(to: key.lowerBound + entry.byteRange.count)
      entry.value = scanner.offset - entry.value.count..<scanner.offset
      entry.key = key
      return entry
    }
    return nil
  }

  /// Whether an entry is in the document and its value ends with a brace.
  ///
  /// A number could continue with the next bytes.
  private func endsWithBrace(_ entry: UnifiedList.Entry) -> Bool {
    !entry.value.isEmpty && bytes[..<entry.value.upperBound].last == UInt8(ascii: "}")
  }
}
