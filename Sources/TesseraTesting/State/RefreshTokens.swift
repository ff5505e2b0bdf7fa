// SPDX-License-Identifier: MIT
// Refresh tokens in families: rotation, and detection of reuse (RFC 9700 section 4.14).

import TesseraWire

/// The grant of a refresh token.
struct RefreshGrant: Sendable {
  /// The signed-in user.
  let user: LocalUser
  /// The client ID of the application.
  let clientID: String
  /// The issuer.
  let issuer: Issuer
  /// The granted scopes.
  let scopes: Scopes
  /// The family of applications that share the token; Entra ID only.
  let familyID: String?
}

/// All issued refresh tokens.
struct RefreshTokens: Sendable {
  private struct Family {
    let grant: RefreshGrant
    var revocation: ErrorResponse?
  }

  private struct Token {
    let family: Int
    var isRedeemed = false
  }

  private var families: [Family] = []
  private var tokens: [String: Token] = [:]

  /// Starts a token family with its first token.
  mutating func issue(_ text: String, for grant: RefreshGrant) {
    tokens[text] = Token(family: families.count)
    families.append(Family(grant: grant))
  }

  /// Adds a token to the family of an older one, which is invalidated if tokens rotate.
  mutating func renew(_ old: String, as new: String, rotates: Bool) {
    guard let family = tokens[old]?.family else { return }
    tokens[old]?.isRedeemed = rotates
    tokens[new] = Token(family: family)
  }

  /// Returns the grant of a valid token.
  ///
  /// The reuse of a redeemed token revokes its whole family.
  mutating func grant(
    of text: String, issuer: Issuer
  ) throws(ErrorResponse) -> RefreshGrant {
    guard let token = tokens[text] else { throw .unknownRefreshToken }
    let grant = families[token.family].grant
    // A refresh token is valid only at the issuer that issued it.
    guard grant.issuer.refreshTokenRealm == issuer.refreshTokenRealm else {
      throw .unknownRefreshToken
    }
    if token.isRedeemed {
      families[token.family].revocation = .revokedRefreshToken
      throw .reusedRefreshToken
    }
    if let revocation = families[token.family].revocation { throw revocation }
    return grant
  }

  /// Whether the family of a token was revoked.
  func isRevoked(_ text: String) -> Bool {
    tokens[text].map { families[$0.family].revocation != nil } ?? false
  }

  /// Revokes a token with its family (RFC 7009 section 2.1).
  ///
  /// Does nothing for an unknown token.
  mutating func revoke(_ text: String, of clientID: String, at issuer: Issuer) throws(ErrorResponse)
  {
    guard let token = tokens[text] else { return }
    let grant = families[token.family].grant
    guard grant.issuer == issuer, grant.clientID == clientID else { throw .foreignRefreshToken }
    families[token.family].revocation = .revokedRefreshToken
  }

  /// Revokes all tokens of a user.
  mutating func revoke(_ user: LocalUser) {
    for index in families.indices where families[index].grant.user == user {
      families[index].revocation = .revokedRefreshToken
    }
  }
}
