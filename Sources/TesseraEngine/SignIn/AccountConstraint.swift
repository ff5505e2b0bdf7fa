// SPDX-License-Identifier: MIT
// The account that is to sign in, and whether it is the one that did.

import TesseraCache
import TesseraWire

/// What is known of the account that is to sign in.
package struct AccountConstraint: Sendable, Hashable {
  package var homeAccountID: String
  /// Its name; nil if the store does not have it.
  package var username: String?
  /// Whether the application has signed it out.
  package var isSignedOut: Bool

  package init(homeAccountID: String, username: String? = nil, isSignedOut: Bool = false) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.isSignedOut = isSignedOut
  }
}

extension AccountConstraint {
  /// Whether tokens of an account are what was asked for.
  ///
  /// MSAL for Apple: an account that was made anew, with the same name in the same tenant, is the same person.
  package func accepts(_ account: String, named username: String?) -> Bool {
    guard homeAccountID.normalised != account.normalised else { return true }
    let tenants = [homeAccountID, account].map { $0.split(separator: ".").dropFirst().last }
    guard let asked = self.username?.normalised.nonBlank, let tenant = tenants.first ?? nil,
      let other = tenants.last ?? nil
    else { return false }
    return username?.normalised == asked
      && String(tenant).normalised == String(other).normalised
  }

  /// Throws `accountMismatch` for tokens of somebody else.
  func check(_ receipt: TokenReceipt) throws(TesseraError) {
    guard !accepts(receipt.identity.homeAccountID, named: receipt.account.username) else { return }
    throw TesseraError.somebodyElse(receipt)
  }
}

extension TesseraError {
  /// The tokens of a receipt are not those of the person who was asked for.
  static func somebodyElse(_ receipt: TokenReceipt) -> TesseraError {
    var error = TesseraError(
      .signIn, .accountMismatch,
      """
      Somebody else signed in than the account that was asked for; nothing was stored. Sign in with \
      that account.
      """)
    error.username = receipt.account.username
    error.homeAccountID = receipt.identity.homeAccountID
    return error
  }
}
