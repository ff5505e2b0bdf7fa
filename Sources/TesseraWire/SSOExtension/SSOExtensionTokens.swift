// SPDX-License-Identifier: MIT
// What a request for tokens says to the single sign-on extension.

/// The kind of authority that the extension is to ask (`provider_type`).
public enum SSOExtensionProvider: String, Sendable, Hashable, CaseIterable {  // allowed: as in MSAL
  /// Entra by its first endpoints, as ADAL used them.
  case entraV1 = "provider_aad_v1"
  /// Entra.
  case entra = "provider_aad_v2"
  /// Azure AD B2C.
  case b2c = "provider_b2c"
  /// Entra External ID.
  case ciam = "provider_ciam"
  /// AD FS.
  case adfs = "provider_adfs"
}

/// A request for tokens (MSAL for Apple, `MSIDBrokerOperationTokenRequest`).
public struct SSOExtensionTokens: Sendable, Hashable {
  /// The address of the authority.
  public var authority: String
  /// The kind of the authority.
  public var provider = SSOExtensionProvider.entra
  /// The application.
  public var clientID: String
  /// Where the answer of a sign-in comes to, as it is registered.
  public var redirectURI: String
  /// The scopes that are wanted.
  public var scopes: [String]
  /// The scopes that every sign-in gets.
  public var oidcScopes = ["openid", "profile", "offline_access"]
  /// The account that is wanted; ``SSOExtensionAction/refresh(_:)`` must have one.
  public var person = SSOExtensionPerson()
  /// `Pop` or `ssh-cert` for a token that is bound to a key; nil for bearer.
  public var tokenType: String?
  /// What the token is bound to (`req_cnf`).
  public var requestConfirmation: String?
  /// The application inside which this one runs (nested app authentication, `brk_client_id`).
  public var brokerClientID: String?
  /// The redirect URI of that application (`brk_redirect_uri`).
  public var brokerRedirectURI: String?
  /// What is added to the query of the page.
  public var extraQueryParameters: [String: String] = [:]
  /// Whether the person may belong to another cloud than the authority.
  public var isInstanceAware = false
  /// What Intune has told the program.
  public var intune = IntuneState()
  /// What the application can do with the answer of a resource, such as `CP1`.
  public var clientCapabilities: [String] = []
  /// A `claims` parameter, as JSON text.
  public var claims: String?
  /// When the request is sent, by the wall clock of this machine; nil leaves it out.
  public var sentAt: Instant?
  /// What the ID token must have as its `nonce`.
  public var nonce: String?
  /// The tenant that the account is at home in.
  public var homeTenantID: String?
  /// The library's name, such as `MSAL.iOS` (`client_sku`).
  public var clientSKU: String?
  /// Whether the tokens of another account than the one that was asked for are welcome.
  public var acceptsOtherAccount = false
  /// Whether the broker must not answer from its cache.
  public var forcesRefresh = false
  /// What a workload says of the person it works for (`x-ms-UserFederatedIdentityCredential`).
  public var federatedCredential: Secret?
  /// The address of the page that asks, for a browser (`web_page_uri`).
  public var webPageURI: String?

  /// A request for tokens of an application.
  public init(authority: String, clientID: String, redirectURI: String, scopes: [String]) {
    self.authority = authority
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scopes = scopes
  }
}

extension SSOExtensionTokens {
  func write(to texts: inout SSOExtensionTexts) throws(WireError) {
    try texts.require("authority", authority)
    texts.add("provider_type", provider.rawValue)
    try texts.require("client_id", clientID)
    try texts.require("redirect_uri", redirectURI)
    texts.add("scope", Scopes(scopes).text)
    texts.add("extra_oidc_scopes", Scopes(oidcScopes).text)
    person.write(to: &texts)
    try writeScheme(to: &texts)
    texts.add("brk_client_id", brokerClientID)
    texts.add("brk_redirect_uri", brokerRedirectURI)
    writeExtras(to: &texts)
    texts.add("instance_aware", isInstanceAware)
    texts.add("skip_validate_result_account", acceptsOtherAccount)
    texts.add("force_refresh", forcesRefresh)
    texts.add("intune_enrollment_ids", intune.enrollmentIDsText)
    texts.add("intune_mam_resource", intune.mamResourceText)
    texts.add("client_capabilities", clientCapabilities.joined(separator: ","))
    texts.add("claims", claims)
    texts.add("nonce", nonce)
    texts.add("account_home_tenant_id", homeTenantID)
    texts.add("client_sku", clientSKU)
    texts.add("x-ms-UserFederatedIdentityCredential", federatedCredential?.reveal())
    texts.add("web_page_uri", webPageURI)
  }

  /// Bearer is the absence of a scheme.
  private func writeScheme(to texts: inout SSOExtensionTexts) throws(WireError) {
    guard let tokenType = tokenType?.nonBlank, tokenType.normalised != "bearer" else { return }
    texts.add("token_type", tokenType)
    try texts.require("req_cnf", requestConfirmation)
  }

  private func writeExtras(to texts: inout SSOExtensionTexts) {
    var form = FormFields()
    for (name, value) in extraQueryParameters.sorted(by: { $0.key < $1.key }) {
      form.add(name, evenIfBlank: value)
    }
    texts.add("extra_query_param", form.encoded)
    // MSAL for Apple writes ten digits after the point; it has no whole seconds.
    texts.add("request_sent_timestamp", sentAt.map { "\($0.secondsSince1970).0000000000" })
  }
}

/// What the extension's page is told besides (MSAL for Apple, `MSIDBrokerOperationInteractiveTokenRequest`).
public struct SSOExtensionPage: Sendable, Hashable {
  /// `login`, `consent`, `create`, `select_account`, `refresh_session` or `none`; nil leaves it to the server.
  public var prompt: String?
  /// Scopes that the person is asked to consent to besides.
  public var extraScopesToConsent: [String] = []
  /// What the onboarding of the device has noted, as JSON text.
  public var onboardingBlob: String?
  /// Whether the program knows the newer way to enrol a device (`new_mobile_onboarding_flow`).
  public var usesNewMobileOnboarding = false

  /// A page that asks for what is needed.
  public init() {}

  func write(to texts: inout SSOExtensionTexts) {
    texts.add("prompt", prompt)
    texts.add("extra_consent_scopes", Scopes(extraScopesToConsent).text)
    texts.add("onboardingBlob", onboardingBlob)
    if usesNewMobileOnboarding { texts.add("new_mobile_onboarding_flow", true) }
  }
}
