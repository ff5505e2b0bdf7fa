// SPDX-License-Identifier: MIT
// A sign-in between the page and its answer: everything that it takes to redeem the code, and to know whose it is.

package import TesseraWire

/// A sign-in whose answer has not come yet.
package struct PendingSignIn: Sendable, Hashable {
  /// What tells it from others; it can be seen.
  package var id: String
  /// The application that began it.
  package var clientID: String
  /// The address of the authority.
  package var authority: String
  /// Who issues its tokens.
  package var issuer: String
  /// Where the answer comes.
  package var redirectURI: String
  package var secrets: AuthorizationSecrets
  /// What was asked for, without what was only to be consented to.
  package var scopes: Scopes
  /// The claims of the caller, as JSON text.
  package var claims: String?
  /// What the program adds to the request that redeems the answer.
  package var extraTokenFields: [String: String] = [:]
  /// The account that must sign in; nil for anybody.
  package var homeAccountID: String?
  /// The name of that account.
  package var username: String?
  /// The program that must open the redirect URI; nil for any.
  package var sourceApplication: String?
  package var correlationID: String
  /// Until when the answer is taken.
  package var expiresAt: Instant
}

extension PendingSignIn {
  /// The sign-in as it is sealed.
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

  /// A sign-in that was sealed; nil for anything else.
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
      scopes: Scopes(parsing: scopes), claims: text("claims"),
      extraTokenFields: PendingSignIn.fields(json["extra_token_parameters"]),
      homeAccountID: text("home_account_id"), username: text("username"),
      sourceApplication: text("source_application"), correlationID: text("correlation_id") ?? "",
      expiresAt: Instant(secondsSince1970: expiresOn))
  }

  private static func fields(_ json: JSONValue?) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, value) in json?.object?.members ?? [] { fields[name] = value.string }
    return fields
  }

  /// What the answer must show.
  package func expectation(of authority: ResolvedAuthority) -> AuthorizationExpectation {
    var expected = AuthorizationExpectation(
      state: secrets.state, redirectURI: redirectURI, issuer: issuer)
    expected.requiresIssuer = authority.configuration.namesItself
    expected.acceptsCertificateAnswer = authority.authority.isMicrosoft
    return expected
  }

  /// Whose tokens must come; nil for anybody's.
  package var account: ExpectedAccount? {
    homeAccountID.map { ExpectedAccount(homeAccountID: $0, username: username) }
  }
}
