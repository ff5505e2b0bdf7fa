// SPDX-License-Identifier: MIT
// What another library keeps in the unified document and Tessera has no record for: kept as it is, for that library.

package import TesseraWire

/// An entry of the unified document that no record of Tessera's stands for, such as a token of an application itself.
///
/// Nothing of it is ever used by a call of Tessera.
package struct ForeignRecord: Sendable, Hashable {
  /// The record as it is stored.
  package let members: JSONObject

  /// A new record of an entry.
  package init(_ entry: DocumentEntry) {
    members = [
      Name.section: .string(entry.section), Name.key: .string(entry.key), Name.value: entry.value,
    ]
  }

  /// A stored record; nil for one that holds no entry.
  package init?(members: JSONObject) {
    guard members[Name.section]?.string != nil, members[Name.key]?.string != nil,
      members[Name.value] != nil
    else { return nil }
    self.members = members
  }

  /// The entry.
  package var entry: DocumentEntry {
    DocumentEntry(
      section: members[Name.section]?.string ?? "", key: members[Name.key]?.string ?? "",
      value: members[Name.value] ?? .null)
  }

  /// Whose it is, where it says so.
  package var homeAccountID: String? { text("home_account_id") }
  /// The application that it is of, where it says so.
  package var clientID: String? { text("client_id") }
  package var environment: String? { text("environment") }

  private func text(_ member: String) -> String? {
    members[Name.value]?.object?[member]?.string
  }

  /// Where it lies.
  package var key: RecordKey {
    let entry = entry
    return RecordKey(
      account: "foreign", service: entry.section + "\n" + entry.key, generic: nil,
      type: ForeignRecord.typeNumber)
  }

  /// Under which all of them are found; no person has such an identifier.
  package static let owner = "\n foreign"

  /// The number that its key carries; the unified schema has no such record.
  package static let typeNumber = 9005

  private enum Name {
    static let section = "foreign_section"
    static let key = "foreign_key"
    static let value = "foreign_value"
  }
}
