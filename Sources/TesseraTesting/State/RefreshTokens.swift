// SPDX-License-Identifier: MIT
// Refresh tokens in families: rotation, and what happens when a spent one comes back (RFC 9700 section 4.14).

import TesseraWire

/// What a refresh token stands for.
struct RefreshGrant: Sendable {
  /// Who signed in.
  let user: LocalUser
  /// The application.
  let clientID: String
  /// Where.
  let issuer: Issuer
  /// What was granted.
  let scopes: Scopes
  /// The family of applications that share it; Entra face only.
  let familyID: String?
}

/// All refresh tokens that were ever issued.
struct RefreshTokens: Sendable {
  private struct Family {
    let grant: RefreshGrant
    var revocation: Refusal?
  }

  private struct Token {
    let family: Int
    var isSpent = false
  }

  private var families: [Family] = []
  private var tokens: [String: Token] = [:]

  /// Begins a family with its first token.
  mutating func issue(_ text: String, for grant: RefreshGrant) {
    tokens[text] = Token(family: families.count)
    families.append(Family(grant: grant))
  }

  /// Adds a later token to the family of an earlier one, which works no more if tokens rotate.
  mutating func renew(_ old: String, as new: String, rotates: Bool) {
    guard let family = tokens[old]?.family else { return }
    tokens[old]?.isSpent = rotates
    tokens[new] = Token(family: family)
  }

  /// What a token stands for, if it still works; a spent one takes its whole family with it.
  mutating func grant(
    of text: String, issuer: Issuer
  ) throws(Refusal) -> RefreshGrant {
    guard let token = tokens[text] else { throw .unknownRefreshToken }
    let grant = families[token.family].grant
    // A refresh token goes back to the issuer that gave it, and to no other.
    guard grant.issuer.refreshTokenRealm == issuer.refreshTokenRealm else {
      throw .unknownRefreshToken
    }
    if token.isSpent {
      families[token.family].revocation = .revokedRefreshToken
      throw .spentRefreshToken
    }
    if let revocation = families[token.family].revocation { throw revocation }
    return grant
  }

  /// Revokes a token with its family (RFC 7009 section 2.1); one that nobody knows is gone already.
  mutating func revoke(_ text: String, of clientID: String, at issuer: Issuer) throws(Refusal) {
    guard let token = tokens[text] else { return }
    let grant = families[token.family].grant
    guard grant.issuer == issuer, grant.clientID == clientID else { throw .foreignRefreshToken }
    families[token.family].revocation = .revokedRefreshToken
  }

  /// Revokes every token of a person.
  mutating func revoke(_ user: LocalUser) {
    for index in families.indices where families[index].grant.user == user {
      families[index].revocation = .revokedRefreshToken
    }
  }
}
