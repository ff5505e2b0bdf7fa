// SPDX-License-Identifier: MIT
// The details of an error that requires Intune app protection.

import TesseraWire

extension TesseraError {
  /// Adds the values that the Intune library needs if app protection is required.
  func withAppProtectionDetails(_ authority: Authority, _ homeAccountID: String?) -> TesseraError {
    guard code == .protectionPolicyRequired else { return self }
    var error = self
    error.authority = authority.text
    error.homeAccountID = self.homeAccountID ?? homeAccountID?.nonBlank
    return error
  }
}
