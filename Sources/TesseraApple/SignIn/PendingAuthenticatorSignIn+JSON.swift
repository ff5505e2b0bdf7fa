// SPDX-License-Identifier: MIT
// The JSON form of a pending sign-in with Microsoft Authenticator, which is stored encrypted.

import TesseraEngine
package import TesseraWire

extension PendingAuthenticatorSignIn {
  /// The JSON form of the sign-in before encryption.
  package var json: JSONObject {
    var json = JSONObject()
    json.append("id", id)
    json.append("authority", authority)
    json.append("issuer", issuer)
    json.append("redirect_uri", redirectURI)
    json.append("answer_uri", responseURI)
    json.append("broker_nonce", nonce.reveal())
    json.append("broker_key", key?.text.reveal())
    json.append("scope", scopes.text)
    json.append("claims", claims)
    json.append("home_account_id", account?.homeAccountID)
    json.append("username", account?.username)
    json.append("correlation_id", correlationID)
    json.append("expires_on", .integer(expiresAt.secondsSince1970))
    return json
  }

  /// Parses a decrypted sign-in.
  ///
  /// Returns `nil` if a value is missing that is required to parse the response.
  ///
  /// A missing key is accepted here, because it is reported by a separate error.
  package init?(_ json: JSONObject) {
    func text(_ name: String) -> String? { json[name]?.string?.nonBlank }
    guard let id = text("id"), let authority = text("authority"), let issuer = text("issuer"),
      let redirectURI = text("redirect_uri"), let responseURI = text("answer_uri"),
      let nonce = text("broker_nonce"), let scopes = text("scope"),
      let expiresOn = json["expires_on"]?.integer
    else { return nil }
    self.init(
      id: id, authority: authority, issuer: issuer, redirectURI: redirectURI,
      responseURI: responseURI, nonce: Secret(nonce),
      key: text("broker_key").flatMap { AuthenticatorKey(Secret($0)) },
      scopes: Scopes(parsing: scopes), claims: text("claims"),
      account: text("home_account_id").map {
        AccountConstraint(homeAccountID: $0, username: text("username"))
      },
      correlationID: text("correlation_id") ?? "",
      expiresAt: Instant(secondsSince1970: expiresOn))
  }
}
