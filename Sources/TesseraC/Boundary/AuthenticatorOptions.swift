// SPDX-License-Identifier: MIT
// The members of what a program tells Microsoft Authenticator, in the one place where C spells them.

import TesseraEngine
import TesseraWire

extension AuthenticatorOptions {
  /// The members that there are.
  static let members = [
    "query_schemes", "application_name", "application_version", "sdk_capabilities",
    "intune_enrollment_ids", "intune_mam_resource", "nested_client_id", "nested_redirect_uri",
    "client_sku", "platform_sequence", "onboarding_blob", "new_mobile_onboarding_flow",
    "bound_refresh_tokens", "user_federated_identity_credential",
  ]

  /// Reads "AuthenticatorOptions" of docs/c-interface.md.
  init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    querySchemes = try document.strings("query_schemes")
    applicationName = try document.string("application_name")
    applicationVersion = try document.string("application_version")
    sdkCapabilities = try document.strings("sdk_capabilities") ?? []
    intuneEnrollmentIDs = try document.string("intune_enrollment_ids")
    intuneMAMResource = try document.string("intune_mam_resource")
    nestedClientID = try document.string("nested_client_id")
    nestedRedirectURI = try document.string("nested_redirect_uri")
    clientSKU = try document.string("client_sku")
    platformSequence = try document.string("platform_sequence")
    onboardingBlob = try document.string("onboarding_blob")
    usesNewMobileOnboarding = try document.bool("new_mobile_onboarding_flow") ?? false
    redeemsBoundRefreshTokens = try document.bool("bound_refresh_tokens") ?? false
    federatedCredential = try document.string("user_federated_identity_credential")
      .map { Secret($0) }
  }
}
