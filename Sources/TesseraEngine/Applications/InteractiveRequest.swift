// SPDX-License-Identifier: MIT
// What a program asks for when a person signs in in a browser, and what it keeps while it waits.

public import TesseraWire

/// What the provider's page is to ask a person (OpenID Connect Core 3.1.2.1), in the words that are sent.
public enum SignInPromptType: String, Sendable, CaseIterable {
  /// Which account, also where only one is signed in.
  case selectAccount = "select_account"
  /// The proof of who they are, also where they are signed in.
  case login
  /// Whether they consent, also where they have.
  case consent
  /// A new account.
  case create
  /// Nothing: the page answers at once, and with an error where it would have to ask.
  case none
}

/// A request to sign a person in in a browser.
public struct InteractiveRequest: Sendable {
  /// The scopes to ask for.
  ///
  /// `openid`, `profile` and `offline_access` are added by the library.
  public var scopes: [String]
  /// Scopes to consent to now, for tokens of other resources later.
  public var extraScopesToConsent: [String] = []
  /// Whether to ask for a token without the person first, of ``homeAccountID``, or of the only account that fits
  /// ``loginHint``; the page is opened only if that fails with the remedy ``Remedy/signIn`` (one call, no `begin`).
  public var triesSilentFirst = false
  /// The authority; nil for that of the configuration.
  public var authority: String?
  /// The account that is to sign in; nil for anybody.
  public var homeAccountID: String?
  /// Whether somebody else may sign in than ``homeAccountID``; MSAL for Apple lets them.
  public var acceptsOtherAccount = false
  /// The name to fill in on the page; that of the account where it is known.
  public var loginHint: String?
  /// The domain of the person's organization, whose page Entra then shows at once.
  public var domainHint: String?
  /// What the page is to ask; nil leaves it to the provider.
  public var prompt: SignInPromptType?
  /// A claims challenge, as JSON text.
  public var claims: String?
  /// Fields that are added to the address of the page.
  public var extraQueryParameters: [String: String] = [:]
  /// Fields that are added to the body of the request that redeems the answer, and to that of a silent attempt; they win
  /// over the configuration's.
  public var extraTokenParameters: [String: String] = [:]
  /// How the answer comes to the redirect URI.
  public var responseMode = ResponseMode.query
  /// What the program prefers about the browser.
  public var browser = BrowserPreferences()
  /// Who brings the answer (host-driven sign-in).
  public var delivery = AnswerDelivery.host
  /// The program that will open the redirect URI, if only that one may (host-driven sign-in).
  public var sourceApplication: String?
  /// What to tell Microsoft Authenticator, if that is to sign the person in instead of a page (host-driven sign-in on
  /// Apple's systems); nil for a page.
  public var authenticator: AuthenticatorOptions?
  /// Seconds within which a sign-in that was begun must be completed, from 1 to 86400 (host-driven sign-in).
  public var lifetimeSeconds: Int64 = 3600
  /// Milliseconds until the call gives up; nil for an hour.
  public var timeoutMilliseconds: Int64?
  /// An identifier for the server's log; nil for a new one.
  public var correlationID: String?

  /// A request for scopes.
  public init(scopes: [String]) {
    self.scopes = scopes
  }

  /// A request for everything that the application was granted at a resource, as ADAL asked for tokens.
  public init(resource: String) {
    self.init(scopes: [Scopes.everything(at: resource)])
  }
}

/// Who brings the answer of a host-driven sign-in to the program.
public enum AnswerDelivery: String, Sendable, Hashable, CaseIterable {
  /// The host sees itself where its page goes, as a web view does.
  case host
  /// The system opens the redirect URI: its scheme must be registered, which is checked before any network.
  case system
}

/// A sign-in that was begun, for a host that opens the page itself.
public struct BegunSignIn: Sendable {
  /// The address of the provider's page, for a browser or a web view; that of a broker has the key of its answer in it.
  public let url: String
  /// What ``PublicClientApplication/completeSignIn(_:cancellation:)`` needs: opaque, and good for one sign-in.
  ///
  /// Sealed with a key of the store: keep it wherever you like, and complete the sign-in in any process that shares the
  /// store.
  public let state: Secret
  /// Until when it is good.
  public let expiresAt: Instant
  /// Where the answer will come.
  public let redirectURI: String
}

extension BegunSignIn: CustomStringConvertible, CustomReflectable {
  /// Without the address and the state: a broker's address has the key of its answer.
  public var description: String {
    "BegunSignIn(<redacted>, at: \(redirectURI), until: \(expiresAt))"
  }

  /// What ``description`` shows.
  public var customMirror: Mirror {
    Mirror(self, children: ["redirectURI": redirectURI, "expiresAt": expiresAt])
  }
}

/// What came back from the page of a sign-in that was begun.
public struct RedirectResponse: Sendable {
  /// The ``BegunSignIn/state``.
  public var state: Secret
  /// What came to the redirect URI.
  public var answer: AuthorizationAnswer
  /// The program that opened the redirect URI, where the system tells.
  public var sourceApplication: String?
  /// Milliseconds until the call gives up; nil for none.
  public var timeoutMilliseconds: Int64?

  /// The answer to a sign-in.
  public init(state: Secret, answer: AuthorizationAnswer) {
    self.state = state
    self.answer = answer
  }
}
