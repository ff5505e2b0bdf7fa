// SPDX-License-Identifier: MIT
// Issued authorization codes (RFC 6749 section 4.1), browser sessions and consents.

import Crypto
import TesseraWire

/// The grant of an authorization code.
struct AuthorizationGrant: Sendable {
  /// The signed-in user.
  let user: LocalUser
  /// The issuer.
  let issuer: Issuer
  /// The authorization request.
  let request: AuthorizationQuery
  /// The time at which the code expires.
  let expiresAt: Instant
  /// Whether it was redeemed.
  var isRedeemed = false
}

/// The issued codes, the browser sessions, and the consents of users.
struct AuthorizationGrants: Sendable {
  private var grants: [String: AuthorizationGrant] = [:]
  private var sessions: [String: String] = [:]
  private var consents: Set<String> = []

  /// Stores a code, and removes those that expired more than an hour ago.
  mutating func add(_ grant: AuthorizationGrant, code: String, at now: Instant) {
    grants = grants.filter { now.seconds(since: $0.value.expiresAt) <= 3600 }
    grants[code] = grant
  }

  /// Redeems a code once.
  ///
  /// The code verifier proves that the client started the request (RFC 7636 section 4.6).
  mutating func redeem(
    _ form: FormFields, clientID: String, issuer: Issuer, at now: Instant
  ) throws(ErrorResponse) -> AuthorizationGrant {
    let code = try form.required("code")
    let redirectURI = try form.required("redirect_uri")
    let verifier = try form.required("code_verifier")
    guard let grant = grants[code], grant.issuer == issuer, grant.request.clientID == clientID
    else {
      throw .unknownCode
    }
    guard !grant.isRedeemed else { throw .redeemedAuthorizationCode }
    grants[code]?.isRedeemed = true
    guard now < grant.expiresAt else { throw .expiredCode }
    guard redirectURI == grant.request.redirectURI else { throw .otherRedirectURI }
    let challenge = Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    guard challenge == grant.request.challenge else { throw .wrongVerifier }
    return grant
  }

  /// Starts a browser session.
  mutating func begin(_ session: String, of user: LocalUser) {
    sessions[session] = user.username
  }

  /// Returns the user of a browser session; nil if there is none.
  func user(of session: String?) -> LocalUser? {
    session.flatMap { sessions[$0] }.flatMap(LocalUser.named)
  }

  /// Records the consent of a user.
  mutating func consent(_ user: LocalUser, _ request: AuthorizationQuery, at issuer: Issuer) {
    consents.formUnion(Self.names(user, request, issuer))
  }

  /// Whether a user has consented to all requested scopes.
  func hasConsented(_ user: LocalUser, _ request: AuthorizationQuery, at issuer: Issuer) -> Bool {
    consents.isSuperset(of: Self.names(user, request, issuer))
  }

  private static func names(
    _ user: LocalUser, _ request: AuthorizationQuery, _ issuer: Issuer
  ) -> [String] {
    request.scopes.normalised.texts.map {
      [user.username, request.clientID, issuer.refreshTokenRealm, $0].joined(separator: "\n")
    }
  }
}
