// SPDX-License-Identifier: MIT
// Whose tokens came back: from client_info at Entra, from the ID token everywhere else.

package import TesseraWire

/// The identity that a token response proves.
package struct TokenIdentity: Sendable, Hashable {
  /// What stays the same across tenants.
  package let homeAccountID: String
  /// The tenant of these tokens; empty for a provider without tenants.
  package let realm: String
  /// The person in that tenant, if the response had an ID token.
  package let localAccountID: String?

  /// Takes the identity from a response.
  ///
  /// - Parameters:
  ///   - tenant: the tenant of the authority, for a response that names none.
  ///   - expected: the account whose refresh token was used, for a response that names nobody: neither an ID token
  ///     nor `client_info` is required after a refresh (OpenID Connect Core 12.2).
  package init(
    _ response: TokenResponse, _ claims: IDTokenClaims?, tenant: String, expected: String?
  ) throws(WireError) {
    let client = try response.clientInfo.map { text throws(WireError) in try ClientInfo(text) }
    guard let home = client?.homeAccountID ?? claims?.subject ?? expected else {
      throw WireError(
        "identity_missing",
        "The token response says neither in client_info nor in an ID token who signed in.")
    }
    guard !home.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw WireError("identity_invalid", "The server names an account with control characters.")
    }
    homeAccountID = home
    realm = claims?.tenantID ?? client?.utid ?? tenant
    localAccountID = (claims?.objectID ?? claims?.subject).map { subject in
      // Entra's object ids compare without regard to case, other providers' subjects do not.
      client == nil ? subject : subject.normalised
    }
  }
}
