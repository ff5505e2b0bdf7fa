// SPDX-License-Identifier: MIT
// The description of a cached token that a request could use. It does not contain the token.

package import TesseraCache
package import TesseraWire

/// A cached token of the account that a request could use, with the reasons for its rejection.
public struct TokenCandidate: Sendable, Hashable {
  /// The use of a token by a request.
  public enum Role: String, Sendable {
    /// It is returned, or redeemed first.
    case used
    /// It is returned, or redeemed, if the preferred token fails.
    case fallback
    /// It is not used.
    case notUsed = "not_used"
  }

  /// The credential type in the store, such as `AccessToken` or `RefreshToken`.
  public let credentialType: String
  /// The client ID of the application to which it was issued.
  public let clientID: String
  /// The family of applications that may redeem it; `nil` for none.
  public let familyID: String?
  /// The cloud or the issuer.
  public let environment: String
  /// The tenant of an access token; `nil` for a refresh token, which is valid for all tenants.
  public let tenantID: String?
  /// The scopes of an access token.
  public let scopes: [String]
  /// The requested scopes that an access token lacks.
  public let missingScopes: [String]
  /// The time of receipt; `nil` if it is unknown.
  package let cachedOn: Instant?
  /// The expiry time; `nil` if it is unknown.
  package let expiresOn: Instant?
  /// The time from which the server recommends a refresh; `nil` if the server did not send it.
  package let refreshOn: Instant?
  /// The use of the token by the request.
  public let role: Role
  /// The reasons for which it is not used, or not preferred; empty for a used token.
  public let obstacles: [RejectionReason]

  /// Creates a candidate without times.
  public init(
    credentialType: String, clientID: String, familyID: String? = nil, environment: String,
    tenantID: String? = nil, scopes: [String] = [], missingScopes: [String] = [], role: Role,
    obstacles: [RejectionReason] = []
  ) {
    self.credentialType = credentialType
    self.clientID = clientID
    self.familyID = familyID
    self.environment = environment
    self.tenantID = tenantID
    self.scopes = scopes
    self.missingScopes = missingScopes
    self.role = role
    self.obstacles = obstacles
    (cachedOn, expiresOn, refreshOn) = (nil, nil, nil)
  }

  /// Creates a candidate from a record.
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
    cachedOn = record.cachedAt
    expiresOn = record.expiresAt
    refreshOn = record.refreshAt
    self.role = role
    self.obstacles = obstacles
  }
}
