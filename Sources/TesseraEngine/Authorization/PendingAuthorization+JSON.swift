// SPDX-License-Identifier: MIT
// The JSON form of a pending sign-in, which is stored encrypted.

package import TesseraWire

extension PendingAuthorization {
  /// The JSON form of the sign-in before encryption.
  package var json: JSONObject {
    var json = JSONObject()
    json.append("id", id)
    json.append("client_id", clientID)
    json.append("authority", authority)
    json.append("issuer", issuer)
    json.append("redirect_uri", redirectURI)
    json.append("state", secrets.state.reveal())
    json.append("nonce", secrets.nonce.reveal())
    json.append("code_verifier", secrets.verifier.secret.reveal())
    json.append("scope", scopes.text)
    if !requestsRefreshToken { json.append("request_refresh_token", .bool(false)) }
    json.append("claims", claims)
    if !extraTokenFields.isEmpty {
      var fields = JSONObject()
      for (name, value) in extraTokenFields.sorted(by: { $0.key < $1.key }) {
        fields.append(name, .string(value))
      }
      json.append("extra_token_parameters", .object(fields))
    }
    json.append("home_account_id", homeAccountID)
    json.append("username", username)
    json.append("source_application", sourceApplication)
    json.append("correlation_id", correlationID)
    json.append("expires_on", .integer(expiresAt.secondsSince1970))
    return json
  }

  /// Parses a decrypted sign-in.
  ///
  /// Returns `nil` for any other JSON object.
  package init?(_ json: JSONObject) {
    func text(_ name: String) -> String? { json[name]?.string?.nonBlank }
    guard let id = text("id"), let clientID = text("client_id"), let authority = text("authority"),
      let issuer = text("issuer"), let redirectURI = text("redirect_uri"),
      let state = text("state"), let nonce = text("nonce"), let verifier = text("code_verifier"),
      let scopes = text("scope"), let expiresOn = json["expires_on"]?.integer
    else { return nil }
    self.init(
      id: id, clientID: clientID, authority: authority, issuer: issuer, redirectURI: redirectURI,
      secrets: AuthorizationSecrets(
        state: Secret(state), nonce: Secret(nonce), verifier: CodeVerifier(Secret(verifier))),
      scopes: Scopes(parsing: scopes),
      requestsRefreshToken: json["request_refresh_token"]?.bool ?? true, claims: text("claims"),
      extraTokenFields: PendingAuthorization.fields(json["extra_token_parameters"]),
      homeAccountID: text("home_account_id"), username: text("username"),
      sourceApplication: text("source_application"), correlationID: text("correlation_id") ?? "",
      expiresAt: Instant(secondsSince1970: expiresOn))
  }

  private static func fields(_ json: JSONValue?) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, value) in json?.object?.members ?? [] { fields[name] = value.string }
    return fields
  }
}
