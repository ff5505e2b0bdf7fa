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
  /// Token requests by grant type, client and tenant.
  public internal(set) var tokenRequestsBySource: [TokenRequestSource: Int] = [:]
  /// Token requests of a client that were sent before the end of `Retry-After`, after
  /// ``ProviderCommand/limitTokenRequests(grantType:requests:seconds:)`` rejected another one.
  public internal(set) var earlyRetries = 0
  /// Token requests that returned tokens.
  public internal(set) var tokensIssued = 0
  /// Attempts to redeem a refresh token again.
  public internal(set) var refreshTokenReuses = 0
  /// Requests to revoke a refresh token.
  public internal(set) var revocations = 0
  /// Requests of resource servers to introspect a token.
  public internal(set) var introspections = 0
}

extension ProviderCounts {
  /// Returns the number of token requests with a grant type, a client ID and a tenant; nil for any.
  public func tokenRequests(
    grantType: String? = nil, clientID: String? = nil, tenant: String? = nil
  ) -> Int {
    tokenRequestsBySource.reduce(0) { sum, entry in
      let isCounted =
        [
          (grantType, entry.key.grantType), (clientID, entry.key.clientID),
          (tenant, entry.key.tenant),
        ].allSatisfy { $0.0 == nil || $0.0 == $0.1 }
      return sum + (isCounted ? entry.value : 0)
    }
  }

  /// Counts a token request.
  mutating func add(_ source: TokenRequestSource) {
    tokenRequests[source.grantType, default: 0] += 1
    tokenRequestsBySource[source, default: 0] += 1
  }
}

/// The origin of token requests in ``ProviderCounts``.
public struct TokenRequestSource: Sendable, Hashable {
  /// The `grant_type`; `other` for an unsupported one.
  public let grantType: String
  /// The client ID; empty if the request has none.
  public let clientID: String
  /// The tenant segment in the address of an Entra endpoint, such as the tenant ID or `common`; the path of other issuers,
  /// such as `oidc/main`.
  public let tenant: String
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
