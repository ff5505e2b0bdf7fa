// SPDX-License-Identifier: MIT
// Shared code of the JSON-based formats: records of the unified schema, and errors.

import TesseraCache
import TesseraWire

extension LegacyEntry {
  /// Returns a record of the unified schema.
  ///
  /// Objects that do not load are preserved; unreadable ones are damaged.
  static func record(
    _ index: Int, _ read: () throws(JSONError) -> JSONValue
  ) -> LegacyEntry {
    do throws(JSONError) {
      let value = try read()
      guard let members = value.object else {
        return .damaged(LegacyCacheError(notAnObject: value, entry: index))
      }
      return LegacyEntry(unified: members)
    } catch {
      return .damaged(LegacyCacheError(invalid: error, entry: index))
    }
  }
}

extension LegacyCacheError {
  /// Creates the error for a cache that is not valid JSON.
  init(entry: Int, cache error: JSONError) {
    self.init(
      entry: entry, "cache_malformed",
      "The cache is not valid JSON at byte \(error.offset): \(error.reason).")
  }

  /// Creates the error for an entry that is not valid JSON.
  init(invalid error: JSONError, entry: Int? = nil) {
    self.init(entry: entry, "entry_invalid", "An entry is not JSON: \(error.reason).")
  }

  /// Creates the error for an entry that is not a JSON object.
  init(notAnObject value: JSONValue, entry: Int? = nil) {
    self.init(entry: entry, "entry_invalid", "An entry is \(value.kind), not an object.")
  }
}
