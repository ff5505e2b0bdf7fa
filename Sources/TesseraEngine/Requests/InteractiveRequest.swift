// SPDX-License-Identifier: MIT
// Requests and results of sign-ins in a browser.

public import TesseraWire

/// The prompt on the provider's page (`prompt` in OpenID Connect Core 3.1.2.1).
///
/// The raw values are sent.
public enum SignInPromptType: String, Sendable, CaseIterable {
  /// Account selection, even if only one account is signed in.
  case selectAccount = "select_account"
  /// Reauthentication, even if the user is signed in.
  case login
  /// Consent, even if it was given before.
  case consent
  /// Creation of a new account.
  case create
  /// No user interaction.
  ///
  /// The page redirects at once, with an error if interaction is required.
  case none
}

/// The parameters of a sign-in on the provider's page that ``InteractiveRequest`` and ``SignInRequest`` have in common.
///
/// They are also members of both requests: `request.loginHint` is `request.options.loginHint`.
public struct AuthorizationOptions: Sendable, Hashable, TracedRequest {
  /// The requested scopes.
  ///
  /// The library adds `openid`, `profile` and `offline_access`.
  public var scopes: [String]
  /// Scopes of other resources for which the user consents now, so that their tokens can be acquired later.
  public var extraScopesToConsent: [String] = []
  /// The authority; `nil` for the one of the configuration.
  public var authority: String?
  /// The account that must sign in; `nil` for any account.
  public var homeAccountID: String?
  /// Whether the user may sign in with a different account than ``homeAccountID``, as MSAL for Apple allows.
  public var acceptsOtherAccount = false
  /// The user name to fill in on the page; by default that of the account, if it is known.
  public var loginHint: String?
  /// The domain of the user's organization.
  ///
  /// Entra then opens the sign-in page of the organization at once.
  public var domainHint: String?
  /// The preferred languages of the page, as BCP 47 tags separated by spaces (OpenID Connect Core 3.1.2.1).
  public var uiLocales: String?
  /// The prompt on the page; `nil` for the provider's default.
  public var prompt: SignInPromptType?
  /// A claims challenge, as JSON text.
  public var claims: String?
  /// Additional query parameters of the authorization request.
  public var extraQueryParameters: [String: String] = [:]
  /// Additional form fields for the token request, also for that of a silent attempt.
  ///
  /// They override the fields of the configuration.
  public var extraTokenParameters: [String: String] = [:]
  /// The response mode of the authorization request.
  public var responseMode = ResponseMode.query
  /// The timeout of the call; `nil` for one hour for an interactive call, none for the beginning of a sign-in.
  public var timeout: Duration?
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?
  /// The `traceparent` of the call's span (W3C Trace Context level 1); `nil` for none.
  ///
  /// It is sent unchanged to the provider, in every request of the call.
  public var traceparent: String?
  /// The `tracestate` of the trace; `nil` for none.
  ///
  /// It requires ``traceparent``.
  public var tracestate: String?

  /// Creates the parameters of a sign-in for scopes.
  public init(
    scopes: [String], extraScopesToConsent: [String] = [], authority: String? = nil,
    homeAccountID: String? = nil, acceptsOtherAccount: Bool = false, loginHint: String? = nil,
    domainHint: String? = nil, prompt: SignInPromptType? = nil, claims: String? = nil,
    extraQueryParameters: [String: String] = [:], extraTokenParameters: [String: String] = [:],
    responseMode: ResponseMode = .query, timeout: Duration? = nil, correlationID: String? = nil
  ) {
    self.scopes = scopes
    self.extraScopesToConsent = extraScopesToConsent
    self.authority = authority
    self.homeAccountID = homeAccountID
    self.acceptsOtherAccount = acceptsOtherAccount
    self.loginHint = loginHint
    self.domainHint = domainHint
    self.prompt = prompt
    self.claims = claims
    self.extraQueryParameters = extraQueryParameters
    self.extraTokenParameters = extraTokenParameters
    self.responseMode = responseMode
    self.timeout = timeout
    self.correlationID = correlationID
  }
}

/// A request to sign in a user in a browser that the library opens, for
/// ``PublicClientApplication/acquireTokenInteractive(_:prompt:)``.
@dynamicMemberLookup
public struct InteractiveRequest: Sendable {
  /// The parameters of the sign-in.
  public var options: AuthorizationOptions
  /// Whether to try a silent request first.
  ///
  /// The silent request is for ``AuthorizationOptions/homeAccountID``, or for the only account that matches
  /// ``AuthorizationOptions/loginHint``. The page is opened only if the silent request fails with the remedy
  /// ``TesseraError/Remedy/signIn``.
  public var triesSilentFirst: Bool
  /// The browser preferences of the application.
  public var browser: BrowserPreferences

  /// Creates a request with the parameters of a sign-in.
  public init(
    _ options: AuthorizationOptions, triesSilentFirst: Bool = false,
    browser: BrowserPreferences = BrowserPreferences()
  ) {
    self.options = options
    self.triesSilentFirst = triesSilentFirst
    self.browser = browser
  }

