// SPDX-License-Identifier: MIT
// What Intune's app protection means for the tokens of an application.

import TesseraCache
import TesseraWire

extension ApplicationConfiguration {
  /// Throws for a protected program without a name: its tokens are kept apart by it.
  package func checkIntune() throws(TesseraError) {
    guard intune.isProtected else { return }
    guard bundleID?.nonBlank != nil else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "intune_mam_resource is for a program with a bundle_id, by which its tokens are kept apart."
      )
    }
    for (host, resource) in intune.mamResources
    where host.nonBlank == nil || resource.nonBlank == nil {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "intune_mam_resource must name a resource for each host.")
    }
  }

  /// The part of the cache that a protected program's access tokens lie in; nil for the one of all others.
  ///
  /// MSAL for Apple: only at Entra, where it is the program's bundle id (`application_cache_identifier`).
  package func partition(at authority: Authority) -> String? {
    authority.type == .entra && intune.isProtected ? bundleID : nil
  }

  /// The enrolment of a person in app protection; nil for none, and at other providers than Entra.
  package func enrollmentID(
    at authority: Authority, homeAccountID: String?, username: String?
  ) -> String? {
    guard authority.type == .entra else { return nil }
    return intune.enrollments?.id(homeAccountID: homeAccountID, username: username)
  }

  /// A receipt with what app protection keeps tokens apart by.
  func protecting(_ receipt: TokenReceipt, from authority: Authority) -> TokenReceipt {
    var receipt = receipt
    receipt.applicationIdentifier = partition(at: authority)
    receipt.enrollmentID = enrollmentID(
      at: authority, homeAccountID: receipt.identity.homeAccountID,
      username: receipt.account.username)
    return receipt
  }
}
