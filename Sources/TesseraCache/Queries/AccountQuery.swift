// SPDX-License-Identifier: MIT
// Which account and application records fit.

import TesseraWire

/// A search for accounts; parts that are nil are left open.
package struct AccountQuery: Sendable {
  package var homeAccountID: String?
  package var environment: String?
  package var realm: String?
  package var username: String?

  package init(
    homeAccountID: String? = nil, environment: String? = nil, realm: String? = nil,
    username: String? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.realm = realm
    self.username = username
  }

  /// The account attribute, when home account id and environment are both given.
  package var account: String? {
    guard let homeAccountID, let environment else { return nil }
    return "\(homeAccountID.normalised)-\(environment.normalised)"
  }

  /// The service attribute.
  package var service: String? { realm?.normalised }

  /// The generic attribute.
  package var generic: String? { username?.normalised }

  /// The type attribute: MSAL lists accounts of one type only.
  package var typeNumber: Int { 1003 }

  /// Whether the attributes name one record.
  package var isExact: Bool { account != nil && service != nil }

  /// Whether a record fits.
  package func matches(_ record: AccountRecord) -> Bool {
    func fits(_ wanted: String?, _ found: String?) -> Bool {
      wanted == nil || wanted?.normalised == (found ?? "").normalised
    }
    return fits(homeAccountID, record.homeAccountID) && fits(environment, record.environment)
      && fits(realm, record.realm) && fits(username, record.username)
  }
}

/// A search for what is known of an application; parts that are nil are left open.
package struct AppMetadataQuery: Sendable {
  package var clientID: String?
  package var environment: String?
  package var familyID: String?

  package init(clientID: String? = nil, environment: String? = nil, familyID: String? = nil) {
    self.clientID = clientID
    self.environment = environment
    self.familyID = familyID
  }

  /// The account attribute.
  package var account: String? { environment }

  /// The service attribute, when the application is given.
  package var service: String? { clientID.map { "appmetadata-" + $0.normalised } }

  /// The generic attribute.
  package var generic: String? { familyID?.nonBlank }

  /// The type attribute, when the application is given.
  package var typeNumber: Int? { clientID == nil ? nil : AppMetadataRecord.typeNumber }

  /// Whether the attributes name one record.
  package var isExact: Bool { account != nil && service != nil }
}
