// SPDX-License-Identifier: MIT
// The formats of older libraries' caches that were imported. Without this record, lookups skip imported accounts.

package import TesseraWire

/// The formats of the older caches that were imported into a store.
package struct LegacySourcesRecord: Sendable, Hashable {
  /// The stored JSON members.
  package private(set) var members: JSONObject

  /// Creates an empty record.
  package init() {
    members = JSONObject()
    members.append("legacy_sources", .object(JSONObject()))
  }

  /// Creates a record from its stored members, or returns `nil` if the list is missing.
  package init?(members: JSONObject) {
    guard members["legacy_sources"]?.object != nil else { return nil }
    self.members = members
  }

  /// Records that a cache was imported, with the time of the first import.
  ///
  /// - Returns: Whether the format was not recorded before.
  package mutating func recordImport(_ format: String, at now: Instant) -> Bool {
    var sources = members["legacy_sources"]?.object ?? JSONObject()
    guard sources[format] == nil else { return false }
    sources[format] = .integer(now.secondsSince1970)
    members["legacy_sources"] = .object(sources)
    return true
  }

  /// The key of the record.
  ///
  /// A store has at most one.
  package static var key: RecordKey {
    RecordKey(account: "legacy", service: "sources", generic: nil, type: typeNumber)
  }

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9004
}
