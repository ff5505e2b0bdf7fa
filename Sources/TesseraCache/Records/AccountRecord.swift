// SPDX-License-Identifier: MIT
// A user's account in one tenant, in the unified schema.

package import TesseraWire

/// The account type, with the values of the unified schema.
package enum AccountType: String, Sendable {
  /// An account of the Microsoft identity platform.
  case microsoft = "MSSTS"
  /// An ADFS account.
  case adfs = "ADFS"
  /// An account of any other provider.
  ///
  /// Only MSAL for JavaScript defines a value for it.
  case generic = "Generic"
}

/// A user's account in one tenant.
///
/// A guest has several records with the same home account ID.
package struct AccountRecord: Sendable, Hashable {
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record.
  package init(
    homeAccountID: String, environment: String, realm: String, type: AccountType = .microsoft
  ) {
    members = JSONObject()
    members.append("authority_type", type.rawValue)
    members.append("home_account_id", homeAccountID)
    members.append("environment", environment)
    members.append("realm", realm)
  }

  /// Creates a record from its stored members, or returns `nil` if the account type is missing or unknown.
  package init?(members: JSONObject) {
    guard AccountRecord.typeNumber(members["authority_type"]?.string) != nil else { return nil }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey { key(as: AccountRecord.typeNumber(self["authority_type"]) ?? 3) }

  /// The key of the same ADFS account if another library stored it with the Microsoft type; `nil` for other account types.
  package var keyWithMicrosoftType: RecordKey? {
    AccountRecord.typeNumber(self["authority_type"]) == 4 ? key(as: 3) : nil
  }

  private func key(as type: Int) -> RecordKey {
    RecordKey(
      account: "\(homeAccountID.normalised)-\(environment.normalised)", service: realm.normalised,
      generic: username?.normalised, type: 1000 + type, homeAccountID: homeAccountID,
      environment: environment)
  }

  /// Returns this record overlaid with a newer one.
  ///
  /// Members that the newer record lacks are kept.
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
  /// The `client_info` value, which only Microsoft Entra ID returns.
  package var clientInfo: String? {
    get { self["client_info"] }
    set { self["client_info"] = newValue }
  }

  /// Accesses any string member.
  package subscript(_ name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map(JSONValue.string) }
  }

  /// Returns the number of an account type, or `nil` if it is missing or unknown.
  ///
  /// `Other` is not a type that loads.
  ///
  /// MSAL for Apple has no number for `Generic`, so such records use the number of Microsoft accounts.
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