  /// Creates a request for scopes.
  public init(
    scopes: [String], triesSilentFirst: Bool = false,
    browser: BrowserPreferences = BrowserPreferences()
  ) {
    self.init(
      AuthorizationOptions(scopes: scopes), triesSilentFirst: triesSilentFirst, browser: browser)
  }

  /// Creates an ADAL-style request for all permissions that the application was granted for a resource (`/.default`).
  public init(resource: String) {
    self.init(scopes: [Scopes.defaultScope(at: resource)])
  }

  /// A parameter of ``options``.
  public subscript<Value>(
    dynamicMember keyPath: WritableKeyPath<AuthorizationOptions, Value>
  ) -> Value {
    get { options[keyPath: keyPath] }
    set { options[keyPath: keyPath] = newValue }
  }
}

/// A request to begin a sign-in on a page that the host application opens, for
/// ``PublicClientApplication/beginSignIn(_:)``.
@dynamicMemberLookup
public struct SignInRequest: Sendable {
  /// The recipient of the redirect.
  public enum Delivery: String, Sendable, Hashable, CaseIterable {
    /// The host application observes the redirect itself, as with a web view.
    case host
    /// The system opens the redirect URI.
    ///
    /// Its scheme must be registered, which is checked before any network access.
    case system
  }

  /// The parameters of the sign-in.
  public var options: AuthorizationOptions
  /// The recipient of the redirect.
  public var delivery: Delivery
  /// The only application that may open the redirect URI; `nil` for any.
  public var sourceApplication: String?
  /// The options for Microsoft Authenticator, if it signs in the user instead of a page; `nil` for a page.
  ///
  /// Apple platforms only.
  public var authenticator: AuthenticatorOptions?
  /// The time within which the sign-in must be completed, from 1 to 86,400 seconds.
  public var lifetime: Duration

  /// Creates a request with the parameters of a sign-in.
  public init(
    _ options: AuthorizationOptions, delivery: Delivery = .host, sourceApplication: String? = nil,
    authenticator: AuthenticatorOptions? = nil, lifetime: Duration = .seconds(3600)
  ) {
    self.options = options
    self.delivery = delivery
    self.sourceApplication = sourceApplication
    self.authenticator = authenticator
    self.lifetime = lifetime
  }

  /// Creates a request for scopes.
  public init(
    scopes: [String], delivery: Delivery = .host, sourceApplication: String? = nil,
    authenticator: AuthenticatorOptions? = nil, lifetime: Duration = .seconds(3600)
  ) {
    self.init(
      AuthorizationOptions(scopes: scopes), delivery: delivery,
      sourceApplication: sourceApplication, authenticator: authenticator, lifetime: lifetime)
  }

  /// A parameter of ``options``.
  public subscript<Value>(
    dynamicMember keyPath: WritableKeyPath<AuthorizationOptions, Value>
  ) -> Value {
    get { options[keyPath: keyPath] }
    set { options[keyPath: keyPath] = newValue }
  }
}

/// A sign-in in progress, for a host application that opens the page itself.
public struct SignInSession: Sendable {
  /// The address of the provider's page, for a browser or a web view.
  ///
  /// The address of a broker contains the key of its response.
  public let url: String
  /// The state of the sign-in, to pass to ``PublicClientApplication/completeSignIn(_:cancellation:)``; opaque, for one use.
  ///
  /// It is encrypted with a key of the store. You can keep it anywhere, and complete the sign-in in any process that shares
  /// the store.
  public let state: Secret
  /// The time until which the sign-in must be completed.
  package let expiresOn: Instant
  /// The redirect URI to which the provider sends the response.
  public let redirectURI: String

  package init(url: String, state: Secret, expiresOn: Instant, redirectURI: String) {
    self.url = url
    self.state = state
    self.expiresOn = expiresOn
    self.redirectURI = redirectURI
  }
}

extension SignInSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description without the address and the state.
  ///
  /// The address of a broker contains the key of its response.
  public var description: String {
    "SignInSession(<redacted>, at: \(redirectURI), until: \(expiresOn))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror with the properties in ``description``.
  public var customMirror: Mirror {
    Mirror(self, children: ["redirectURI": redirectURI, "expiresAt": expiresOn.description])
  }
}

/// The response to a sign-in in progress.
public struct RedirectResponse: Sendable {
  /// The ``SignInSession/state``.
  public var state: Secret
  /// The authorization response received at the redirect URI.
  public var response: RawAuthorizationResponse
  /// The application that opened the redirect URI, if the system reports it.
  public var sourceApplication: String?
  /// The timeout of the call; `nil` for none.
  public var timeout: Duration?

  /// Creates the response to a sign-in.
  public init(
    state: Secret, response: RawAuthorizationResponse, sourceApplication: String? = nil,
    timeout: Duration? = nil
  ) {
    self.state = state
    self.response = response
    self.sourceApplication = sourceApplication
    self.timeout = timeout
  }
}
