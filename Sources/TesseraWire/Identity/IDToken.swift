// SPDX-License-Identifier: MIT
// ID tokens: their claims and validation.

/// The decoded `client_info` of a token response.
package struct ClientInfo: Sendable, Hashable {
  /// The object ID in the home tenant; for B2C followed by the policy.
  package let uid: String
  /// The home tenant ID.
  package let utid: String

  /// Decodes base64url JSON with the members `uid` and `utid`.
  ///
  /// - Throws: ``WireError`` `client_info_invalid`.
  package init(_ text: String) throws(WireError) {
    guard let bytes = Base64URL.decode(text), let json = (try? JSONValue(parsing: bytes))?.object,
      let uid = json["uid"]?.string?.nonBlank, let utid = json["utid"]?.string?.nonBlank
    else {
      throw WireError("client_info_invalid", "The client_info of the token response is invalid.")
    }
    self.uid = uid
    self.utid = utid
  }

  /// The account ID that is the same in all tenants: `uid.utid` in lower case.
  package var homeAccountID: String {
    "\(uid.normalised).\(utid.normalised)"
  }
}

/// The claims about the signed-in user.
package struct IDTokenClaims: Sendable, Hashable {
  /// All claims, including unknown ones.
  package let all: JSONObject

  /// Creates claims from a JSON object.
  package init(members: JSONObject) {
    all = members
  }

  /// Creates claims from a decoded token.
  package init(_ token: JSONWebToken) {
    all = token.claims
  }

  /// `sub`: the user's ID at this issuer; Entra's is specific to the application.
  package var subject: String? { text("sub") }
  /// `oid`: the user's object ID in this tenant.
  package var objectID: String? { text("oid") }
  /// `tid`: the ID of the tenant that issued the token.
  package var tenantID: String? { text("tid") }
  /// `name`: the display name.
  package var name: String? { text("name") }
  /// `given_name`.
  package var givenName: String? { text("given_name") }
  /// `middle_name`.
  package var middleName: String? { text("middle_name") }
  /// `family_name`.
  package var familyName: String? { text("family_name") }

  /// The user name.
  ///
  /// The first of: `preferred_username`, `upn` and `unique_name` of older tokens, `email`, and the first of B2C's
  /// `emails`.
  package var username: String? {
    text("preferred_username") ?? text("upn") ?? text("unique_name") ?? text("email")
      ?? all["emails"]?.array?.first?.string?.nonBlank
  }

  /// The claims that are shown to users and are not unique.
  ///
  /// An unpaired surrogate in them does not invalidate the token.
  static let displayMembers: Set<String> = [
    "name", "given_name", "middle_name", "family_name", "nickname", "preferred_username",
  ]

  private func text(_ name: String) -> String? {
    all[name]?.string?.nonBlank
  }
}

/// The decoded header and claims of a compact JWT.
package struct JSONWebToken: Sendable {
  /// The JOSE header.
  package let header: JSONObject
  /// The claims.
  package let claims: JSONObject
  private let token: Secret

  /// Decodes a compact JWT, without verifying its signature.
  ///
  /// - Throws: ``WireError`` `id_token_malformed`.
  package init(_ token: Secret) throws(WireError) {
    guard let (headerText, claimsText) = JSONWebToken.texts(token),
      let header = (try? JSONValue(parsing: headerText))?.object,
      let claims =
        (try? JSONValue(
          parsing: claimsText, displayMembers: IDTokenClaims.displayMembers))?.object
    else {
      throw WireError("id_token_malformed", "The ID token is not a valid JWT.")
    }
    self.header = header
    self.claims = claims
    self.token = token
  }

  /// Whether the third part can be a signature, which is base64url that is not empty.
  ///
  /// Decoded only when it is checked: readers of a stored token need only its claims.
  package var hasSignature: Bool {
    let text = token.reveal()
    guard let last = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return Base64URL.decode(text[text.utf8.index(after: last)...])?.isEmpty == false
  }

  /// Returns the JSON text of a token's claims if it can be inserted into another document as it is.
  ///
  /// Returns nil for a malformed token, and for claims with escape sequences, which the parser checks.
  package static func plainClaims(of token: Secret) -> [UInt8]? {
    guard let (header, claims) = texts(token), JSONValue.isPlainObject(header),
      JSONValue.isPlainObject(claims)
    else { return nil }
    return claims
  }

  /// Returns the decoded header and claims; nil if the token does not have three parts.
  private static func texts(_ token: Secret) -> (header: [UInt8], claims: [UInt8])? {
    var text = token.reveal()
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let first = bytes.firstIndex(of: UInt8(ascii: "."), from: 0),
        let second = bytes.firstIndex(of: UInt8(ascii: "."), from: first + 1),
        bytes.firstIndex(of: UInt8(ascii: "."), from: second + 1) == nil,
        let header = Base64URL.decode(UnsafeRawBufferPointer(rebasing: bytes[..<first])),
        let claims = Base64URL.decode(
          UnsafeRawBufferPointer(rebasing: bytes[(first + 1)..<second]))
      else { return nil }
      return (header, claims)
    }
  }
}

