// SPDX-License-Identifier: MIT
// The token response (RFC 6749 section 5.1), parsed tolerantly but with strict checks of the tokens.

/// A successful response of the token endpoint.
package struct TokenResponse: Sendable {
  /// The access token; nil if only an ID token was requested.
  package let accessToken: Secret?
  /// The type of the access token; `Bearer` if the server omits it.
  package let tokenType: String
  /// The new refresh token; nil if the previous one remains valid (RFC 6749 section 6).
  package let refreshToken: Secret?
  /// The encoded ID token.
  package let idToken: Secret?
  /// The granted scopes; nil if they are the requested ones (RFC 6749 section 5.1).
  package let scopes: Scopes?
  /// The encoded `client_info`, which contains the home account ID (Entra).
  package var clientInfo: String?
  /// The ID of the application family that shares the refresh token; Entra only.
  package let familyID: String?
  /// The time at which the access token expires.
  package let expiresAt: Instant
  /// The time until which the access token may be used during an outage; nil if the server does not allow it.
  package let extendedExpiresAt: Instant?
  /// The time from which the server recommends a refresh.
  package let refreshAt: Instant?

  /// Parses a response.
  ///
  /// Times are converted from the server's clock to this machine's.
  ///
  /// - Throws: ``WireError`` with a code that starts with `token_response_`.
  package init(_ json: JSONObject, received: ResponseTime) throws(WireError) {
    accessToken = try TokenResponse.token(json, "access_token")
    idToken = try TokenResponse.token(json, "id_token")
    guard accessToken != nil || idToken != nil else {
      throw WireError(
        "token_response_incomplete", "The token response has no token.")
    }
    tokenType = json["token_type"]?.string?.nonBlank ?? "Bearer"
    refreshToken = try TokenResponse.token(json, "refresh_token")
    scopes = json["scope"]?.string?.nonBlank.map { Scopes(parsing: $0) }
    guard (scopes?.list.count ?? 0) <= Scopes.limit else {
      throw WireError(
        "token_response_invalid", "The token response has more than \(Scopes.limit) scopes.")
    }
    clientInfo = json["client_info"]?.string?.nonBlank
    familyID = json["foci"]?.text?.nonBlank
    // MSAL for Apple: expires_on, else now + expires_in, else now + 3600. Every member may be a number or a string. A
    // lifetime of zero or less is valid: the token expires immediately.
    let isOver = json["expires_in"]?.integer.map { $0 <= 0 } ?? false
    expiresAt =
      TokenResponse.time(in: json, at: "expires_on", after: "expires_in", received)
      ?? received.at.adding(seconds: isOver ? 0 : 3600)
    extendedExpiresAt = TokenResponse.time(
      in: json, at: "ext_expires_on", after: "ext_expires_in", received)
    refreshAt = TokenResponse.time(in: json, at: "refresh_on", after: "refresh_in", received)
  }

  /// Returns a token member; nil if it is absent or blank.
  ///
  /// - Throws: ``WireError`` `token_response_invalid` if it is not printable ASCII, since it is sent in a header field
  ///   (RFC 6749 appendix A.12, A.17: VSCHAR).
  package static func token(_ json: JSONObject, _ name: String) throws(WireError) -> Secret? {
    guard let text = json[name]?.string?.nonBlank else { return nil }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw WireError(
        "token_response_invalid", "The \(name) of the token response contains invalid characters.")
    }
    return Secret(text)
  }

  /// Returns an absolute time, or else a relative one; nil without either.
  ///
  /// Zero counts as absent.
  private static func time(
    in json: JSONObject, at absoluteMember: String, after delay: String, _ received: ResponseTime
  ) -> Instant? {
    let delay = json[delay]?.integer.flatMap { $0 > 0 ? received.at.adding(seconds: $0) : nil }
    guard let seconds = json[absoluteMember]?.integer, seconds > 0 else { return delay }
    let end = Instant(secondsSince1970: seconds)
    guard received.serverAheadSeconds != 0 else { return end }
    // A relative time needs no clock conversion.
    if let delay { return delay }
    let shifted = end.adding(seconds: 0 - received.serverAheadSeconds)
    // A proxy with a wrong clock may have sent the Date. Limit the lifetime: a token with a lifetime of years would never be
    // refreshed.
    return shifted.seconds(since: received.at) > maximumLifetimeSeconds
      ? min(end, shifted) : shifted
  }

  /// The lifetime above which the conversion from the server's clock must not extend it: one year, in seconds.
  private static let maximumLifetimeSeconds: Int64 = 31_622_400
}
