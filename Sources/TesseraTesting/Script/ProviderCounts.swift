// SPDX-License-Identifier: MIT
// The counters of the local provider, and a request log without secrets.

package import TesseraWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The counters of the local provider.
public struct ProviderCounts: Sendable, Equatable {
  /// All requests except commands.
  public internal(set) var requests = 0
  /// Requests for a discovery document, of an issuer or of the Entra instance.
  public internal(set) var discoveryRequests = 0
  /// Requests for a device code.
  public internal(set) var deviceAuthorizations = 0
  /// Requests to the authorization endpoint.
  public internal(set) var authorizations = 0
  /// Token requests by `grant_type`.
  ///
  /// Unsupported grant types are counted as `other`.
  public internal(set) var tokenRequests: [String: Int] = [:]
  /// Token requests that returned tokens.
  public internal(set) var tokensIssued = 0
  /// Attempts to redeem a refresh token again.
  public internal(set) var refreshTokenReuses = 0
  /// Requests to revoke a refresh token.
  public internal(set) var revocations = 0
  /// Requests of resource servers to introspect a token.
  public internal(set) var introspections = 0
}

/// A request to the local provider, without secrets.
public struct ProviderLogEntry: Sendable, Equatable {
  /// The time at which it was received.
  package let at: Instant
  /// The method.
  public let method: String
  /// The path, without a query.
  public let path: String
  /// The fields that are not secret: `client_id`, `grant_type`, `scope` and the like.
  public let fields: [String: String]
  /// The status of the response.
  public let status: Int
}

extension ProviderLogEntry {
  /// The time at which it was received, in whole seconds.
  public var receivedAt: Date { Date(timeIntervalSince1970: Double(at.secondsSince1970)) }

  /// The fields that are logged.
  ///
  /// Any other field may contain a token, a code or a key.
  static let loggedFields = [
    "client_id", "grant_type", "scope", "claims", "client_info", "username", "decision",
  ]
  /// The maximum number of entries.
  static let limit = 1000
}
