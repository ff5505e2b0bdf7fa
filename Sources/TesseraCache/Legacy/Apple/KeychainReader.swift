// SPDX-License-Identifier: MIT
// Reads the items of a keychain that a program exported: as lines of JSON, as an array of it, or as a property list of either form.

import TesseraWire

/// Reads an exported keychain.
///
/// No tool of Apple's exports generic passwords with their attributes. The lines of JSON are what Tessera writes, and
/// what a few lines around `SecItemCopyMatching` can; that function's own dictionaries are read from a property list.
package enum KeychainReader {
  /// Meets what is in each item.
  package static func read(
    _ bytes: [UInt8], _ meet: (LegacyEntry) -> Void
  ) throws(LegacyDamage) {
    var index = 0
    var shared = SharedAccountLists()
    func tell(_ item: KeychainItem?) {
      let unreadable = LegacyDamage("keychain_item_invalid", "An item has no value.")
      guard let item else {
        numbered(.damaged(unreadable))
        index += 1
        return
      }
      if !shared.take(item) { item.meet(numbered) }
      index += 1
    }
    func numbered(_ entry: LegacyEntry) {
      guard case .damaged(var damage) = entry else { return meet(entry) }
      damage.entry = index
      meet(.damaged(damage))
    }
    // Which of their lists is the latest is known at the end only.
    defer { shared.meet(meet) }
    if BinaryPropertyList.isBegun(by: bytes) {
      try readBinary(bytes, tell)
    } else if isXML(bytes) {
      let list = try XMLPropertyList.read(bytes)
      for item in list.array ?? [list] { tell(KeychainItem(item)) }
    } else if let items = try? JSONSpans(bytes), !items.isObject {
      try readArray(items, tell)
    } else {
      try readLines(bytes, tell)
    }
  }

  private static func isXML(_ bytes: [UInt8]) -> Bool {
    let passing: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
    return bytes.first { !passing.contains($0) } == UInt8(ascii: "<")
  }

  /// One item at a time: of a long list, no more is in memory than its bytes.
  private static func readBinary(
    _ bytes: [UInt8], _ tell: (KeychainItem?) -> Void
  ) throws(LegacyDamage) {
    var list = try BinaryPropertyList(bytes)
    guard case .array(let items) = try list.node(list.top) else {
      return tell(KeychainItem(try list.tree(list.top)))
    }
    for item in items {
      do throws(LegacyDamage) {
        tell(KeychainItem(try list.tree(item)))
      } catch {
        guard !list.isExhausted else { throw error }
        tell(nil)
      }
    }
  }

  private static func readArray(
    _ items: JSONSpans, _ tell: (KeychainItem?) -> Void
  ) throws(LegacyDamage) {
    var items = items
    do throws(JSONError) {
      while let place = try items.next() {
        tell((try? items.read(place))?.object.flatMap(KeychainItem.init))
      }
    } catch {
      throw LegacyDamage("keychain_invalid", "The array of items ends too early: \(error.reason).")
    }
  }

  private static func readLines(
    _ bytes: [UInt8], _ tell: (KeychainItem?) -> Void
  ) throws(LegacyDamage) {
    let isBlank = { (line: ArraySlice<UInt8>) in
      line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }
    var isFirst = true
    var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest.dropFirst(line.count + 1)
      guard !isBlank(line) else { continue }
      let limits = JSONValue.Limits(bytes: line.count)
      let json = (try? JSONValue(parsing: Array(line), limits: limits))?.object
      if json == nil, isFirst {
        throw LegacyDamage(
          "keychain_invalid", "These are neither lines of JSON nor a property list of a keychain.")
      }
      isFirst = false
      tell(json.flatMap(KeychainItem.init))
    }
  }
}
