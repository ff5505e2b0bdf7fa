// SPDX-License-Identifier: MIT
// A request for a token without user interaction.

import TesseraWire

/// A request for a token without user interaction.
public struct SilentRequest: Sendable, Hashable {
  /// The account's ``Account/homeAccountID``; empty if it has none yet, in which case ``username`` identifies it.
  public var homeAccountID: String
  /// The user name; `nil` if the identifier is known.
  ///
  /// It identifies an account without an identifier, which only caches of older libraries have (ADAL: `userId`). It can
  /// also be set if the application does not know the identifier.
  public var username: String?
  /// The account's ``Account/environment``; `nil` for that of the authority.
  ///
  /// It distinguishes accounts of different providers that have the same identifier.
  public var environment: String?
  /// Whether the request is for an app-only token.
  ///
  /// A confidential client with another library acquired the token with its secret (RFC 6749 section 4.4), and shares the
  /// cache. The token is returned until it expires. It is not renewed, because a public client has no secret.
  public var isForApplication = false
  /// The requested scopes.
  ///
  /// The library adds `openid`, `profile` and `offline_access`.
  public var scopes: [String]
  /// The authority; `nil` for the one of the configuration.
  public var authority: String?
  /// Whether to request a new token even if the cached one is valid.
  public var forcesRefresh = false
  /// A claims challenge of a resource, as JSON text.
  ///
  /// With it, the cached token is not used.
  public var claims: String?
  /// Additional form fields for token requests.
  ///
  /// They override the fields of the configuration.
  ///
  /// They do not affect the use of a cached token.
  public var extraTokenParameters: [String: String] = [:]
  /// Additional query parameters for the token endpoint.
  ///
  /// They override those of the configuration.
  public var extraQueryParameters: [String: String] = [:]
  /// The timeout of the call; `nil` for the limits of the network settings.
  ///
  /// Without it, the call waits at most one minute for another process that refreshes the same credential.
  public var timeout: Duration?
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?

  /// Creates a request for a token of an account.
  public init(
    account: Account, scopes: [String], authority: String? = nil, forcesRefresh: Bool = false,
    claims: String? = nil, extraTokenParameters: [String: String] = [:],
    extraQueryParameters: [String: String] = [:], timeout: Duration? = nil,
    correlationID: String? = nil
  ) {
    self.init(
      homeAccountID: account.homeAccountID,
      username: account.homeAccountID.isEmpty ? account.username : nil,
      environment: account.environment, scopes: scopes, authority: authority,
      forcesRefresh: forcesRefresh, claims: claims, extraTokenParameters: extraTokenParameters,
      extraQueryParameters: extraQueryParameters, timeout: timeout, correlationID: correlationID)
  }

  /// Creates an ADAL-style request for all permissions that the application was granted for a resource (`/.default`).
  ///
  /// The resource is not changed. If it ends in a slash, the scope has two slashes, as Entra requires.
  public init(account: Account, resource: String) {
    self.init(account: account, scopes: [Scopes.defaultScope(at: resource)])
  }

  /// Creates a request like that of ADAL's `acquireTokenSilentWithResource:clientId:redirectUri:userId:`.
  ///
  /// The client ID and the redirect URI are those of the application.
  public init(resource: String, userID: String) {
    self.init(
      homeAccountID: "", username: userID, scopes: [Scopes.defaultScope(at: resource)])
  }

  /// Creates a request for the app-only token in the cache.
  public init(forApplicationWithScopes scopes: [String]) {
    self.init(homeAccountID: "", isForApplication: true, scopes: scopes)
  }

  /// Creates a request for a token of the account with an identifier, or of the only account that is signed in.
  public init(
    homeAccountID: String = "", username: String? = nil, environment: String? = nil,
    isForApplication: Bool = false, scopes: [String], authority: String? = nil,
    forcesRefresh: Bool = false, claims: String? = nil,
    extraTokenParameters: [String: String] = [:], extraQueryParameters: [String: String] = [:],
    timeout: Duration? = nil, correlationID: String? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.environment = environment
    self.isForApplication = isForApplication
    self.scopes = scopes
    self.authority = authority
    self.forcesRefresh = forcesRefresh
    self.claims = claims
    self.extraTokenParameters = extraTokenParameters
    self.extraQueryParameters = extraQueryParameters
    self.timeout = timeout
    self.correlationID = correlationID
  }
}

extension SilentRequest {
  /// The serial key of the call.
  ///
  /// Calls for the same account run one after another, so that one refresh serves all of them.
  package var serialKey: String {
    guard homeAccountID.isEmpty, let name = username?.nonBlank else { return homeAccountID }
    return "name " + name.normalised
  }
}
