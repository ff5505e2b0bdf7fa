// SPDX-License-Identifier: MIT
// What an ID token must say before its identity is believed.

/// The checks of OpenID Connect Core 3.1.3.7 for an ID token, without that of its signature.
///
/// Item 6 of that section lets TLS stand in for the signature of one that came from the token endpoint. The only others are
/// those that brokers hand over, as docs/brokers.md says: encrypted for one request by Microsoft Authenticator, through
/// Apple's classes by the single sign-on extension, and over the user's own bus by the broker of Linux.
package struct IDTokenCheck: Sendable {
  /// The issuer that was asked; `{tenantid}` in it stands for the token's own tenant.
  package var issuer: String
  /// The application.
  package var clientID: String
  /// Whether the case of the application's id means nothing, as at Entra: it answers in lower case.
  package var ignoresCase = false
  /// The nonce of the request, if it had one.
  package var nonce: String?
  /// Now; nil leaves the times unchecked.
  ///
  /// After a refresh the identity is known already, and a machine whose clock is wrong must not lose its sign-in over it.
  package var now: Instant?
  /// How far clocks may differ, in seconds.
  ///
  /// Strict checks lock people out on machines with a wrong clock.
  package var toleranceSeconds: Int64 = 600

  /// The checks for one exchange.
  package init(issuer: String, clientID: String, nonce: String? = nil, now: Instant?) {
    self.issuer = issuer
    self.clientID = clientID
    self.nonce = nonce
    self.now = now
  }

  /// Checks a decoded token.
  package func check(_ token: JSONWebToken) throws(WireError) {
    try IDTokenCheck.checkSignature(token)
    try checkIssuer(token.claims)
    try checkAudience(token.claims)
    try checkTimes(token.claims)
    if let nonce, token.claims["nonce"]?.string != nonce {
      throw WireError("id_token_nonce", "The ID token does not carry the nonce of this request.")
    }
  }

  /// Throws for a token that cannot have a signature of its issuer (RFC 8725 sections 3.1 and 3.2).
  ///
  /// TLS stands in for the check of the signature itself. A public client has no key for a symmetric algorithm.
  private static func checkSignature(_ token: JSONWebToken) throws(WireError) {
    guard let algorithm = token.header["alg"]?.string, algorithms.contains(algorithm) else {
      let name = token.header["alg"]?.string?.plain(atMost: 40).nonBlank ?? "missing"
      throw WireError(
        "id_token_unsigned",
        "The ID token has no accepted signature algorithm (alg \(name)): use RS256 or another asymmetric one."
      )
    }
    guard token.hasSignature else {
      throw WireError("id_token_unsigned", "The ID token is not signed: its signature is empty.")
    }
  }

  /// The accepted algorithms (RFC 7518 section 3.1, RFC 8037, RFC 9864); all are asymmetric.
  private static let algorithms: Set<String> = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    "Ed25519", "Ed448",
  ]

  private func checkIssuer(_ claims: JSONObject) throws(WireError) {
    var expected = issuer
    // Entra's common and organizations publish one issuer with a place for the tenant.
    if expected.contains("{tenantid}") {
      guard let tenant = claims["tid"]?.string?.nonBlank else {
        throw WireError("id_token_issuer", "The ID token names no tenant (tid).")
      }
      expected = expected.replacing("{tenantid}", with: tenant)
    }
    let issuer = claims["iss"]?.string
    guard issuer == expected else {
      throw WireError(
        "id_token_issuer",
        "The ID token was issued by \(IDTokenCheck.named(issuer)), not by \(expected.plain(atMost: 200))."
      )
    }
  }

  private func checkAudience(_ claims: JSONObject) throws(WireError) {
    let audiences: [String] =
      switch claims["aud"] {
      case .string(let one)?: [one]
      case .array(let several)?: several.compactMap(\.string)
      default: []
      }
    guard audiences.contains(where: isApplication) else {
      throw WireError(
        "id_token_audience",
        "The ID token is meant for another application, \(IDTokenCheck.named(audiences.first)).")
    }
    // Items 4 and 5: a token names the application it was issued to; with several audiences it has to.
    let party = claims["azp"]
    guard party == nil || party == .null ? audiences.count == 1 : isApplication(party?.string)
    else {
      throw WireError(
        "id_token_audience",
        "The ID token was issued to another application, \(IDTokenCheck.named(party?.string)) (azp)."
      )
    }
  }

  private func isApplication(_ text: String?) -> Bool {
    guard let text else { return false }
    return text == clientID || ignoresCase && text.normalised == clientID.normalised
  }

  /// A claim in a message.
  private static func named(_ claim: String?) -> String {
    claim?.plain(atMost: 200).nonBlank ?? "nobody"
  }

  private func checkTimes(_ claims: JSONObject) throws(WireError) {
    guard let now else { return }
    guard let expiry = claims["exp"]?.integer else {
      throw WireError("id_token_expired", "The ID token has no expiry.")
    }
    if Instant(secondsSince1970: expiry).adding(seconds: toleranceSeconds) < now {
      throw WireError("id_token_expired", "The ID token has expired; check this machine's clock.")
    }
    if let notBefore = claims["nbf"]?.integer,
      now.adding(seconds: toleranceSeconds) < Instant(secondsSince1970: notBefore)
    {
      throw WireError(
        "id_token_not_yet_valid", "The ID token is not valid yet; check this machine's clock.")
    }
  }
}
