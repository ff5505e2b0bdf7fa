// SPDX-License-Identifier: MIT
// The access tokens of generic issuers, for introspection and revocation.

import Crypto
import TesseraWire

/// The grant of an access token.
struct AccessGrant: Sendable {
  /// The sign-in for which it was issued.
  let signIn: SignIn
  /// The claims of the token.
  let claims: JSONObject

  /// Whether the token is expired.
  func isExpired(at now: Instant) -> Bool {
    (claims["exp"]?.integer ?? 0) <= now.secondsSince1970
  }
}

/// The issued access tokens that were not revoked.
struct AccessTokens: Sendable {
  /// The number of tokens from which on expired ones are removed.
  private static let limit = 10_000

  private var grants: [[UInt8]: AccessGrant] = [:]
  private var nextCleanup = limit

  /// Adds a token of a generic issuer; others have no introspection.
  mutating func issue(_ text: String, _ grant: AccessGrant, at now: Instant) {
    guard case .plain = grant.signIn.issuer else { return }
    if grants.count >= nextCleanup {
      grants = grants.filter { !$0.value.isExpired(at: now) }
      nextCleanup = max(AccessTokens.limit, 2 * grants.count)
    }
    grants[AccessTokens.key(text)] = grant
  }

  /// Returns the grant of a token; nil for a token that is unknown, revoked or expired, or of another issuer.
  func grant(of text: String, issuer: Issuer, at now: Instant) -> AccessGrant? {
    grants[AccessTokens.key(text)].flatMap { grant in
      grant.signIn.issuer == issuer && !grant.isExpired(at: now) ? grant : nil
    }
  }

  /// Revokes a token.
  ///
  /// Does nothing for an unknown token.
  mutating func revoke(_ text: String, of clientID: String, at issuer: Issuer) throws(ErrorResponse)
  {
    let key = AccessTokens.key(text)
    guard let signIn = grants[key]?.signIn else { return }
    guard signIn.issuer == issuer, signIn.clientID == clientID else { throw .foreignToken }
    grants[key] = nil
  }

  private static func key(_ text: String) -> [UInt8] {
    Array(SHA256.hash(data: Array(text.utf8)))
  }
}
