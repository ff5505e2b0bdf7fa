// SPDX-License-Identifier: MIT
// Who the one person of a program was when it asked last, where MSAL for Apple remembers it.

import TesseraWire

/// The one person of a program that is for one person at a time.
package struct Principal: Sendable, Hashable {
  /// Empty for somebody whom only an older library's cache has.
  package let homeAccountID: String
  package let username: String?
  package let environment: String

  /// A person.
  package init(homeAccountID: String, username: String?, environment: String) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.environment = environment
  }
}

extension AccountMetadataRecord {
  /// Who was the one person of the application; it is in the record that is of no account.
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
