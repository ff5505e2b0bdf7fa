// SPDX-License-Identifier: MIT
// The records of a partition as one JSON document. Members and records of later versions are kept.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The records of a partition.
struct PartitionRecords: Sendable {
  /// The maximum size of a document, several times the size of a store with a thousand accounts.
  static let maximumBytes = 64 << 20
  private static let limits = JSONValue.Limits(bytes: maximumBytes, depth: 128)

  /// The records that this version can load.
  var table = MemoryTable()
  /// The entries of later versions.
  private var unknownEntries: [JSONValue] = []
  /// The members of later versions in the entries of known records.
  private var unknownMembers: [RecordKey: JSONObject] = [:]
  /// The members of the document, without the records.
  private var others = JSONObject()

  /// Creates a partition without records.
  init() {}

  /// Parses the records; nil if the bytes are not a document.
  init?(parsing bytes: [UInt8]) {
    let document = try? JSONValue(parsing: bytes, limits: PartitionRecords.limits)
    guard var others = document?.object, let entries = others["records"]?.array else { return nil }
    others["records"] = nil
    self.others = others
    for entry in entries { add(entry) }
  }

  private mutating func add(_ entry: JSONValue) {
    guard var members = entry.object, let type = members["type"]?.integer,
      let content = members["record"]?.object,
      let record = CacheRecord(typeNumber: Int(clamping: type), members: content)
    else { return unknownEntries.append(entry) }
    table.put(record)
    members["type"] = nil
    members["record"] = nil
    if !members.members.isEmpty { unknownMembers[record.key] = members }
  }

  /// The bytes of the document.
  ///
  /// The caller must overwrite them.
  var bytes: [UInt8] {
    var document = others
    let entries = table.everything().map { record in
      let key = record.key
      var entry: JSONObject = [
        "type": .integer(Int64(key.type)), "record": .object(record.members),
      ]
      for member in unknownMembers[key]?.members ?? [] { entry[member.name] = member.value }
      return JSONValue.object(entry)
    }
    document["records"] = .array(entries + unknownEntries)
    return JSONValue.object(document).bytes
  }

  /// Whether there is no record of any version.
  var isEmpty: Bool { table.everything().isEmpty && unknownEntries.isEmpty }

  /// Applies a change.
  mutating func apply(_ change: CacheChange) -> CommitOutcome {
    if change.steps.contains(where: { if case .removeEverything = $0 { true } else { false } }) {
      self = PartitionRecords()
    }
    return change.apply(to: &table)
  }

  /// Evicts access tokens whose time has passed.
  mutating func evictExpired(at clocks: Clocks) {
    for token in table.everything().compactMap(\.accessToken) where token.isUseless(at: clocks) {
      table.remove(token.key)
    }
  }

  /// Evicts the access tokens that expire first, except those of a change, until the document has a size.
  mutating func evict(toBytes limit: Int64, keeping kept: Set<CacheRecord>) {
    var size = bytes.count
    let tokens = table.everything().filter { $0.accessToken != nil && !kept.contains($0) }
    for record in tokens.sorted(by: { $0.expiryTime ?? 0 < $1.expiryTime ?? 0 }) {
      guard size > limit else { return }
      size -= JSONValue.object(record.members).bytes.count
      table.remove(record.key)
    }
  }
}
