// SPDX-License-Identifier: MIT
// What makes two silent requests the same, so that the failure of one answers the other.

import TesseraCache
package import TesseraWire

/// A silent request, as far as its failures concern other requests.
///
/// MSAL for Apple calls these the strict and the full thumbprint.
package struct ThrottleSubject: Sendable {
  private let environment: String
  private let tenant: String
  private let clientID: String
  private let homeAccountID: String
  private let scopes: Scopes
  private let claims: String?

  /// A request for an account's token.
  ///
  /// - Parameters:
  ///   - environment: the cloud or the issuer, the same for all of its hosts.
  ///   - tenant: the tenant as it was asked for; empty for a provider without tenants.
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

  /// The name of the request: a server in trouble, or one that asks to stay away, means all requests of this name.
  package var name: String { ThrottleRecord.name(of: parts) }

  /// The name of the request with one refresh token: a refusal means this token, and these claims, only.
  package func name(redeeming token: Secret) -> String {
    ThrottleRecord.name(of: parts + [claims ?? "", token.reveal()])
  }

  /// The name of the request to the broker: its silence says nothing about servers.
  package var brokerName: String { ThrottleRecord.name(of: parts + ["broker"]) }

  /// Made only when a failure is looked for: a hit has no need of them.
  private var parts: [String] {
    [
      environment, tenant, clientID.normalised, homeAccountID,
      scopes.normalised.sorted().joined(separator: " "),
    ]
  }
}
