// SPDX-License-Identifier: MIT
// The effects of Intune app protection on the tokens of an application.

import TesseraCache
import TesseraWire

extension ApplicationConfiguration {
  /// Checks the settings for app protection.
  ///
  /// - Throws: `fixConfiguration` for an app-protected application without a ``bundleID``, which names its cache partition.
  package func checkIntune() throws(TesseraError) {
    guard intune.isProtected else { return }
    guard bundleID?.nonBlank != nil else {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "intune.mam_resource requires bundle_id, which separates the tokens of the application: set bundle_id."
      )
    }
    for (host, resource) in intune.mamResources
    where host.nonBlank == nil || resource.nonBlank == nil {
      throw TesseraError(
        .fixConfiguration, .invalidConfiguration,
        "intune.mam_resource must map each host to a resource; neither may be empty.")
    }
  }

  /// Returns the cache partition for access tokens of an app-protected application; `nil` for the default partition.
  ///
  /// As in MSAL for Apple, only Entra tokens are partitioned. The key is the bundle ID (`application_cache_identifier`).
  package func partition(at authority: Authority) -> String? {
    authority.type == .entra && intune.isProtected ? bundleID : nil
  }

  /// Returns the app-protection enrollment ID of a user; `nil` if there is none, or if the provider is not Entra.
  package func enrollmentID(
    at authority: Authority, homeAccountID: String?, username: String?
  ) -> String? {
    guard authority.type == .entra else { return nil }
    return intune.enrollments?.id(homeAccountID: homeAccountID, username: username)
  }

  /// Adds the cache partition and the enrollment ID to the records of a token response.
  func withAppProtection(_ tokenRecords: TokenResponseRecords, from authority: Authority)
    -> TokenResponseRecords
  {
    var tokenRecords = tokenRecords
    tokenRecords.applicationIdentifier = partition(at: authority)
    tokenRecords.enrollmentID = enrollmentID(
      at: authority, homeAccountID: tokenRecords.identity.homeAccountID,
      username: tokenRecords.account.username)
    return tokenRecords
  }
}
