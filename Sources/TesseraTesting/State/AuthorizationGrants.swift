// SPDX-License-Identifier: MIT
// Authorization codes between the page that gave them and the token endpoint (RFC 6749 section 4.1), and who consented.

import Crypto
import TesseraWire

/// What an authorization code stands for.
struct AuthorizationGrant: Sendable {
  /// Who signed in.
  let user: LocalUser
  /// Where.
  let issuer: Issuer
  /// What was asked for on the page.
  let request: AuthorizationQuery
  /// When the code stops working.
  let expiresAt: Instant
  /// Whether it was redeemed.
  var isSpent = false
}

/// The codes that were given, the sessions of browsers, and what people consented to.
struct AuthorizationGrants: Sendable {
  private var grants: [String: AuthorizationGrant] = [:]
  private var sessions: [String: String] = [:]
  private var consents: Set<String> = []

  /// Remembers a code, and forgets those that expired an hour ago.
  mutating func add(_ grant: AuthorizationGrant, code: String, at now: Instant) {
    grants = grants.filter { now.seconds(since: $0.value.expiresAt) <= 3600 }
    grants[code] = grant
  }

  /// What a code stands for, once; whoever redeems it proves to be who asked for it (RFC 7636 section 4.6).
  mutating func redeem(
    _ form: FormFields, clientID: String, issuer: Issuer, at now: Instant
  ) throws(Refusal) -> AuthorizationGrant {
    let code = try form.required("code")
    let redirectURI = try form.required("redirect_uri")
    let verifier = try form.required("code_verifier")
    guard let grant = grants[code], grant.issuer == issuer, grant.request.clientID == clientID
    else {
      throw .unknownCode
    }
    guard !grant.isSpent else { throw .redeemedAuthorizationCode }
    grants[code]?.isSpent = true
    guard now < grant.expiresAt else { throw .expiredCode }
    guard redirectURI == grant.request.redirectURI else { throw .otherRedirectURI }
    let challenge = Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    guard challenge == grant.request.challenge else { throw .wrongVerifier }
    return grant
  }

  /// Begins a session of a browser.
  mutating func begin(_ session: String, of user: LocalUser) {
    sessions[session] = user.username
  }

  /// The person of a browser's session.
  func user(of session: String?) -> LocalUser? {
    session.flatMap { sessions[$0] }.flatMap(LocalUser.named)
  }

  /// Remembers what a person consented to.
  mutating func consent(_ user: LocalUser, _ request: AuthorizationQuery, at issuer: Issuer) {
    consents.formUnion(Self.names(user, request, issuer))
  }

  /// Whether a person has consented to everything that is asked for.
  func hasConsented(_ user: LocalUser, _ request: AuthorizationQuery, at issuer: Issuer) -> Bool {
    consents.isSuperset(of: Self.names(user, request, issuer))
  }

  private static func names(
    _ user: LocalUser, _ request: AuthorizationQuery, _ issuer: Issuer
  ) -> [String] {
    request.scopes.normalised.map {
      [user.username, request.clientID, issuer.refreshTokenRealm, $0].joined(separator: "\n")
    }
  }
}
