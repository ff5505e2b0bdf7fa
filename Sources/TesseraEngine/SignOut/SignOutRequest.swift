// SPDX-License-Identifier: MIT
// What a program asks for when it signs somebody out.

/// Of what an account signs out.
public enum SignOutScope: String, Sendable, CaseIterable {
  /// This application: the others keep their tokens (MSAL for Apple: `removeAccount`).
  case application
  /// Every application that shares the store (MSAL for Apple: `wipeAccount`).
  case everyApplication = "every_application"
  /// Every account of every application: the store is emptied (MSAL for Apple: `wipeCacheForAllAccounts`).
  case machine
}

/// A request to sign somebody out.
public struct SignOutRequest: Sendable, Hashable {
  /// The account; nil for that of ``homeAccountID``.
  public var account: Account?
  /// The account, by its ``Account/homeAccountID``; not wanted for ``SignOutScope/machine``.
  public var homeAccountID: String?
  /// The account, by its ``Account/username``, if it has no identifier yet.
  public var username: String?
  /// The account's ``Account/environment``, for an identifier that several providers use.
  public var environment: String?
  /// Of what.
  public var scope = SignOutScope.application
  /// Whether the provider is asked to revoke the refresh tokens (RFC 7009), once they are gone here.
  public var revokesTokens = false
  /// Whether the address is wanted at which a browser ends its session.
  public var wantsEndSessionURL = false
  /// Where the browser goes after that; the provider must know it.
  public var postLogoutRedirectURI: String?
  /// Whether the identity broker of this machine is to forget the account for this application as well.
  ///
  /// For ``SignOutScope/machine``: every account that it has for this application.
  public var fromBroker = false
  /// The authority that is asked; nil for that of the configuration.
  public var authority: String?
  /// Milliseconds until the call gives up; nil for as long as the store and the network settings allow.
  ///
  /// Before the tokens are removed that is an error, and nothing is; afterwards only the provider is not asked any more.
  public var timeoutMilliseconds: Int64?
  /// An identifier for the server's log; nil for a new one.
  public var correlationID: String?

  /// A request to sign an account out of this application.
  public init(account: Account) {
    self.account = account
  }

  /// A request for no account in particular.
  public init(scope: SignOutScope = .application) {
    self.scope = scope
  }
}
