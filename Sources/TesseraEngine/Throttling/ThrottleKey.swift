// SPDX-License-Identifier: MIT
// The keys under which failures of silent requests are recorded.

import TesseraCache
package import TesseraWire

/// The parts of a silent request that identify its throttle records.
///
/// MSAL for Apple calls the keys the strict and the full thumbprint.
package struct ThrottleKey: Sendable {
  private let environment: String
  private let tenant: String
  private let clientID: String
  private let homeAccountID: String
  private let scopes: Scopes
  private let claims: String?

  /// Creates the key of a request for an account.
  ///
  /// - Parameters:
  ///   - environment: The cloud or the issuer, independent of the host alias.
  ///   - tenant: The requested tenant; empty for a provider without tenants.
  package init(
    environment: String, tenant: String, clientID: String, homeAccountID: String, scopes: Scopes,
    claims: String?
  ) {
    self.environment = environment
    self.tenant = tenant
    self.clientID = clientID
    self.homeAccountID = homeAccountID
    self.scopes = scopes
    self.claims = claims
  }

  /// The key for outages and `429` responses, which apply to all requests with this key.
  package var name: String { ThrottleRecord.name(of: parts) }

  /// Returns the key for a rejected refresh token.
  ///
  /// It applies only to this token and these claims.
  package func name(redeeming token: Secret) -> String {
    ThrottleRecord.name(of: parts + [claims ?? "", token.reveal()])
  }

  /// The key for an unresponsive broker, which is independent of servers.
  package var brokerName: String { ThrottleRecord.name(of: parts + ["broker"]) }

  /// The common parts of the keys.
  ///
  /// They are computed only when records exist, because a cache hit does not need them.
  private var parts: [String] {
    [
      environment, tenant, clientID.normalised, homeAccountID,
      scopes.normalised.sorted().map(\.text).joined(separator: " "),
    ]
  }
}
