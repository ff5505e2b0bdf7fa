// SPDX-License-Identifier: MIT
// The serialization of a Microsoft Authenticator request; the only place that contains its parameter names.

package import TesseraWire

extension AuthenticatorRequest {
  /// The parameters (MSAL for Apple, `MSIDBrokerTokenRequest` and `MSIDDefaultBrokerTokenRequest`).
  package var fields: FormFields {
    var form = FormFields()
    addIdentity(to: &form)
    addAccount(to: &form)
    addApplication(to: &form)
    for name in ["token_type", "req_cnf", "key_id"] { add(name, schemeParameters[name], to: &form) }
    return form
  }

  private func addIdentity(to form: inout FormFields) {
    add("authority", authority, to: &form)
    add("client_id", clientID, to: &form)
    add("redirect_uri", redirectURI, to: &form)
    add("correlation_id", correlationID.uppercased(), to: &form)
    add("broker_key", key.text.reveal(), to: &form)
    add("broker_nonce", nonce.reveal(), to: &form)
    add("msg_protocol_ver", AuthenticatorRequest.version, to: &form)
    add("scope", scopes.text, to: &form)
    add("extra_oidc_scopes", extraOIDCScopes.text, to: &form)
    add("extra_consent_scopes", extraConsentScopes.text, to: &form)
    // Brokers decode this value twice, so it is encoded here and again with all other values.
    add("claims", claims.map(FormFields.escape), to: &form)
    add("client_capabilities", clientCapabilities.joined(separator: ","), to: &form)
    add("extra_query_param", extraQueryText, to: &form)
    add("application_token", applicationToken?.reveal(), to: &form)
  }

  private func addAccount(to form: inout FormFields) {
    add("home_account_id", homeAccountID, to: &form)
    add("username", username, to: &form)
    add("login_hint", loginHint, to: &form)
    add("prompt", prompt, to: &form)
    add("skip_validate_result_account", acceptsOtherAccount ? "YES" : "NO", to: &form)
    add(
      "x-ms-UserFederatedIdentityCredential", options.federatedCredential?.reveal(), to: &form)
  }

  private func addApplication(to form: inout FormFields) {
    add("client_version", clientVersion, to: &form)
    add("client_app_name", options.clientAppName, to: &form)
    add("client_app_version", options.clientAppVersion, to: &form)
    add("client_sku", options.clientSKU, to: &form)
    add("x-client-xtra-sku", options.platformSequence, to: &form)
    add(
      "sdk_broker_capabilities", options.sdkCapabilities.joined(separator: ","), to: &form)
    add("intune_enrollment_ids", options.intune.enrollmentIDsText, to: &form)
    add("intune_mam_resource", options.intune.mamResourceText, to: &form)
    add("brk_client_id", options.brokerClientID, to: &form)
    add("brk_redirect_uri", options.brokerRedirectURI, to: &form)
    add("onboardingBlob", options.onboardingBlob, to: &form)
    add("new_mobile_onboarding_flow", options.usesNewMobileOnboarding ? "1" : nil, to: &form)
    add("bound_rt_redeem", options.redeemsBoundRefreshTokens ? "1" : nil, to: &form)
  }

  /// The extra query parameters, encoded as one value.
  private var extraQueryText: String {
    var extra = extraQuery
    if isInstanceAware { extra["instance_aware"] = "true" }
    var form = FormFields()
    for (name, value) in extra.sorted(by: { $0.key < $1.key }) {
      form.add(name.trimmed, evenIfBlank: value.trimmed)
    }
    return form.encoded
  }

  private func add(_ name: String, _ value: String?, to form: inout FormFields) {
    form.add(name, value?.trimmed)
  }
}
