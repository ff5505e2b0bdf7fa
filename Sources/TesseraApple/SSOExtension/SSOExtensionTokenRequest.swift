// SPDX-License-Identifier: MIT
// The token request to the single sign-on extension.

public import TesseraWire

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
public struct SSOExtensionTokenRequest: Sendable, Hashable {
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
  public var account = SSOExtensionAccountIdentifier()
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
  package var sentOn: Instant?
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

extension SSOExtensionTokenRequest {
  func write(to parameters: inout SSOExtensionParameters) throws(WireError) {
    try parameters.require("authority", authority)
    parameters.add("provider_type", provider.rawValue)
    try parameters.require("client_id", clientID)
    try parameters.require("redirect_uri", redirectURI)
    parameters.add("scope", Scopes(scopes).text)
    parameters.add("extra_oidc_scopes", Scopes(oidcScopes).text)
    account.write(to: &parameters)
    try writeScheme(to: &parameters)
    parameters.add("brk_client_id", brokerClientID)
    parameters.add("brk_redirect_uri", brokerRedirectURI)
    writeExtras(to: &parameters)
    parameters.add("instance_aware", isInstanceAware)
    parameters.add("skip_validate_result_account", acceptsOtherAccount)
    parameters.add("force_refresh", forcesRefresh)
    parameters.add("intune_enrollment_ids", intune.enrollmentIDsText)
    parameters.add("intune_mam_resource", intune.mamResourceText)
    parameters.add("client_capabilities", clientCapabilities.joined(separator: ","))
    parameters.add("claims", claims)
    parameters.add("nonce", nonce)
    parameters.add("account_home_tenant_id", homeTenantID)
    parameters.add("client_sku", clientSKU)
    parameters.add("x-ms-UserFederatedIdentityCredential", federatedCredential?.reveal())
    parameters.add("web_page_uri", webPageURI)
  }

  /// Adds the token type.
  ///
  /// Bearer tokens need no parameter.
  private func writeScheme(to parameters: inout SSOExtensionParameters) throws(WireError) {
    guard let tokenType = tokenType?.nonBlank, tokenType.normalised != "bearer" else { return }
    parameters.add("token_type", tokenType)
    try parameters.require("req_cnf", requestConfirmation)
  }

  private func writeExtras(to parameters: inout SSOExtensionParameters) {
    var form = FormFields()
    for (name, value) in extraQueryParameters.sorted(by: { $0.key < $1.key }) {
      form.add(name, evenIfBlank: value)
    }
    parameters.add("extra_query_param", form.encoded)
    // MSAL for Apple writes ten fractional digits, because its times are not whole seconds.
    parameters.add("request_sent_timestamp", sentOn.map { "\($0.secondsSince1970).0000000000" })
  }
}

/// The options of the extension's sign-in window (MSAL for Apple, `MSIDBrokerOperationInteractiveTokenRequest`).
public struct SSOExtensionInteractiveOptions: Sendable, Hashable {
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

  func write(to parameters: inout SSOExtensionParameters) {
    parameters.add("prompt", prompt)
    parameters.add("extra_consent_scopes", Scopes(extraScopesToConsent).text)
    parameters.add("onboardingBlob", onboardingBlob)
    if usesNewMobileOnboarding { parameters.add("new_mobile_onboarding_flow", true) }
  }
}
