// SPDX-License-Identifier: MIT
// What the local provider noticed: numbers, and a log of requests without secrets.

public import TesseraWire

/// How often things happened at the local provider.
public struct ProviderCounts: Sendable, Equatable {
  /// Requests of every kind, commands excepted.
  public internal(set) var requests = 0
  /// Requests for a discovery document, of an issuer or of the Entra instance.
  public internal(set) var discoveryRequests = 0
  /// Requests for a device code.
  public internal(set) var deviceAuthorizations = 0
  /// Pages of the authorization endpoint that were asked for.
  public internal(set) var authorizations = 0
  /// Token requests by `grant_type`; what is no grant of this provider counts as `other`.
  public internal(set) var tokenRequests: [String: Int] = [:]
  /// Token requests that were answered with tokens.
  public internal(set) var tokensIssued = 0
  /// Refresh tokens that were presented again after they had been used.
  public internal(set) var refreshTokenReuses = 0
  /// Requests to revoke a refresh token.
  public internal(set) var revocations = 0
}

/// One request at the local provider, without anything secret.
public struct ProviderLogEntry: Sendable, Equatable {
  /// When it came.
  public let at: Instant
  /// The method.
  public let method: String
  /// The path, without a query.
  public let path: String
  /// The fields that are not secret: `client_id`, `grant_type`, `scope` and the like.
  public let fields: [String: String]
  /// The status of the answer.
  public let status: Int
}

extension ProviderLogEntry {
  /// The fields that may be shown; everything else in a form may be a token, a code or a key.
  static let openFields = [
    "client_id", "grant_type", "scope", "claims", "client_info", "username", "decision",
  ]
  /// How many entries are kept.
  static let limit = 1000
}
