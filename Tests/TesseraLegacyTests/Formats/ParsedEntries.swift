// SPDX-License-Identifier: MIT
// The entries of an older cache, sorted by kind.

import TesseraCache
import TesseraLegacy
import TesseraWire

/// All entries of a cache, and the error that ended reading early.
struct ParsedEntries {
  var items: [LegacyItem] = []
  var records: [CacheRecord] = []
  var preserved: [LegacyEntry.Preserved] = []
  var damaged: [LegacyCacheError] = []
  /// The error that ended reading early, if any.
  var end: LegacyCacheError?

  init(_ bytes: [UInt8], as format: LegacyFormat) {
    do throws(LegacyCacheError) {
      try format.read(bytes) { entry in
        switch entry {
        case .item(let item): items.append(item)
        case .record(let record): records.append(record)
        case .preserved(let preserved): self.preserved.append(preserved)
        case .damaged(let damage): damaged.append(damage)
        }
      }
    } catch {
      end = error
    }
  }

  init(_ text: String, as format: LegacyFormat) {
    self.init(Array(text.utf8), as: format)
  }
}

/// A writer for the format of .NET's BinaryWriter.
struct DotNetBinaryWriter {
  var bytes: [UInt8] = []

  init(version: UInt32 = 3, count: UInt32) {
    append(version)
    append(count)
  }

  init(_ entries: [(key: String, value: String)]) {
    self.init(count: UInt32(entries.count))
    for entry in entries {
      append(Array(entry.key.utf8))
      append(Array(entry.value.utf8))
    }
  }

  mutating func append(_ text: [UInt8]) {
    var length = text.count
    while length > 0x7F {
      bytes.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    bytes.append(UInt8(length))
    bytes += text
  }

  private mutating func append(_ number: UInt32) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
