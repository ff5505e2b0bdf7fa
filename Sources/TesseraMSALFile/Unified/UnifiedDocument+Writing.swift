// SPDX-License-Identifier: MIT
// Serialization of the document with its changes. Unchanged parts are copied.

import TesseraCache
import TesseraWire

extension UnifiedDocument {
  /// The serialized document.
  var serialized: [UInt8] {
    let changed = sections.filter { self[$0].isChanged }
    guard !changed.isEmpty else { return bytes }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 1 << 12)
    var offset = 0
    let placed = changed.compactMap { section in self[section].byteRange.map { (section, $0) } }
    for (section, byteRange) in placed.sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) {
      output += slice(offset..<byteRange.lowerBound)
      write(self[section], &output)
      offset = byteRange.upperBound
    }
    output += slice(offset..<lastEnd)
    let added = changed.filter {
      self[$0].byteRange == nil && (self[$0].nonObjectValue != nil || !self[$0].indices.isEmpty)
    }
    for (index, section) in added.enumerated() {
      if hasMembers || index > 0 { output += layout.comma }
      layout.startLine(1, &output)
      UnifiedLayout.write(name(of: section), &output)
      output += layout.colon
      write(self[section], &output)
    }
    if !hasMembers, !added.isEmpty { layout.startLine(0, &output) }
    output += slice(lastEnd..<bytes.count)
    return output
  }

  /// Writes a section.
  ///
  /// Consecutive unchanged entries are copied together with the bytes between them.
  private func write(_ list: UnifiedList, _ output: inout [UInt8]) {
    if let nonObjectValue = list.nonObjectValue { return layout.write(nonObjectValue, 1, &output) }
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    var run: Range<Int>?
    for index in list.indices {
      guard list.edits[index] == nil else {
        flush(&run, &output)
        startEntry(&isFirst, &output)
        writeEdited(list, index, &output)
        continue
      }
      let byteRange = list.entries[index].byteRange
      if let open = run, index > 0, !list.isRemoved(index - 1) {
        run = open.lowerBound..<byteRange.upperBound
      } else {
        flush(&run, &output)
        startEntry(&isFirst, &output)
        run = byteRange
      }
    }
    flush(&run, &output)
    if !isFirst { layout.startLine(1, &output) }
    output.append(UInt8(ascii: "}"))
  }

  private func flush(_ run: inout Range<Int>?, _ output: inout [UInt8]) {
    if let open = run { output += slice(open) }
    run = nil
  }

  private func startEntry(_ isFirst: inout Bool, _ output: inout [UInt8]) {
    if !isFirst { output += layout.comma }
    isFirst = false
    layout.startLine(2, &output)
  }

  private func writeEdited(_ list: UnifiedList, _ index: Int, _ output: inout [UInt8]) {
    guard case .stored(let key, let value)? = list.edits[index] else { return }
    if let key {
      UnifiedLayout.write(key, &output)
    } else {
      output += slice(list.entries[index].key)
    }
    output += layout.colon
    layout.write(value, 2, &output)
  }
}
