// SPDX-License-Identifier: MIT
// The token response (RFC 6749 section 5.1), read tolerantly and believed only as far as it proves itself.

/// A successful answer of the token endpoint.
package struct TokenResponse: Sendable {
  /// The access token, for the resource; absent when only an ID token was asked for.
  package let accessToken: Secret?
  /// How the access token is used; `Bearer` if the server does not say.
  package let tokenType: String
  /// The new refresh token; absent when the old one stays in force (RFC 6749 section 6).
  package let refreshToken: Secret?
  /// The raw ID token.
  package let idToken: Secret?
  /// What was granted; nil when the server means "what was asked for" (RFC 6749 section 5.1).
  package let scopes: Scopes?
  /// The raw `client_info`, by which Entra names the home account.
  package var clientInfo: String?
  /// The family of applications that share the refresh token; Entra only.
  package let familyID: String?
  /// When the access token expires.
  package let expiresAt: Instant
  /// Until when the access token may serve during an outage; nil if the server grants no such thing.
  package let extendedExpiresAt: Instant?
  /// From when on the server would like the token refreshed.
  package let refreshAt: Instant?

  /// Reads an answer that arrived at a given time.
  ///
  /// Points in time are the server's, and become this machine's.
  ///
  /// - Throws: ``WireError`` for an answer that is no token response.
  package init(_ json: JSONObject, received: ResponseTime) throws(WireError) {
    accessToken = try TokenResponse.token(json, "access_token")
    idToken = try TokenResponse.token(json, "id_token")
    guard accessToken != nil || idToken != nil else {
      throw WireError(
        "token_response_incomplete", "The token endpoint answered without any token.")
    }
    tokenType = json["token_type"]?.string?.nonBlank ?? "Bearer"
    refreshToken = try TokenResponse.token(json, "refresh_token")
    scopes = json["scope"]?.string?.nonBlank.map { Scopes(parsing: $0) }
    guard (scopes?.list.count ?? 0) <= Scopes.limit else {
      throw WireError("token_response_invalid", "The server granted more scopes than can be.")
    }
    clientInfo = json["client_info"]?.string?.nonBlank
    familyID = json["foci"]?.text?.nonBlank
    // MSAL for Apple: expires_on, else now + expires_in, else now + 3600. Every field may be a number or a text.
    // A lifetime of zero is one all the same: the token is good for this moment only.
    let isOver = json["expires_in"]?.integer.map { $0 <= 0 } ?? false
    expiresAt =
      TokenResponse.time(in: json, at: "expires_on", after: "expires_in", received)
      ?? received.at.adding(seconds: isOver ? 0 : 3600)
    extendedExpiresAt = TokenResponse.time(
      in: json, at: "ext_expires_on", after: "ext_expires_in", received)
    refreshAt = TokenResponse.time(in: json, at: "refresh_on", after: "refresh_in", received)
  }

  /// A token; it goes into a header field, so it must be printable (RFC 6749 appendix A.12, A.17: VSCHAR).
  package static func token(_ json: JSONObject, _ name: String) throws(WireError) -> Secret? {
    guard let text = json[name]?.string?.nonBlank else { return nil }
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw WireError(
        "token_response_invalid", "The server's \(name) has characters that no token has.")
    }
    return Secret(text)
  }

  /// A time given as a point or, failing that, as a delay; zero counts as absent.
  private static func time(
    in json: JSONObject, at point: String, after delay: String, _ received: ResponseTime
  ) -> Instant? {
    let delay = json[delay]?.integer.flatMap { $0 > 0 ? received.at.adding(seconds: $0) : nil }
    guard let seconds = json[point]?.integer, seconds > 0 else { return delay }
    let end = Instant(secondsSince1970: seconds)
    guard received.serverAheadSeconds != 0 else { return end }
    // A delay is the same by every clock.
    if let delay { return delay }
    let shifted = end.adding(seconds: 0 - received.serverAheadSeconds)
    // Whoever sent the Date may not be who made the token: one that lives for years would never be refreshed.
    return shifted.seconds(since: received.at) > longestLifetime ? min(end, shifted) : shifted
  }

  /// Seconds that a token lives at most of which only one clock says when it ends: a year.
  private static let longestLifetime: Int64 = 31_622_400
}
