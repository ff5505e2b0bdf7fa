// SPDX-License-Identifier: MIT
// What caches of JSON have in common: records of the unified schema, and what is said of damage.

import TesseraWire

extension LegacyEntry {
  /// A record of the unified schema; what does not load is preserved, what cannot be read is damaged.
  static func record(
    _ index: Int, _ read: () throws(JSONError) -> JSONValue
  ) -> LegacyEntry {
    do throws(JSONError) {
      let value = try read()
      guard let members = value.object else {
        return .damaged(LegacyDamage(notAnObject: value, entry: index))
      }
      return LegacyEntry(unified: members)
    } catch {
      return .damaged(LegacyDamage(invalid: error, entry: index))
    }
  }
}

extension LegacyDamage {
  /// A cache that is no JSON from somewhere on.
  init(entry: Int, cache error: JSONError) {
    self.init(
      entry: entry, "cache_malformed",
      "The cache is no JSON from byte \(error.offset) on: \(error.reason).")
  }

  /// An entry that is no JSON.
  init(invalid error: JSONError, entry: Int? = nil) {
    self.init(entry: entry, "entry_invalid", "An entry is no JSON: \(error.reason).")
  }

  /// An entry that is JSON of another kind.
  init(notAnObject value: JSONValue, entry: Int? = nil) {
    self.init(entry: entry, "entry_invalid", "An entry is \(value.kind), not an object.")
  }
}
