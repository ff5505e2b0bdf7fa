// SPDX-License-Identifier: MIT
// What a section was when the document was read before: most entries lie there as they lay, and need no second look.

/// The entries of a section as it was, in their order.
struct PreviousScan {
  private let list: UnifiedList
  private let bytes: [UInt8]
  /// The entry that probably comes next.
  private var next = 0

  /// How many entries may be gone at once before the others are looked through again.
  private static let mostGone = 8

  /// Of a section that was not there.
  init() {
    self.init(UnifiedList(), [])
  }

  /// Of a section of a document that has some bytes.
  init(_ list: UnifiedList, _ bytes: [UInt8]) {
    self.list = list
    self.bytes = bytes
  }

  /// How many entries there were.
  var count: Int { list.count }

  /// Passes an entry whose key was passed, if it lies there as one did before; what is known of it, or nil.
  mutating func pass(
    _ scanner: inout UnifiedScanner, _ key: Range<Int>
  ) -> UnifiedList.Entry? {
    for index in next..<min(next + Self.mostGone, count) {
      var entry = list.entries[index]
      guard scanner.has(entry.key, of: bytes, at: key.lowerBound) else { continue }
      next = index + 1
      guard scanner.has(entry.place, of: bytes, at: key.lowerBound), endsItself(entry) else {
        return nil
      }
      scanner.pass(to: key.lowerBound + entry.place.count)
      entry.value = scanner.offset - entry.value.count..<scanner.offset
      entry.key = key
      return entry
    }
    return nil
  }

  /// Whether an entry is not new, and its value ends where it does whatever follows it: a number might go on.
  private func endsItself(_ entry: UnifiedList.Entry) -> Bool {
    !entry.value.isEmpty && bytes[..<entry.value.upperBound].last == UInt8(ascii: "}")
  }
}