/// The checks of OpenID Connect Core 3.1.3.7 for an ID token, without the signature.
///
/// Item 6 of that section allows TLS in place of the signature for a token from the token endpoint. The only other
/// tokens are those from brokers (docs/brokers.md). Microsoft Authenticator encrypts them for one request, the single
/// sign-on extension returns them through Apple's classes, and the Linux broker over the user's session bus.
package struct IDTokenValidator: Sendable {
  /// The expected issuer; `{tenantid}` in it is replaced with the token's `tid`.
  package var issuer: String
  /// The client ID of the application.
  package var clientID: String
  /// Whether client IDs are compared without regard to case, as for Entra, which returns them in lower case.
  package var ignoresCase = false
  /// The nonce of the request, if it had one.
  package var nonce: String?
  /// The current time; nil skips the time checks.
  ///
  /// A refresh skips them. The identity is already known, and a wrong clock on this machine must not end the sign-in.
  package var now: Instant?
  /// The accepted clock difference, in seconds.
  ///
  /// With a strict limit, users could not sign in on machines with a wrong clock.
  package var clockSkewSeconds: Int64 = 600

  /// Creates the checks for one token response.
  package init(issuer: String, clientID: String, nonce: String? = nil, now: Instant?) {
    self.issuer = issuer
    self.clientID = clientID
    self.nonce = nonce
    self.now = now
  }

  /// Validates a decoded token.
  ///
  /// - Throws: ``WireError`` with a code that starts with `id_token_`.
  package func check(_ token: JSONWebToken) throws(WireError) {
    try IDTokenValidator.checkSignature(token)
    try checkIssuer(token.claims)
    try checkAudience(token.claims)
    try checkTimes(token.claims)
    if let nonce, token.claims["nonce"]?.string != nonce {
      throw WireError("id_token_nonce", "The ID token does not contain the nonce of this request.")
    }
  }

  /// Rejects tokens that cannot have a signature of their issuer (RFC 8725 sections 3.1 and 3.2).
  ///
  /// TLS replaces the verification of the signature itself. A public client has no key for a symmetric algorithm.
  private static func checkSignature(_ token: JSONWebToken) throws(WireError) {
    guard let algorithm = token.header["alg"]?.string, algorithms.contains(algorithm) else {
      let name = token.header["alg"]?.string?.plain(atMost: 40).nonBlank ?? "missing"
      throw WireError(
        "id_token_unsigned",
        "The ID token has no accepted signature algorithm (alg \(name)): use RS256 or another asymmetric algorithm."
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
    // Entra's common and organizations authorities publish an issuer with a placeholder for the tenant.
    if expected.contains("{tenantid}") {
      guard let tenant = claims["tid"]?.string?.nonBlank else {
        throw WireError("id_token_issuer", "The ID token has no tenant (tid).")
      }
      expected = expected.replacing("{tenantid}", with: tenant)
    }
    let issuer = claims["iss"]?.string
    guard issuer == expected else {
      throw WireError(
        "id_token_issuer",
        "The ID token was issued by \(IDTokenValidator.named(issuer)), not by \(expected.plain(atMost: 200))."
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
        "The ID token was issued for a different application, \(IDTokenValidator.named(audiences.first))."
      )
    }
    // Items 4 and 5: azp must be this application. It is required if there are several audiences.
    let authorizedParty = claims["azp"]
    guard
      authorizedParty == nil || authorizedParty == .null
        ? audiences.count == 1 : isApplication(authorizedParty?.string)
    else {
      throw WireError(
        "id_token_audience",
        "The ID token was issued to a different application, \(IDTokenValidator.named(authorizedParty?.string)) (azp)."
      )
    }
  }

  private func isApplication(_ text: String?) -> Bool {
    guard let text else { return false }
    return text == clientID || ignoresCase && text.normalised == clientID.normalised
  }

  /// Formats a claim for a message.
  private static func named(_ claim: String?) -> String {
    claim?.plain(atMost: 200).nonBlank ?? "(none)"
  }

  private func checkTimes(_ claims: JSONObject) throws(WireError) {
    guard let now else { return }
    guard let expiry = claims["exp"]?.integer else {
      throw WireError("id_token_expired", "The ID token has no expiry time (exp).")
    }
    if Instant(secondsSince1970: expiry).adding(seconds: clockSkewSeconds) < now {
      throw WireError(
        "id_token_expired", "The ID token has expired: check the clock of this machine.")
    }
    if let notBefore = claims["nbf"]?.integer,
      now.adding(seconds: clockSkewSeconds) < Instant(secondsSince1970: notBefore)
    {
      throw WireError(
        "id_token_not_yet_valid", "The ID token is not valid yet: check the clock of this machine.")
    }
  }
}
