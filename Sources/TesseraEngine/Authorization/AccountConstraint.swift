// SPDX-License-Identifier: MIT
// The account that must sign in, with the check that the returned tokens belong to it.

package import TesseraCache
import TesseraWire

/// The account that must sign in.
package struct AccountConstraint: Sendable, Hashable {
  package var homeAccountID: String
  /// The user name; `nil` if the store has none for the account.
  package var username: String?
  /// Whether the user has signed this account out of the application.
  package var isSignedOut: Bool

  package init(homeAccountID: String, username: String? = nil, isSignedOut: Bool = false) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.isSignedOut = isSignedOut
  }
}

extension AccountConstraint {
  /// Returns whether tokens of an account satisfy the constraint.
  ///
  /// As in MSAL for Apple, an account with the same user name in the same tenant is accepted, because the account may have
  /// been deleted and created again.
  package func accepts(_ account: String, named username: String?) -> Bool {
    guard homeAccountID.normalised != account.normalised else { return true }
    let tenants = [homeAccountID, account].map { $0.split(separator: ".").dropFirst().last }
    guard let requestedUsername = self.username?.normalised.nonBlank,
      let tenant = tenants.first ?? nil,
      let other = tenants.last ?? nil
    else { return false }
    return username?.normalised == requestedUsername
      && String(tenant).normalised == String(other).normalised
  }

  /// Throws `accountMismatch` if the tokens belong to a different account.
  package func check(_ tokenRecords: TokenResponseRecords) throws(TesseraError) {
    guard !accepts(tokenRecords.identity.homeAccountID, named: tokenRecords.account.username) else {
      return
    }
    throw TesseraError.accountMismatchError(tokenRecords)
  }
}

extension TesseraError {
  /// Returns the error for tokens of a different account than requested.
  package static func accountMismatchError(_ tokenRecords: TokenResponseRecords) -> TesseraError {
    var error = TesseraError(
      .signIn, .accountMismatch,
      """
      The user signed in with a different account than requested; the tokens were not stored. Sign in with \
      the requested account.
      """)
    error.username = tokenRecords.account.username
    error.homeAccountID = tokenRecords.identity.homeAccountID
    return error
  }
}
