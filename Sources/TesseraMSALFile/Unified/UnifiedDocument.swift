// SPDX-License-Identifier: MIT
// The bytes of a cache document, with the positions of its sections and entries.

import TesseraCache
import TesseraWire

/// A cache document after a scan of its structure.
struct UnifiedDocument: Sendable {
  /// The bytes of the document before its changes.
  let bytes: [UInt8]
  /// The sections, by their numbers.
  var lists = UnifiedSection.known.map { _ in UnifiedList() }
  /// The unknown sections, or `nil` until they are read.
  var unknownSections: UnknownSections?
  /// The end offset of the last section, or of the opening brace if there is none.
  private(set) var lastEnd = 1
  /// Whether the document has sections.
  private(set) var hasMembers = false
  /// The white space of the document.
  private(set) var layout = UnifiedLayout.compact

  /// The maximum size of a document, in bytes.
  ///
  /// Longer ones are rejected.
  static let maximumByteCount = 1 << 28

  /// Creates an empty document.
  init() {
    bytes = Array("{}".utf8)
  }

  /// Scans a document.
  ///
  /// The metadata of entries that are the same as in the old document is reused.
  init(
    _ bytes: [UInt8], after old: UnifiedDocument = UnifiedDocument()
  ) throws(UnifiedCacheError) {
    self.bytes = bytes
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= Self.maximumByteCount else { throw .tooLong(bytes: bytes.count) }
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
    var damage: UnifiedCacheError?
    bytes.withUnsafeBytes { memory in
      do throws(UnifiedCacheError) { try scan(memory, old) } catch { damage = error }
    }
    if let damage { throw damage }
  }

  /// Returns a range of bytes of the document before its changes.
  func slice(_ byteRange: Range<Int>) -> ArraySlice<UInt8> {
    bytes[byteRange.clamped(to: bytes.indices)]
  }

  /// Returns the current members of an entry, or `nil` if it is not an object or does not load.
  func members(_ section: UnifiedSection, _ index: Int) -> JSONObject? {
    value(section, index)?.object
  }

  /// Returns the current value of an entry, or `nil` if it was removed or does not load.
  func value(_ section: UnifiedSection, _ index: Int) -> JSONValue? {
    let list = self[section]
    switch list.edits.isEmpty ? nil : list.edits[index] {
    case .removed: return nil
    case .stored(_, let value): return value
    case nil:
      guard list.entries.indices.contains(index) else { return nil }
      return parsed(
        list.entries[index].value,
        displayMembers: section == .account ? UnifiedDocument.displayMembers : [])
    }
  }

  /// Parses a range of bytes, or returns `nil` if they are not valid JSON.
  ///
  /// - Parameter displayMembers: The members in which unpaired surrogates are replaced, as JSON writers of other libraries
  ///   produce them.
  func parsed(_ byteRange: Range<Int>, displayMembers: Set<String> = []) -> JSONValue? {
    // The largest records are imported accounts.
    try? JSONValue(
      parsing: Array(slice(byteRange)), limits: .init(bytes: 2 * LegacyTokenSet.maximumByteCount),
      displayMembers: displayMembers)
  }

  /// The members of an account that are shown to users and do not identify it.
  private static let displayMembers: Set<String> = [
    "username", "name", "given_name", "middle_name", "family_name", "nickname",
  ]

  /// Returns the key of an entry.
  func key(_ section: UnifiedSection, _ index: Int) -> String {
    let list = self[section]
    if case .stored(let key?, _)? = list.edits[index] { return key }
    guard list.entries.indices.contains(index) else { return "" }
    return (try? JSONValue(parsing: Array(slice(list.entries[index].key))))?.string ?? ""
  }

  /// Accesses the entries of a section.
  subscript(_ section: UnifiedSection) -> UnifiedList {
    get { lists[section.number] }
    _modify { yield &lists[section.number] }
  }
}

extension UnifiedDocument {
  private mutating func scan(
    _ memory: UnsafeRawBufferPointer, _ old: UnifiedDocument
  ) throws(UnifiedCacheError) {
    var scanner = UnifiedScanner(memory)
    guard scanner.next() != nil else { throw .blank }
    do throws(JSONError) {
      try readMembers(&scanner, old)
      guard scanner.next() == nil else {
        throw scanner.error("trailing characters after the value")
      }
    } catch { throw .malformed(error) }
    // Strings are decoded one at a time, so the whole document is validated as UTF-8 here.
    guard !scanner.hasNonASCII || String(validating: memory, as: UTF8.self) != nil else {
      throw .malformed(JSONError(reason: "invalid UTF-8", offset: 0))
    }
  }

  private mutating func readMembers(
    _ scanner: inout UnifiedScanner, _ old: UnifiedDocument
  ) throws(JSONError) {
    let open = scanner.offset
    lastEnd = open + 1
    var first: (name: Range<Int>, value: Int)?
    try scanner.object { scanner, name throws(JSONError) in
      if first == nil { first = (name, scanner.offset) }
      let text = (try? JSONValue(parsing: Array(slice(name))))?.string ?? ""
      if let section = UnifiedSection(name: text) {
        // If a section occurs twice, the last one counts, as in every library.
        let previousScan = PreviousScan(old[section], old.bytes)
        self[section] = try UnifiedDocument.list(section, &scanner, bytes, after: previousScan)
      } else {
        try scanner.value()
      }
      lastEnd = scanner.offset
    }
    guard let first else { return }
    hasMembers = true
    readLayout(slice(open + 1..<first.name.lowerBound), slice(first.name.upperBound..<first.value))
  }

  /// Detects the layout from the white space before the first name, and between the name and its value.
  private mutating func readLayout(_ before: ArraySlice<UInt8>, _ colon: ArraySlice<UInt8>) {
    layout.colon = Array(colon)
    if let end = before.lastIndex(of: 0x0A) {
      layout.newline = [0x0A]
      layout.indent = Array(before[(end + 1)...].prefix(16))
    } else if colon.count > 1 {
      // The default separators of Python's `json` module.
      layout.comma = Array(", ".utf8)
    }
  }

  static func list(
    _ section: UnifiedSection, _ scanner: inout UnifiedScanner, _ bytes: [UInt8],
    after previousScan: PreviousScan = PreviousScan()
  ) throws(JSONError) -> UnifiedList {
    var list = UnifiedList()
    var previousScan = previousScan
    list.reserve(previousScan.count)
    let start = scanner.offset
    if scanner.next() == UInt8(ascii: "{") {
      try scanner.object { scanner, key throws(JSONError) in
        if let entry = previousScan.skipKnown(&scanner, key) { return list.append(entry) }
        var scan = UnifiedEntryScan(section)
        let start = scanner.offset
        try scan.read(&scanner, bytes)
        let hashes = scan.hashes(key, bytes)
        list.append(
          UnifiedList.Entry(
            key: key, value: start..<scanner.offset, owner: hashes.owner, account: hashes.account,
            scopes: scan.scopes(bytes)))
      }
    } else {
      try scanner.value()
    }
    list.byteRange = start..<scanner.offset
    return list
  }
}
