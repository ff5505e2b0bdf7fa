// SPDX-License-Identifier: MIT
// Which caches of older libraries were imported: without it nobody looks for what they left.

package import TesseraWire

/// The caches of older libraries that were imported into a store.
package struct LegacySourcesRecord: Sendable, Hashable {
  /// The record as it is stored.
  package private(set) var members: JSONObject

  /// No cache yet.
  package init() {
    members = JSONObject()
    members.append("legacy_sources", .object(JSONObject()))
  }

  /// A stored record; nil for one that names none.
  package init?(members: JSONObject) {
    guard members["legacy_sources"]?.object != nil else { return nil }
    self.members = members
  }

  /// Remembers that a cache was imported, and when for the first time.
  ///
  /// - Returns: whether that is new.
  package mutating func note(_ format: LegacyFormat, at now: Instant) -> Bool {
    var sources = members["legacy_sources"]?.object ?? JSONObject()
    guard sources[format.rawValue] == nil else { return false }
    sources[format.rawValue] = .integer(now.secondsSince1970)
    members["legacy_sources"] = .object(sources)
    return true
  }

  /// Where it lies; a store has one.
  package static var key: RecordKey {
    RecordKey(account: "legacy", service: "sources", generic: nil, type: typeNumber)
  }

  /// The number that its key carries; the unified schema has no such record.
  package static let typeNumber = 9004
}
