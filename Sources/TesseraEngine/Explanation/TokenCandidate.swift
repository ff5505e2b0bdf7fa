// SPDX-License-Identifier: MIT
// One token of the cache, as a request sees it: what it is, and why it is used or not. The token itself is not in it.

package import TesseraCache
public import TesseraWire

/// A token of the account that a request could use, and why it does or does not.
public struct TokenCandidate: Sendable, Hashable {
  /// What a request does with a token.
  public enum Role: String, Sendable {
    /// It is handed out, or redeemed first.
    case used
    /// It is handed out, or redeemed, if what comes first fails.
    case fallback
    /// It stays where it is.
    case notUsed = "not_used"
  }

  /// Its kind, as the store calls it, such as `AccessToken` or `RefreshToken`.
  public let credentialType: String
  /// The application it was issued to.
  public let clientID: String
  /// The family of applications that may redeem it; nil for none.
  public let familyID: String?
  /// The cloud or the issuer.
  public let environment: String
  /// The tenant of an access token; nil for a refresh token, which serves all of them.
  public let tenantID: String?
  /// What an access token covers.
  public let scopes: [String]
  /// The scopes that were asked for and that an access token lacks.
  public let missingScopes: [String]
  /// When it was received; nil if that is not known.
  public let cachedAt: Instant?
  /// When it expires; nil if that is not known.
  public let expiresAt: Instant?
  /// From when on the server would like it refreshed; nil if the server did not say.
  public let refreshAt: Instant?
  /// What the request does with it.
  public let role: Role
  /// Why it is not used, or not first; empty for one that is.
  public let obstacles: [RejectionReason]

  package init(
    _ record: CredentialRecord, missing: Scopes, role: Role, obstacles: [RejectionReason]
  ) {
    credentialType = record.type.name
    clientID = record.clientID
    familyID = record.familyID
    environment = record.environment
    tenantID = record.type.isRefreshToken ? nil : record.realm
    scopes = record.scopes.list
    missingScopes = missing.list
    cachedAt = record.cachedAt
    expiresAt = record.expiresAt
    refreshAt = record.refreshAt
    self.role = role
    self.obstacles = obstacles
  }
}
