// SPDX-License-Identifier: MIT
// Tests of the exact authorization request, and of the token request for its code.

import TesseraWire
import Testing

@Suite struct AuthorizationRequestTests {
  private var secrets: AuthorizationSecrets {
    AuthorizationSecrets(
      state: Secret("S"), nonce: Secret("N"),
      verifier: CodeVerifier(Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")))
  }

  private var request: AuthorizationRequest {
    AuthorizationRequest(
      to: "https://p.example/authorize", clientID: "app", redirectURI: "http://localhost:8400",
      scopes: Scopes(["a", "openid"]), secrets: secrets)
  }

  @Test func `the code challenge matches appendix B of RFC 7636`() {
    #expect(secrets.verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `state, nonce and verifier have 32 random bytes each`() {
    var asked: [Int] = []
    let made = AuthorizationSecrets { count in
      asked.append(count)
      return [UInt8](repeating: UInt8(asked.count), count: count)
    }
    #expect(asked == [32, 32, 32])
    #expect(made.verifier.secret.utf8Count == 43)
    #expect(Set([made.state, made.nonce, made.verifier.secret]).count == 3)
    #expect("\(made)".contains("redacted"))
  }

  @Test func `a minimal request has no optional parameters`() {
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    #expect(
      request.address
        == "https://p.example/authorize?client_id=app&response_type=code"
        + "&redirect_uri=http%3A%2F%2Flocalhost%3A8400&scope=a%20openid&state=S&nonce=N"
        + "&code_challenge=\(challenge)&code_challenge_method=S256")
  }

  @Test func `a request to Entra has all optional parameters`() {
    var request = request
    request.endpoint += "?p=b2c_1_x&state=old&dc=y"
    request.responseMode = .formPost
    request.prompt = "select_account"
    request.loginHint = "alice@contoso.com"
    request.domainHint = "contoso.com"
    request.homeAccountID = "u.t"
    request.claims = #"{"a":1}"#
    request.isInstanceAware = true
    request.requestsClientInfo = true
    request.correlationID = "id"
    request.extraQuery = ["z": "1 2", "state": "evil", "dc": "x"]
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    #expect(
      request.address
        == "https://p.example/authorize?p=b2c_1_x&dc=x&z=1%202&client_id=app&response_type=code"
        + "&redirect_uri=http%3A%2F%2Flocalhost%3A8400&response_mode=form_post&scope=a%20openid"
        + "&state=S&nonce=N&code_challenge=\(challenge)&code_challenge_method=S256"
        + "&prompt=select_account&login_hint=alice%40contoso.com&domain_hint=contoso.com"
        + "&login_req=u&domain_req=t&claims=%7B%22a%22%3A1%7D&instance_aware=true&client_info=1"
        + "&client-request-id=id&return-client-request-id=true")
  }

  @Test func `extra query parameters may be blank`() {
    var request = request
    request.endpoint += "?own=&bare"
    request.extraQuery = ["blank": "", "spaces": "  "]
    let address = request.address
    #expect(address.hasPrefix("https://p.example/authorize?own&bare&blank&spaces&client_id=app&"))
  }

  @Test(arguments: ["", "u", "u.", ".t", "a.b.c"])
  func `a malformed home account ID is not sent`(_ account: String) {
    var request = request
    request.homeAccountID = account
    #expect(request.fields["login_req"] == nil)
  }

  @Test func `the token request for a code has the verifier and the redirect URI`() {
    let request = TokenRequest(
      grant: .authorizationCode(
        Secret("c/1"), redirectURI: "http://localhost:8400", verifier: secrets.verifier),
      clientID: "app", scopes: Scopes(["a", "openid"]), requestsClientInfo: true)
    #expect(
      request.form.encoded
        == "client_id=app&grant_type=authorization_code&code=c%2F1"
        + "&redirect_uri=http%3A%2F%2Flocalhost%3A8400"
        + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&scope=a+openid&client_info=1")
  }
}
