// SPDX-License-Identifier: MIT
// The request of a sign-out.

/// The scope of a sign-out.
public enum SignOutScope: String, Sendable, CaseIterable {
  /// This application.
  ///
  /// Others keep their tokens (MSAL for Apple: `removeAccount`).
  case application
  /// All applications that share the store (MSAL for Apple: `wipeAccount`).
  case everyApplication = "every_application"
  /// All accounts of all applications: the store is emptied (MSAL for Apple: `wipeCacheForAllAccounts`).
  case machine
}

/// A request to sign out one account, or all accounts.
public struct SignOutRequest: Sendable, Hashable, TracedRequest {
  /// The account; `nil` to identify it by ``homeAccountID`` or ``username``.
  public var account: Account?
  /// The ``Account/homeAccountID`` of the account.
  ///
  /// Leave it out for ``SignOutScope/machine``.
  public var homeAccountID: String?
  /// The ``Account/username`` of an account without an ID.
  public var username: String?
  /// The ``Account/environment`` of the account.
  ///
  /// Set it if several providers use the same account ID.
  public var environment: String?
  /// The scope of the sign-out.
  public var scope = SignOutScope.application
  /// Whether to revoke the refresh tokens at the provider (RFC 7009) after the local removal.
  public var revokesTokens = false
  /// Whether to return the URL that ends the browser session.
  public var wantsEndSessionURL = false
  /// The URL to which the provider redirects the browser afterwards.
  ///
  /// It must be registered with the provider.
  public var postLogoutRedirectURI: String?
  /// Whether to remove the account from the identity broker of this machine, for this application.
  ///
  /// With ``SignOutScope/machine``, all accounts of this application are removed from the broker.
  public var fromBroker = false
  /// The authority to contact; `nil` for the configured one.
  public var authority: String?
  /// The timeout; `nil` for the limits of the store and the network settings.
  ///
  /// Before the local removal, a timeout is an error and nothing is removed. Afterwards, the remaining requests to the
  /// provider are skipped.
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

  /// Creates a request to sign out an account, by default of this application.
  public init(
    account: Account, scope: SignOutScope = .application, revokesTokens: Bool = false,
    wantsEndSessionURL: Bool = false, postLogoutRedirectURI: String? = nil,
    fromBroker: Bool = false, authority: String? = nil, timeout: Duration? = nil,
    correlationID: String? = nil
  ) {
    self.init(
      scope: scope, revokesTokens: revokesTokens, wantsEndSessionURL: wantsEndSessionURL,
      postLogoutRedirectURI: postLogoutRedirectURI, fromBroker: fromBroker, authority: authority,
      timeout: timeout, correlationID: correlationID)
    self.account = account
  }

  /// Creates a request to sign out the account with an identifier or a user name, or all accounts without either.
  public init(
    homeAccountID: String? = nil, username: String? = nil, environment: String? = nil,
    scope: SignOutScope = .application, revokesTokens: Bool = false,
    wantsEndSessionURL: Bool = false, postLogoutRedirectURI: String? = nil,
    fromBroker: Bool = false, authority: String? = nil, timeout: Duration? = nil,
    correlationID: String? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.environment = environment
    self.scope = scope
    self.revokesTokens = revokesTokens
    self.wantsEndSessionURL = wantsEndSessionURL
    self.postLogoutRedirectURI = postLogoutRedirectURI
    self.fromBroker = fromBroker
    self.authority = authority
    self.timeout = timeout
    self.correlationID = correlationID
  }
}
