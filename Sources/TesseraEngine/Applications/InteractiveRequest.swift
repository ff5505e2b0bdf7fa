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

/// A request to sign in a user in a browser.
public struct InteractiveRequest: Sendable {
  /// The requested scopes.
  ///
  /// The library adds `openid`, `profile` and `offline_access`.
  public var scopes: [String]
  /// Scopes of other resources for which the user consents now, so that their tokens can be acquired later.
  public var extraScopesToConsent: [String] = []
  /// Whether to try a silent request first.
  ///
  /// The silent request is for ``homeAccountID``, or for the only account that matches ``loginHint``. The page is opened
  /// only if the silent request fails with the remedy ``Remedy/signIn``. `beginSignIn` ignores this property.
  public var triesSilentFirst = false
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
  /// The browser preferences of the application.
  public var browser = BrowserPreferences()
  /// The recipient of the redirect (host-driven sign-in).
  public var delivery = AnswerDelivery.host
  /// The only application that may open the redirect URI; `nil` for any (host-driven sign-in).
  public var sourceApplication: String?
  /// The options for Microsoft Authenticator, if it signs in the user instead of a page; `nil` for a page (host-driven
  /// sign-in on Apple platforms).
  public var authenticator: AuthenticatorOptions?
  /// The time within which a begun sign-in must be completed, in seconds from 1 to 86400 (host-driven sign-in).
  public var lifetimeSeconds: Int64 = 3600
  /// The timeout of the call in milliseconds; `nil` for one hour.
  public var timeoutMilliseconds: Int64?
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?

  /// Creates a request for scopes.
  public init(scopes: [String]) {
    self.scopes = scopes
  }

  /// Creates an ADAL-style request for all permissions that the application was granted for a resource (`/.default`).
  public init(resource: String) {
    self.init(scopes: [Scopes.defaultScope(at: resource)])
  }
}

/// The recipient of the redirect of a host-driven sign-in.
public enum AnswerDelivery: String, Sendable, Hashable, CaseIterable {
  /// The host application observes the redirect itself, as with a web view.
  case host
  /// The system opens the redirect URI.
  ///
  /// Its scheme must be registered, which is checked before any network access.
  case system
}

/// A begun sign-in, for a host application that opens the page itself.
public struct BegunSignIn: Sendable {
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
  public let expiresAt: Instant
  /// The redirect URI to which the provider sends the response.
  public let redirectURI: String
}

extension BegunSignIn: CustomStringConvertible, CustomReflectable {
  /// A description without the address and the state.
  ///
  /// The address of a broker contains the key of its response.
  public var description: String {
    "BegunSignIn(<redacted>, at: \(redirectURI), until: \(expiresAt))"
  }

  /// A mirror with the properties in ``description``.
  public var customMirror: Mirror {
    Mirror(self, children: ["redirectURI": redirectURI, "expiresAt": expiresAt])
  }
}

/// The response to a begun sign-in.
public struct RedirectResponse: Sendable {
  /// The ``BegunSignIn/state``.
  public var state: Secret
  /// The authorization response received at the redirect URI.
  public var response: RawAuthorizationResponse
  /// The application that opened the redirect URI, if the system reports it.
  public var sourceApplication: String?
  /// The timeout of the call in milliseconds; `nil` for none.
  public var timeoutMilliseconds: Int64?

  /// Creates the response to a sign-in.
  public init(state: Secret, response: RawAuthorizationResponse) {
    self.state = state
    self.response = response
  }
}
