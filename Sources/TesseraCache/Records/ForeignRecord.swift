// SPDX-License-Identifier: MIT
// An entry of another library in the unified document that has no record type, stored unchanged.

package import TesseraWire

/// An entry of the unified document without a record type, such as an app-only token.
///
/// No call of Tessera uses its contents.
package struct ForeignRecord: Sendable, Hashable {
  /// The stored JSON members.
  package let members: JSONObject

  /// Creates a record from an entry.
  package init(_ entry: DocumentEntry) {
    members = [
      Name.section: .string(entry.section), Name.key: .string(entry.key), Name.value: entry.value,
    ]
  }

  /// Creates a record from its stored members, or returns `nil` if they contain no entry.
  package init?(members: JSONObject) {
    guard members[Name.section]?.string != nil, members[Name.key]?.string != nil,
      members[Name.value] != nil
    else { return nil }
    self.members = members
  }

  /// The entry of the unified document.
  package var entry: DocumentEntry {
    DocumentEntry(
      section: members[Name.section]?.string ?? "", key: members[Name.key]?.string ?? "",
      value: members[Name.value] ?? .null)
  }

  /// The home account ID, if any.
  package var homeAccountID: String? { text("home_account_id") }
  /// The client ID, if any.
  package var clientID: String? { text("client_id") }
  package var environment: String? { text("environment") }

  private func text(_ member: String) -> String? {
    members[Name.value]?.object?[member]?.string
  }

  /// The key of the record.
  package var key: RecordKey {
    let entry = entry
    return RecordKey(
      account: "foreign", service: entry.section + "\n" + entry.key, generic: nil,
      type: ForeignRecord.typeNumber)
  }

  /// The owner under which all foreign records are stored.
  ///
  /// It cannot be a home account ID.
  package static let owner = "\n foreign"

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9005

  private enum Name {
    static let section = "foreign_section"
    static let key = "foreign_key"
    static let value = "foreign_value"
  }
}
