// SPDX-License-Identifier: MIT
// Whose tokens came back: from client_info at the Microsoft identity platform, from the ID token everywhere else.

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
  ///   - hasTenants: whether it is the Microsoft identity platform. Elsewhere `tid` and `client_info` mean nothing.
  package init(
    _ response: TokenResponse, _ claims: IDTokenClaims?, tenant: String, expected: String?,
    hasTenants: Bool = true
  ) throws(WireError) {
    let client =
      hasTenants
      ? try response.clientInfo.map { text throws(WireError) in try ClientInfo(text) } : nil
    let named = client?.homeAccountID ?? claims?.subject
    guard named?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
      throw WireError("identity_invalid", "The server names an account with control characters.")
    }
    guard let home = named.map(TokenIdentity.identifier) ?? expected else {
      throw WireError(
        "identity_missing",
        "The token response says neither in client_info nor in an ID token who signed in.")
    }
    homeAccountID = home
    realm = hasTenants ? claims?.tenantID ?? client?.utid ?? tenant : tenant
    localAccountID = (claims?.objectID ?? claims?.subject).map { subject in
      // Entra's object ids compare without regard to case, other providers' subjects do not.
      client == nil ? subject : subject.normalised
    }
  }

  /// A subject as an identifier that compares in one way only: what is not printable ASCII is written as `%XX`.
  ///
  /// OpenID Connect Core 2 has ASCII there, but not every provider: one letter can be written in several ways, and spaces
  /// at the ends get lost on the way. Two people must stay two.
  private static func identifier(of subject: String) -> String {
    guard !subject.utf8.allSatisfy(isPlain) else { return subject }
    return String(
      decoding: subject.utf8.flatMap {
        isPlain($0) ? [$0] : Array("%\(Hexadecimal.text([$0]))".utf8)
      },
      as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
  }
}
