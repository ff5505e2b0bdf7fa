// SPDX-License-Identifier: MIT
// Token descriptions: claims are decoded without validation, and any input is accepted.

import TesseraEngine
import TesseraWire
import TestVectors
import Testing

@Suite struct TokenDescriptionTests {
  private func token(_ header: JSONValue, _ claims: JSONValue) -> Secret {
    Secret(Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes) + ".c2ln")
  }

  @Test func `the claims of a JWT are decoded`() {
    let description = TokenDescription(
      token(
        ["alg": "RS256"],
        [
          "iss": "https://issuer.example", "aud": "api://mine", "sub": "s", "tid": "t",
          "azp": "client", "scp": "a.read b.write", "roles": ["reader"], "exp": 4_102_444_800,
          "preferred_username": "alice@contoso.com",
        ]))
    #expect(description.kind == .jwt)
    #expect(description.algorithm == "RS256")
    #expect(description.issuer == "https://issuer.example")
    #expect(description.audiences == ["api://mine"])
    #expect(description.clientID == "client")
    #expect(description.username == "alice@contoso.com")
    #expect(description.scopes == ["a.read", "b.write"])
    #expect(description.roles == ["reader"])
    #expect(description.expiresOn == 4_102_444_800)
    #expect(description.hint.contains("api://mine"))
    #expect(description.json.object?["verified"] == .bool(false))
  }

  @Test(arguments: ["", "opaque", "a.b.c", "..", "e30.e30", "M.C5_BAY.-CdfX*"])
  func `any other text is described as opaque`(_ text: String) {
    let description = TokenDescription(Secret(text))
    #expect(description.kind == .opaque)
    #expect(description.audiences.isEmpty && description.expiresOn == nil)
  }

  @Test func `the hint recognizes Microsoft Graph tokens and ID tokens`() {
    let graph: JSONValue = ["aud": "00000003-0000-0000-c000-000000000000"]
    #expect(TokenDescription(token(["alg": "RS256"], graph)).hint.contains("Graph"))
    let identity: JSONValue = ["aud": ["client"], "nonce": "n"]
    #expect(TokenDescription(token(["alg": "RS256"], identity)).hint.contains("ID token"))
  }

  @Test func `the hint contains no control characters`() {
    let claims: JSONValue = ["aud": "\u{202e}evil\u{1b}[31m"]
    #expect(
      TokenDescription(token(["alg": "RS256"], claims)).hint.hasPrefix("For evil[31m: "))
  }

  @Test(arguments: TestVector.all(in: "describe", areas: "describe"))
  func `the description matches the row shared with C and Python`(_ vector: TestVector) throws {
    let token = try #require(vector.input["token"]?.string)
    var seen = try #require(TokenDescription(Secret(token)).json.object)
    #expect(seen["hint"]?.string?.nonBlank != nil)
    seen["hint"] = nil
    let expected = try #require(vector.expected.object)
    let names = Set(expected.members.map(\.name)).union(seen.members.map(\.name))
    for name in names.sorted() { #expect(seen[name] == expected[name], "\(name)") }
  }
}
