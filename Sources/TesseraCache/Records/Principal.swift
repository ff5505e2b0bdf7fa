// SPDX-License-Identifier: MIT
// The last known account of a single-account application, in the record that MSAL for Apple uses for it.

import TesseraWire

/// The current account of a single-account application.
package struct Principal: Sendable, Hashable {
  /// The home account ID, or an empty string for an account that only has imported items.
  package let homeAccountID: String
  package let username: String?
  package let environment: String

  /// Creates a principal.
  package init(homeAccountID: String, username: String?, environment: String) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.environment = environment
  }
}

extension AccountMetadataRecord {
  /// The last known current account of the application.
  ///
  /// It is stored in the record without an account.
  package var principal: Principal? {
    get {
      let home = members["principal_home_account_id"]?.string?.nonBlank
      let name = members["principal_username"]?.string
      guard let environment = members["principal_account_environment"]?.string?.nonBlank,
        home ?? name?.nonBlank != nil
      else { return nil }
      return Principal(homeAccountID: home ?? "", username: name, environment: environment)
    }
    set {
      set("principal_home_account_id", newValue?.homeAccountID.nonBlank)
      set("principal_username", newValue?.username)
      set("principal_account_environment", newValue?.environment)
    }
  }
}
