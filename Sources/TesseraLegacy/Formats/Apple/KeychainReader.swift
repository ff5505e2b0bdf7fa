// SPDX-License-Identifier: MIT
// A reader for exported keychain items: JSON lines, a JSON array, or a property list.

import TesseraCache
import TesseraWire

/// A reader for an exported keychain.
///
/// No tool of Apple exports generic passwords with their attributes. Tessera writes JSON lines, and so can a few lines
/// of code around `SecItemCopyMatching`. The dictionaries of that function are read from a property list.
package enum KeychainReader {
  /// Calls `emit` with each entry of each item.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    var (index, emittedCount) = (0, 0)
    var shared = SharedAccountLists()
    func report(_ item: KeychainItem?) throws(LegacyCacheError) {
      guard max(index, emittedCount) < LegacyLimits.entries else {
        throw LegacyLimits.tooMany(index)
      }
      if let item {
        if !shared.addIfAccountList(item) { item.emit(numbered) }
      } else {
        numbered(.damaged(LegacyCacheError("keychain_item_invalid", "An item has no value.")))
      }
      index += 1
    }
    func numbered(_ entry: LegacyEntry) {
      emittedCount += 1
      guard case .damaged(var damage) = entry else { return emit(entry) }
      damage.entry = index
      emit(.damaged(damage))
    }
    // The latest list of shared accounts is known only at the end.
    defer { shared.emit(emit) }
    if BinaryPropertyList.isBegun(by: bytes) {
      try readBinary(bytes, report)
    } else if isXML(bytes) {
      try XMLPropertyList.elements(of: bytes) { item throws(LegacyCacheError) in
        try report(KeychainItem(item))
      }
    } else if let items = try? JSONElementScanner(bytes), !items.isObject {
      try readArray(items, in: bytes, report)
    } else {
      try readLines(bytes, report)
    }
  }

  private static func isXML(_ bytes: [UInt8]) -> Bool {
    let skippedBytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]
    return bytes.first { !skippedBytes.contains($0) } == UInt8(ascii: "<")
  }

  /// Reads one item at a time, so that memory use is limited to the bytes of the list and one item.
  private static func readBinary(
    _ bytes: [UInt8], _ report: (KeychainItem?) throws(LegacyCacheError) -> Void
  ) throws(LegacyCacheError) {
    var list = try BinaryPropertyList(bytes)
    guard case .array(let items) = try list.node(list.top) else {
      return try report(KeychainItem(try list.tree(list.top, maximumCount: LegacyLimits.members)))
    }
    for number in items {
      let item: PropertyList
      do throws(LegacyCacheError) {
        item = try list.tree(number, maximumCount: LegacyLimits.members)
      } catch {
        guard !list.isExhausted else { throw error }
        try report(nil)
        continue
      }
      try report(KeychainItem(item))
    }
  }

  private static func readArray(
    _ items: JSONElementScanner, in bytes: [UInt8],
    _ report: (KeychainItem?) throws(LegacyCacheError) -> Void
  ) throws(LegacyCacheError) {
    var items = items
    while true {
      let byteRange: Range<Int>?
      do throws(JSONError) { byteRange = try items.next() } catch {
        throw LegacyCacheError(
          "keychain_invalid", "The array of items is malformed: \(error.reason).")
      }
      guard let byteRange else { return }
      try report(try? KeychainItem(json: bytes, in: byteRange))
    }
  }

  private static func readLines(
    _ bytes: [UInt8], _ report: (KeychainItem?) throws(LegacyCacheError) -> Void
  ) throws(LegacyCacheError) {
    var isFirst = true
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      defer { start = end + 1 }
      guard !bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else {
        continue
      }
      let item: KeychainItem?
      do throws(JSONError) { item = try KeychainItem(json: bytes, in: start..<end) } catch {
        guard !isFirst else {
          throw LegacyCacheError(
            "keychain_invalid", "The data is neither JSON lines nor a property list of a keychain."
          )
        }
        item = nil
      }
      isFirst = false
      try report(item)
    }
  }
}
