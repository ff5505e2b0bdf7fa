// SPDX-License-Identifier: MIT
// The account of a token response: from client_info on the Microsoft identity platform, otherwise from the ID token.

package import TesseraWire

/// The identity that a token response states.
package struct TokenIdentity: Sendable, Hashable {
  /// The home account ID, which is the same in all tenants.
  package let homeAccountID: String
  /// The tenant ID of the tokens, or an empty string for a provider without tenants.
  package let realm: String
  /// The user's ID in that tenant, if the response has an ID token.
  package let localAccountID: String?

  /// Creates the identity from a response.
  ///
  /// - Parameters:
  ///   - tenant: The tenant of the authority, used if the response names none.
  ///   - expected: The account whose refresh token was redeemed, used if the response names none. A refresh response
  ///     may omit both the ID token and `client_info` (OpenID Connect Core 12.2).
  ///   - hasTenants: Whether the provider is the Microsoft identity platform. Other providers' `tid` and `client_info`
  ///     are ignored.
  /// - Throws: ``WireError`` if the account is missing or has control characters, or if `client_info` is invalid.
  package init(
    _ response: TokenResponse, _ claims: IDTokenClaims?, tenant: String, expected: String?,
    hasTenants: Bool = true
  ) throws(WireError) {
    let client =
      hasTenants
      ? try response.clientInfo.map { text throws(WireError) in try ClientInfo(text) } : nil
    let named = client?.homeAccountID ?? claims?.subject
    guard named?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
      throw WireError(
        "identity_invalid",
        "The token response contains an account identifier with control characters.")
    }
    guard let home = named.map(TokenIdentity.identifier) ?? expected else {
      throw WireError(
        "identity_missing",
        "The token response identifies the user neither in client_info nor in an ID token.")
    }
    homeAccountID = home
    realm = hasTenants ? claims?.tenantID ?? client?.utid ?? tenant : tenant
    localAccountID = (claims?.objectID ?? claims?.subject).map { subject in
      // Object IDs of Microsoft Entra ID are case-insensitive; subjects of other providers are not.
      client == nil ? subject : subject.normalised
    }
  }

  /// Returns the subject with all bytes other than printable ASCII percent-encoded, so that it has only one spelling.
  ///
  /// OpenID Connect Core 2 requires ASCII, but not every provider complies. A letter may have several encodings, and
  /// leading or trailing spaces may be lost. Two users must never get the same identifier.
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
