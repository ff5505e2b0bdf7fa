// SPDX-License-Identifier: MIT
// Tests of the assertions with which applications authenticate.

import TesseraWire
import TestVectors
import Testing

@Suite struct ClientAssertionTests {
  @Test(arguments: TestVector.all(in: "services", areas: "signature_rs256"))
  func `signatures with RS256 are those of other libraries`(_ vector: TestVector) throws {
    let key = try ClientCertificate.privateKey(
      in: Secret(vector.input["pem"]?.string ?? ""), passphrase: nil)
    let message = Array((vector.input["message"]?.string ?? "").utf8)
    let signature = try #require(key.sign(message, .rs256))
    #expect(Base64URL.encode(signature) == vector.expected["signature"]?.string)
    #expect(key.sign(message, .es256) == nil)
  }

  @Test func `the header and the claims are those that Entra ID expects`() throws {
    let token = try signed { $0.sendsChain = true }
    #expect(token.header["alg"]?.string == "PS256")
    #expect(token.header["typ"]?.string == "JWT")
    #expect(token.header["x5t#S256"]?.string == certificate.x5tS256)
    #expect(token.header["x5c"] == .strings(certificate.x5c))
    #expect(token.header["x5t"] == nil)
    #expect(
      token.claims
        == [
          "aud": "https://login.example/token", "iss": "client", "sub": "client", "jti": "id-1",
          "iat": 1_700_000_000, "nbf": 1_700_000_000, "exp": 1_700_000_600,
        ])
  }

  @Test func `AD FS gets RS256 with a SHA-1 thumbprint`() throws {
    let token = try signed { $0.form = .sha1Thumbprint }
    #expect(token.header["alg"]?.string == "RS256")
    #expect(token.header["x5t"]?.string == certificate.x5t)
    #expect(token.header["x5t#S256"] == nil)
    #expect(token.header["x5c"] == nil)
  }

  private let certificate: ClientCertificate

  init() throws {
    let vector = try #require(TestVector.all(in: "services", areas: "certificate").first)
    let pem = vector.input["pem"]?.string ?? ""
    certificate = try ClientCertificate(certificates: pem, key: Secret(pem), passphrase: nil)
  }

  private func signed(
    _ change: (inout ClientAssertion) -> Void
  ) throws -> (header: JSONObject, claims: JSONObject) {
    var assertion = ClientAssertion(clientID: "client", audience: "https://login.example/token")
    change(&assertion)
    let now = Instant(secondsSince1970: 1_700_000_000)
    let token = try #require(assertion.signed(by: certificate, at: now, id: "id-1"))
    let parts = try token.reveal().split(separator: ".").prefix(2).map { part in
      let bytes = try #require(Base64URL.decode(part))
      return try #require(JSONValue(parsing: bytes).object)
    }
    return (try #require(parts.first), try #require(parts.last))
  }
}
