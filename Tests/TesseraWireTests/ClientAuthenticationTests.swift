// SPDX-License-Identifier: MIT
// Tests of the requests of confidential clients.

import TesseraWire
import TestVectors
import Testing

@Suite struct ClientAuthenticationTests {
  @Test(arguments: TestVector.all(in: "services", areas: "client_secret_basic"))
  func `a secret in the header field is encoded as in RFC 6749`(_ vector: TestVector) {
    var request = TokenRequest(
      grant: .clientCredentials, clientID: vector.input["client_id"]?.string ?? "",
      scopes: Scopes([]))
    let secret = vector.input["client_secret"]?.string ?? ""
    request.authentication = .secretInHeader(Secret(secret))
    let message = request.httpRequest(to: "https://login.example/token")
    #expect(message.headers["Authorization"] == vector.expected["authorization"]?.string)
    #expect(request.form["client_secret"] == nil)
  }

  @Test func `an application requests a token for itself`() {
    var request = TokenRequest(
      grant: .clientCredentials, clientID: "client",
      scopes: Scopes(["https://graph.example/.default"]))
    request.authentication = .secretInBody(Secret("s 1&"))
    #expect(
      request.form.encoded
        == "client_id=client&grant_type=client_credentials&scope=https%3A%2F%2Fgraph.example%2F.default&client_secret=s+1%26"
    )
    let message = request.httpRequest(to: "https://login.example/token")
    #expect(message.headers["Authorization"] == nil)
  }

  @Test func `a web API requests a token for its user`() {
    var request = TokenRequest(
      grant: .onBehalfOf(Secret("incoming")), clientID: "api", scopes: Scopes(["User.Read"]))
    request.authentication = .clientAssertion(Secret("proof"))
    #expect(request.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    #expect(request.form["assertion"] == "incoming")
    #expect(request.form["requested_token_use"] == "on_behalf_of")
    #expect(request.form["client_assertion"] == "proof")
    #expect(
      request.form["client_assertion_type"]
        == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
  }

  @Test(arguments: [
    ClientAuthentication.secretInBody(Secret("a secret")),
    .secretInHeader(Secret("a secret")), .clientAssertion(Secret("a secret")),
  ])
  func `errors of the server do not contain the secret`(_ authentication: ClientAuthentication) {
    var request = TokenRequest(grant: .clientCredentials, clientID: "client", scopes: Scopes([]))
    request.authentication = authentication
    let message = request.httpRequest(to: "https://login.example/token")
    let sent = RequestSecrets(message)
    #expect(sent.removed(from: "wrong: a secret") == "wrong: <removed>")
    guard let header = message.headers["Authorization"] else { return }
    #expect(sent.removed(from: "sent: \(header)") == "sent: Basic <removed>")
  }
}
