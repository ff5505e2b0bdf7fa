// SPDX-License-Identifier: MIT
// What a program asks for when it wants a token without asking the user.

import TesseraWire

/// A request for a token without asking the user.
public struct SilentRequest: Sendable, Hashable {
  /// The account, by its ``Account/homeAccountID``; empty if it has none yet, then ``username`` says who it is.
  public var homeAccountID: String
  /// What the person signs in with; nil if the identifier is known.
  ///
  /// It finds an account without an identifier, which only a cache of an older library has (ADAL: `userId`), and one whose
  /// identifier the program does not know.
  public var username: String?
  /// The account's ``Account/environment``; nil for that of the authority.
  ///
  /// With it, an account is never taken for one of another provider that has the same identifier.
  public var environment: String?
  /// Whether the token of the application itself is wanted, and nobody's.
  ///
  /// A confidential client of another library got it with its own secret (RFC 6749 section 4.4), and shares the cache. It is
  /// handed out as long as it is good; another one cannot be had here, since a public client has no secret.
  public var isForApplication = false
  /// The scopes that the token must cover.
  ///
  /// `openid`, `profile` and `offline_access` are added by the library.
  public var scopes: [String]
  /// The authority; nil for that of the configuration.
  public var authority: String?
  /// Whether a new token is wanted although there may be a valid one.
  public var forcesRefresh = false
  /// A claims challenge of a resource, as JSON text; it bypasses the cached token.
  public var claims: String?
  /// Fields that are added to the body of token requests, and win over the configuration's.
  ///
  /// A cached token is handed out whatever is added.
  public var extraTokenParameters: [String: String] = [:]
  /// Fields that are added to the query of the token endpoint, and win over the configuration's.
  public var extraQueryParameters: [String: String] = [:]
  /// Milliseconds until the call gives up; nil for as long as the network settings allow.
  ///
  /// Without it, another program's refresh of the same credential is waited for at most a minute.
  public var timeoutMilliseconds: Int64?
  /// An identifier for the server's log; nil for a new one.
  public var correlationID: String?

  /// A request for an account's token.
  public init(account: Account, scopes: [String]) {
    self.init(homeAccountID: account.homeAccountID, scopes: scopes)
    environment = account.environment
    if account.homeAccountID.isEmpty { username = account.username }
  }

  /// A request for everything that the application was granted at a resource, as ADAL asked for tokens.
  ///
  /// The resource is taken as it is: one that ends in a slash is asked for with two, as Entra wants it.
  public init(account: Account, resource: String) {
    self.init(account: account, scopes: [Scopes.everything(at: resource)])
  }

  /// A request for a person's token for a resource, as ADAL's `acquireTokenSilentWithResource:clientId:redirectUri:userId:`
  /// asked for it; the client id and the redirect URI are the application's.
  public init(resource: String, userID: String) {
    self.init(homeAccountID: "", scopes: [Scopes.everything(at: resource)])
    username = userID
  }

  /// A request for the token that the application itself has in the cache.
  public init(forApplicationWithScopes scopes: [String]) {
    self.init(homeAccountID: "", scopes: scopes)
    isForApplication = true
  }

  /// A request for the token of the account with an identifier.
  public init(homeAccountID: String, scopes: [String]) {
    self.homeAccountID = homeAccountID
    self.scopes = scopes
  }
}
