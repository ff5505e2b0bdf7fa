// SPDX-License-Identifier: MIT
// Parsing of the JSON options for Microsoft Authenticator.

import TesseraEngine
import TesseraWire

extension AuthenticatorOptions {
  /// The known members.
  static let members = [
    "query_schemes", "client_app_name", "client_app_version", "sdk_capabilities",
    "intune_enrollment_ids", "intune_mam_resource", "brk_client_id", "brk_redirect_uri",
    "client_sku", "platform_sequence", "onboarding_blob", "new_mobile_onboarding_flow",
    "bound_refresh_tokens", "user_federated_identity_credential",
  ]

  /// Parses "AuthenticatorOptions" of docs/c-interface.md.
  init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    querySchemes = try document.strings("query_schemes")
    clientAppName = try document.string("client_app_name")
    clientAppVersion = try document.string("client_app_version")
    sdkCapabilities = try document.strings("sdk_capabilities") ?? []
    intune = try document.intune()
    brokerClientID = try document.string("brk_client_id")
    brokerRedirectURI = try document.string("brk_redirect_uri")
    clientSKU = try document.string("client_sku")
    platformSequence = try document.string("platform_sequence")
    onboardingBlob = try document.string("onboarding_blob")
    usesNewMobileOnboarding = try document.bool("new_mobile_onboarding_flow") ?? false
    redeemsBoundRefreshTokens = try document.bool("bound_refresh_tokens") ?? false
    federatedCredential = try document.string("user_federated_identity_credential")
      .map { Secret($0) }
  }
}
