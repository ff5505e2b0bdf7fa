// SPDX-License-Identifier: MIT
// Parsing of token requests to the single sign-on extension, from applications and from web pages.

import TesseraEngine
import TesseraWire

extension SSOExtensionAccountIdentifier {
  /// Reads the account of a request.
  ///
  /// Both members may be absent. Operations that require an account reject such a value later.
  init(_ document: RequestDocument) throws(TesseraError) {
    self.init(
      homeAccountID: try document.string("home_account_id"),
      username: try document.string("username"))
  }
}

extension SSOExtensionTokenRequest {
  static let members = [
    "authority", "provider_type", "client_id", "redirect_uri", "scopes", "extra_oidc_scopes",
    "home_account_id", "username", "token_type", "req_cnf", "brk_client_id", "brk_redirect_uri",
    "extra_query_parameters", "instance_aware", "intune_enrollment_ids", "intune_mam_resource",
    "client_capabilities", "claims", "request_sent_on", "nonce", "account_home_tenant_id",
    "client_sku", "accept_other_account", "force_refresh",
    "user_federated_identity_credential", "web_page_uri",
  ]

  init(_ document: RequestDocument) throws(TesseraError) {
    self.init(
      authority: try document.requiredString("authority"),
      clientID: try document.requiredString("client_id"),
      redirectURI: try document.requiredString("redirect_uri"),
      scopes: try document.requiredStrings("scopes"))
    if let value = try document.choice("provider_type", SSOExtensionProvider.self) {
      provider = value
    }
    if let value = try document.strings("extra_oidc_scopes") { oidcScopes = value }
    account = try SSOExtensionAccountIdentifier(document)
    tokenType = try document.string("token_type")
    requestConfirmation = try document.string("req_cnf")
    brokerClientID = try document.string("brk_client_id")
    brokerRedirectURI = try document.string("brk_redirect_uri")
    isInstanceAware = try document.bool("instance_aware") ?? false
    intune = try document.intune()
    try readExtras(document)
  }

  private mutating func readExtras(_ document: RequestDocument) throws(TesseraError) {
    extraQueryParameters = try document.stringDictionary("extra_query_parameters") ?? [:]
    clientCapabilities = try document.strings("client_capabilities") ?? []
    claims = try document.string("claims")
    sentOn = try document.count("request_sent_on").map(Instant.init(secondsSince1970:))
    nonce = try document.string("nonce")
    homeTenantID = try document.string("account_home_tenant_id")
    clientSKU = try document.string("client_sku")
    acceptsOtherAccount = try document.bool("accept_other_account") ?? false
    forcesRefresh = try document.bool("force_refresh") ?? false
    federatedCredential = try document.string("user_federated_identity_credential")
      .map(Secret.init)
    webPageURI = try document.string("web_page_uri")
  }
}

extension SSOExtensionInteractiveOptions {
  static let members = [
    "prompt", "extra_scopes_to_consent", "onboarding_blob", "new_mobile_onboarding_flow",
  ]

  init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    prompt = try document.string("prompt")
    extraScopesToConsent = try document.strings("extra_scopes_to_consent") ?? []
    onboardingBlob = try document.string("onboarding_blob")
    usesNewMobileOnboarding = try document.bool("new_mobile_onboarding_flow") ?? false
  }
}

extension BrowserProcess {
  static let members = [
    "parent_process_team_id", "parent_process_bundle_identifier", "parent_process_localized_name",
  ]

  init(_ document: RequestDocument) throws(TesseraError) {
    self.init(
      teamID: try document.string("parent_process_team_id"),
      bundleID: try document.string("parent_process_bundle_identifier"),
      name: try document.string("parent_process_localized_name"))
  }
}

extension BrowserMessage {
  static let members = [
    "method", "sender", "uri", "client_id", "scopes", "redirect_uri", "authority",
    "home_account_id", "login_hint", "prompt", "nonce", "state", "claims", "token_type", "req_cnf",
    "extra_parameters", "is_sts", "instance_aware", "can_show_ui",
  ]

  init(_ document: RequestDocument) throws(TesseraError) {
    let sender = try document.requiredString("sender")
    let method: Method
    switch try document.requiredString("method") {
    case "GetToken": method = .getToken(try BrowserTokenRequest(document))
    case "GetCookies": method = .getCookies(uri: try document.requiredString("uri"))
    case "SignOut":
      method = .signOut(
        homeAccountID: try document.requiredString("home_account_id"),
        correlationID: try document.string("correlation_id"))
    case "GetSupportedContracts": method = .getSupportedContracts
    default:
      throw TesseraError(
        .fixRequest, .invalidMember,
        "\"method\" must be one of \"GetToken\", \"GetCookies\", \"SignOut\", \"GetSupportedContracts\"."
      )
    }
    self.init(method, from: sender)
  }
}

extension BrowserTokenRequest {
  init(_ document: RequestDocument) throws(TesseraError) {
    self.init(
      clientID: try document.requiredString("client_id"),
      scopes: try document.requiredStrings("scopes"),
      redirectURI: try document.requiredString("redirect_uri"))
    authority = try document.string("authority")
    homeAccountID = try document.string("home_account_id")
    loginHint = try document.string("login_hint")
    prompt = try document.string("prompt")
    nonce = try document.string("nonce")
    state = try document.string("state")
    claims = try document.string("claims")
    tokenType = try document.string("token_type")
    requestConfirmation = try document.string("req_cnf")
    correlationID = try document.string("correlation_id")
    extraParameters = try document.stringDictionary("extra_parameters") ?? [:]
    isSTS = try document.bool("is_sts") ?? false
    isInstanceAware = try document.bool("instance_aware") ?? false
    canShowUI = try document.bool("can_show_ui") ?? true
  }
}
