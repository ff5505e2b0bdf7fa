// SPDX-License-Identifier: MIT
// An entry of the unified document as a value.

package import TesseraWire

/// An entry of the unified document.
package struct DocumentEntry: Sendable, Hashable {
  /// The top-level member of the document that contains the entry.
  package let section: String
  /// The key within the section.
  ///
  /// Empty if the section is not an object; the entry is then the section's value.
  package let key: String
  /// The JSON value of the entry.
  package var value: JSONValue

  /// Creates an entry.
  package init(section: String, key: String, value: JSONValue) {
    self.section = section
    self.key = key
    self.value = value
  }

  /// The write time in seconds since 1970, or 0 if the entry has none.
  package var writeTime: Int64 { value.object?.writeTime ?? 0 }

  /// The token, if any.
  var secret: String? { value.object?["secret"]?.string }
}

extension CacheRecord {
  /// The write time in seconds since 1970, or 0 if the record has none.
  package var writeTime: Int64 { members.writeTime }
}

extension JSONObject {
  fileprivate var writeTime: Int64 {
    self["cached_at"]?.integer ?? self["last_modification_time"]?.integer ?? 0
  }
}
