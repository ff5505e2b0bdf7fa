// SPDX-License-Identifier: MIT
// A token with everything an application may want to know about it.

package import TesseraCache
public import TesseraWire

/// Where a token came from.
public enum TokenSource: String, Sendable {
  /// From the cache, without any network.
  case cache
  /// From the server, just now.
  case network
}

/// A token for a resource.
public struct TokenResult: Sendable {
  /// The access token.
  public let accessToken: Secret
  /// How it is used, such as `Bearer`.
  public let tokenType: String
  /// When it expires.
  public let expiresAt: Instant
  /// Until when it may serve during an outage; nil if the server grants no such thing.
  public let extendedExpiresAt: Instant?
  /// From when on the server would like it refreshed; the library does that by itself.
  public let refreshAt: Instant?
  /// What was granted, as the server spelled it.
  public let scopes: [String]
  /// The raw ID token; nil when the provider sent none.
  public let idToken: Secret?
  /// The claims of the ID token; nil without one.
  package let claims: JSONObject?
  /// Who it is for.
  public let account: Account
  /// The tenant it is for; empty for a provider without tenants.
  public let tenantID: String
  /// The authority it came from, with the tenant it led to.
  public let authority: String
  /// Where it came from.
  public package(set) var source: TokenSource
  /// Whether the store has it; if not, ``warnings`` say why.
  public package(set) var isPersisted = true
  /// Why a refresh that was due did not work; the token is valid all the same.
  public package(set) var refreshError: TesseraError?
  /// What wants attention although the call succeeded.
  public package(set) var warnings: [String] = []

  /// A result from the records of a token.
  package init(
    accessToken: CredentialRecord, idToken: CredentialRecord?, account: Account,
    authority: String, source: TokenSource
  ) {
    self.accessToken = accessToken.secret
    tokenType = accessToken.tokenType ?? "Bearer"
    expiresAt = accessToken.expiresAt ?? Instant(secondsSince1970: 0)
    extendedExpiresAt = accessToken.extendedExpiresAt
    refreshAt = accessToken.refreshAt
    scopes = accessToken.scopes.list
    self.idToken = idToken?.secret
    claims = idToken.flatMap { try? JSONWebToken($0.secret) }?.claims
    self.account = account
    tenantID = accessToken.realm ?? ""
    self.authority = authority
    self.source = source
  }
}

extension TokenResult {
  /// The claims of the ID token, as JSON text.
  public var idTokenClaims: String? { claims.map { JSONValue.object($0).serialized } }
}
