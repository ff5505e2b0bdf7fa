// SPDX-License-Identifier: MIT
// A person in one tenant, as the unified schema stores them.

package import TesseraWire

/// The kind of an account, in the words of the unified schema.
package enum AccountType: String, Sendable {
  /// Of the Microsoft identity platform.
  case microsoft = "MSSTS"
  /// Of ADFS.
  case adfs = "ADFS"
  /// Of any other provider: the word of MSAL for JavaScript, which alone has one.
  case generic = "Generic"
}

/// One person in one tenant; guests have several records with one home account id.
package struct AccountRecord: Sendable, Hashable {
  /// The record as it is stored, unknown members included.
  package private(set) var members: JSONObject

  /// A new record.
  package init(
    homeAccountID: String, environment: String, realm: String, type: AccountType = .microsoft
  ) {
    members = JSONObject()
    members.append("authority_type", type.rawValue)
    members.append("home_account_id", homeAccountID)
    members.append("environment", environment)
    members.append("realm", realm)
  }

  /// A stored record; nil for one whose kind of account is missing or unknown.
  package init?(members: JSONObject) {
    guard AccountRecord.typeNumber(members["authority_type"]?.string) != nil else { return nil }
    self.members = members
  }

  /// Where it lies.
  package var key: RecordKey { key(as: AccountRecord.typeNumber(self["authority_type"]) ?? 3) }

  /// Where a record of the same person lies that calls ADFS what others are; nil for accounts of other providers.
  package var otherKey: RecordKey? {
    AccountRecord.typeNumber(self["authority_type"]) == 4 ? key(as: 3) : nil
  }

  private func key(as type: Int) -> RecordKey {
    RecordKey(
      account: "\(homeAccountID.normalised)-\(environment.normalised)", service: realm.normalised,
      generic: username?.normalised, type: 1000 + type, homeAccountID: homeAccountID,
      environment: environment)
  }

  /// This record with another one laid over it: what the newer one lacks stays.
  package func overlaid(with newer: AccountRecord) -> AccountRecord {
    var result = self
    result.members = members.overlaid(with: newer.members)
    return result
  }

  package var homeAccountID: String { self["home_account_id"] ?? "" }
  package var environment: String { self["environment"] ?? "" }
  package var realm: String { self["realm"] ?? "" }
  package var localAccountID: String? {
    get { self["local_account_id"] }
    set { self["local_account_id"] = newValue }
  }
  package var username: String? {
    get { self["username"] }
    set { self["username"] = newValue }
  }
  package var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  package var givenName: String? {
    get { self["given_name"] }
    set { self["given_name"] = newValue }
  }
  package var middleName: String? {
    get { self["middle_name"] }
    set { self["middle_name"] = newValue }
  }
  package var familyName: String? {
    get { self["family_name"] }
    set { self["family_name"] = newValue }
  }
  /// `client_info`, which only Entra sends.
  package var clientInfo: String? {
    get { self["client_info"] }
    set { self["client_info"] = newValue }
  }

  /// Any member that is a text.
  package subscript(_ name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map(JSONValue.string) }
  }

  /// The number of an account type; `Other` is no type that loads.
  ///
  /// MSAL for Apple has no number for `Generic`: such a record lies where those of Microsoft lie.
  package static func typeNumber(_ name: String?) -> Int? {
    switch name?.lowercased() {
    case "aad": 1
    case "msa": 2
    case "mssts", "generic": 3
    case "adfs": 4
    default: nil
    }
  }
}
