// SPDX-License-Identifier: MIT
// The token request to the single sign-on extension.

/// The kind of authority (`provider_type`).
public enum SSOExtensionProvider: String, Sendable, Hashable, CaseIterable {  // allowed: as in MSAL
  /// Entra, with the v1.0 endpoints that ADAL used.
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

/// A token request (MSAL for Apple, `MSIDBrokerOperationTokenRequest`).
public struct SSOExtensionTokens: Sendable, Hashable {
  /// The authority URL.
  public var authority: String
  /// The kind of authority.
  public var provider = SSOExtensionProvider.entra
  /// The client ID of the application.
  public var clientID: String
  /// The registered redirect URI.
  public var redirectURI: String
  /// The requested scopes.
  public var scopes: [String]
  /// The OpenID Connect scopes that every sign-in requests.
  public var oidcScopes = ["openid", "profile", "offline_access"]
  /// The account, which ``SSOExtensionAction/refresh(_:)`` requires.
  public var person = SSOExtensionPerson()
  /// `Pop` or `ssh-cert` for a token that is bound to a key; nil for a bearer token.
  public var tokenType: String?
  /// The confirmation of the key that the token is bound to (`req_cnf`).
  public var requestConfirmation: String?
  /// The client ID of the host application, for nested app authentication (`brk_client_id`).
  public var brokerClientID: String?
  /// The redirect URI of the host application (`brk_redirect_uri`).
  public var brokerRedirectURI: String?
  /// Additional query parameters for the sign-in page.
  public var extraQueryParameters: [String: String] = [:]
  /// Whether an account of another cloud may sign in.
  public var isInstanceAware = false
  /// The application's state in Intune app protection.
  public var intune = IntuneState()
  /// The client capabilities of the application, such as `CP1`.
  public var clientCapabilities: [String] = []
  /// The `claims` parameter, as JSON text.
  public var claims: String?
  /// The time at which the request is sent, on this machine's wall clock; nil omits it.
  public var sentAt: Instant?
  /// The expected `nonce` of the ID token.
  public var nonce: String?
  /// The home tenant ID of the account.
  public var homeTenantID: String?
  /// The name of the library, such as `MSAL.iOS` (`client_sku`).
  public var clientSKU: String?
  /// Whether the tokens of a different account than the requested one are accepted.
  public var acceptsOtherAccount = false
  /// Whether the broker must skip its cache.
  public var forcesRefresh = false
  /// A federated credential of the user, issued by another provider (`x-ms-UserFederatedIdentityCredential`).
  public var federatedCredential: Secret?
  /// The URL of the web page that requests the token, for a browser (`web_page_uri`).
  public var webPageURI: String?

  /// Creates a token request.
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

  /// Adds the token type.
  ///
  /// Bearer tokens need no parameter.
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
    // MSAL for Apple writes ten fractional digits, because its times are not whole seconds.
    texts.add("request_sent_timestamp", sentAt.map { "\($0.secondsSince1970).0000000000" })
  }
}

/// The options of the extension's sign-in window (MSAL for Apple, `MSIDBrokerOperationInteractiveTokenRequest`).
public struct SSOExtensionPage: Sendable, Hashable {
  /// `login`, `consent`, `create`, `select_account`, `refresh_session` or `none`; nil leaves the choice to the server.
  public var prompt: String?
  /// Additional scopes to request consent for.
  public var extraScopesToConsent: [String] = []
  /// The data about the device's onboarding, as JSON text.
  public var onboardingBlob: String?
  /// Whether the application supports the newer device enrollment (`new_mobile_onboarding_flow`).
  public var usesNewMobileOnboarding = false

  /// Creates options with the default values.
  public init() {}

  func write(to texts: inout SSOExtensionTexts) {
    texts.add("prompt", prompt)
    texts.add("extra_consent_scopes", Scopes(extraScopesToConsent).text)
    texts.add("onboardingBlob", onboardingBlob)
    if usesNewMobileOnboarding { texts.add("new_mobile_onboarding_flow", true) }
  }
}
