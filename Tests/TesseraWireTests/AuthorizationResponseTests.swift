// SPDX-License-Identifier: MIT
// Tests of the authorization response: the state check, the other checks and their error codes.

import TesseraWire
import TestVectors
import Testing

@Suite struct AuthorizationResponseTests {
  private let expected = AuthorizationExpectation(
    state: Secret("S"), redirectURI: "http://localhost:8400/back", issuer: "https://p.example")

  private func answer(_ query: String) -> RawAuthorizationResponse {
    .address(Secret("http://localhost:8400/back?" + query))
  }

  private func code(_ response: AuthorizationResponse) -> String? {
    guard case .code(let code) = response.content else { return nil }
    return code.reveal()
  }

  @Test(arguments: [
    "code=c&state=S", "state=S&code=c&session_state=x",
    "state=S&code=c&iss=https%3A%2F%2Fp.example",
    "state=S&code=c#_=_", "state=S&error=&code=c",
  ])
  func `the code is parsed from the query`(_ query: String) throws {
    #expect(code(try AuthorizationResponse(answer(query), to: expected)) == "c")
  }

  @Test func `the code is parsed from a form`() throws {
    let form = RawAuthorizationResponse.form(Secret("code=c%2B1&state=S"))
    #expect(code(try AuthorizationResponse(form, to: expected)) == "c+1")
  }

  @Test(arguments: [
    ("", "state"), ("code=c", "state"), ("code=c&state=", "state"), ("code=c&state=T", "state"),
    ("code=c&state=S&state=S", "state"), ("error=access_denied", "state"),
    ("code=c&code=d&state=S", "repeated"), ("state=S&error=a&error=b", "repeated"),
    ("state=S&iss=https%3A%2F%2Fevil.example&code=c", "issuer"),
    ("state=S&iss=https%3A%2F%2Fevil.example&error=access_denied", "issuer"),
    ("state=S", "incomplete"), ("state=S&code=", "incomplete"), ("state=S&code=%20", "incomplete"),
    ("state=S&code=c&error=x", "ambiguous"), ("state=S&code=%C3%A9", "code"),
    ("state=S&code=a%0Ab", "code"), ("state=S#code=c", "incomplete"), ("#state=S&code=c", "state"),
  ])
  func `the state is checked first, and each fault has its code`(_ query: String, _ name: String) {
    let error = #expect(throws: WireError.self) {
      try AuthorizationResponse(answer(query), to: expected)
    }
    #expect(error?.code == "authorization_" + name)
  }

  @Test func `a response with too many bytes or parameters is rejected`() {
    for query in [
      "state=S&code=" + String(repeating: "c", count: 70_000),
      "state=S&code=c" + (0..<200).map { "&a\($0)=1" }.joined(),
    ] {
      let error = #expect(throws: WireError.self) {
        try AuthorizationResponse(answer(query), to: expected)
      }
      #expect(error?.code == "authorization_too_large")
    }
  }

  @Test(arguments: [
    ("http://localhost:8400/back", true), ("HTTP://LOCALHOST:8400/back", true),
    ("http://localhost:8400/Back", false), ("http://localhost:8401/back", false),
    ("http://localhost:8400/back/more", false), ("https://localhost:8400/back", false),
    ("msauth://code/redirect", false),
  ])
  func `a response is accepted only at the redirect URI`(_ receivedURI: String, _ isRight: Bool) {
    let response = try? AuthorizationResponse(
      .address(Secret(receivedURI + "?code=c&state=S")), to: expected)
    #expect((response != nil) == isRight)
  }

  @Test func `an empty path and a single slash are equal in redirect URIs`() {
    #expect("myapp://AUTH/".isSameRedirect(as: "myapp://auth"))
    #expect("http://localhost:1/".isSameRedirect(as: "http://localhost:1"))
    #expect(!"myapp://auth/x".isSameRedirect(as: "myapp://auth"))
  }

  @Test func `a missing iss is rejected if the provider announces iss`() {
    var expected = expected
    expected.requiresIssuer = true
    let error = #expect(throws: WireError.self) {
      try AuthorizationResponse(answer("code=c&state=S"), to: expected)
    }
    #expect(error?.code == "authorization_issuer")
  }

  @Test func `an error without iss is reported even if the provider announces iss`() throws {
    var expected = expected
    expected.requiresIssuer = true
    let response = try AuthorizationResponse(answer("error=login_required&state=S"), to: expected)
    guard case .errorResponse(let errorResponse) = response.content else {
      Issue.record("The response is not an error.")
      return
    }
    #expect(errorResponse.error == "login_required")
  }

  @Test(arguments: ["code=c&error=login_required&state=S", "state=S", "error=&code=c&state=S"])
  func `only an error response may omit iss`(_ query: String) {
    var expected = expected
    expected.requiresIssuer = true
    let error = #expect(throws: WireError.self) {
      try AuthorizationResponse(answer(query), to: expected)
    }
    #expect(error?.code == "authorization_issuer")
  }

  @Test(arguments: [
    ("https://login.example/t1/v2.0", true), ("https://login.example//v2.0", false),
    ("https://login.example/a/b/v2.0", false), ("https://evil.example/t1/v2.0", false),
    ("https://login.example/v2.0", false),
  ])
  func `a tenant placeholder in the issuer matches any tenant`(_ issuer: String, _ fits: Bool) {
    var expected = expected
    expected.issuer = "https://login.example/{tenantid}/v2.0"
    let query = "code=c&state=S&iss=" + FormFields.escape(issuer)
    #expect(((try? AuthorizationResponse(answer(query), to: expected)) != nil) == fits)
  }

  @Test func `an error response keeps the provider's error codes and description`() throws {
    let response = try AuthorizationResponse(
      answer(
        "state=S&error=access_denied&error_subcode=cancel"
          + "&error_description=AADSTS65004%3A+User+declined.%0D%0ATrace"), to: expected)
    guard case .errorResponse(let errorResponse) = response.content else {
      Issue.record("no refusal")
      return
    }
    #expect(errorResponse.error == "access_denied")
    #expect(errorResponse.suberror == "cancel")
    #expect(errorResponse.serverCodes == [65004])
    #expect(errorResponse.errorDescription == "AADSTS65004: User declined.")
  }

  @Test func `a certificate sign-in on another device may use its special redirect`() throws {
    var expected = expected
    expected.acceptsCertificateRedirect = true
    let response = try AuthorizationResponse(
      .address(Secret("msauth://code/redirect?code=somecode&state=S#")), to: expected)
    #expect(code(response) == "somecode")
    #expect(response.redirectURI == "msauth://code/redirect")
  }
}
