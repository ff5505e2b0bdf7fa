// SPDX-License-Identifier: MIT
// Values in the wrong member: the error names the intended member.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct SwappedMemberTests {
  private let bench = TestBench()

  @Test(arguments: ["/common", "/common/v2.0", "/organizations", "/Consumers/v2.0"])
  func `a missing authority_type of an Entra authority is named in the error`(
    _ path: String
  ) throws {
    let application = try bench.application { configuration in
      configuration.authority = "http://127.0.0.1:8400" + path
      configuration.authorityType = nil
    }
    let error = #expect(throws: TesseraError.self) { try bench.signIn(application) }
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.message.contains(#"set authority_type to "entra""#) == true)
    #expect(error?.message.contains("exactly as its discovery document states it") == false)
  }

  @Test func `the issuer of shared tenants is recognized at any path`() throws {
    let configuration = try OpenIDConfiguration([
      "issuer": "https://login.example/{tenantid}/v2.0",
      "token_endpoint": "https://login.example/token",
    ])
    let authority = try Authority("https://login.example/Sts", type: nil)
    let error = #expect(throws: TesseraError.self) {
      try ResolvedAuthority(authority, configuration, cloud: nil)
    }
    #expect(error?.code == .issuerMismatch)
    #expect(error?.message.contains(#"set authority_type to "entra""#) == true)
  }

  @Test func `a different issuer that is not Entra's gets no hint`() throws {
    let application = try bench.application { configuration in
      configuration.authority = bench.provider.issuer("main") + "/"
      configuration.authorityType = .openID
    }
    let error = #expect(throws: TesseraError.self) { try bench.signIn(application) }
    #expect(error?.message.contains("authority_type") == false)
  }

  @Test func `a user name as home account ID is a request error`() throws {
    let application = try bench.application()
    let username = try #require(try bench.signIn(application).account.username)
    let request = SilentRequest(homeAccountID: username, scopes: ["user.read"])
    let errors = [
      #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) },
      #expect(throws: TesseraError.self) { try application.acquireTokenSilentExplained(request) },
    ]
    for error in errors {
      #expect(error?.remedy == .fixRequest && error?.code == .invalidMember)
      #expect(error?.message.contains("is a user name") == true)
    }
  }

  @Test func `an unknown user name as home account ID requires a sign-in`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let request = SilentRequest(homeAccountID: "nobody@contoso.com", scopes: ["user.read"])
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    #expect(error?.remedy == .signIn)
  }
}
