// SPDX-License-Identifier: MIT
// The assertions that clients sign with the key of a certificate (RFC 7523).

import TesseraTesting
import TesseraWire
import TestVectors
import Testing

@Suite struct SignedAssertionTests {
  let bench = Bench()
  private static let plain = "/oidc/main/token"
  private static let entra = Bench.contoso + "/oauth2/v2.0/token"
  private static let adfs = "/adfs/oauth2/token"

  init() throws {
    try register(TestCertificates.leaf, TestCertificates.curve)
  }

  private func register(_ certificates: String..., authorities: [String] = []) throws {
    var client = LocalClient(clientID: "daemon")
    client.certificates = certificates
    client.certificateAuthorities = authorities
    try bench.provider.perform(.register(client))
  }

  private func send(_ assertion: String, to path: String, client: String? = nil) -> Bench.Answer {
    bench.post(
      path,
      [
        "grant_type": "client_credentials", "client_id": client, "client_assertion": assertion,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "scope": "https://graph.microsoft.com/.default",
      ])
  }

  /// Returns an assertion that the endpoint accepts, unless it is changed.
  private func assertion(for path: String, id: String = "1") throws -> TestAssertion {
    var assertion = TestAssertion(audience: Bench.origin + path, at: bench.clock.now, id: id)
    try assertion.identify(TestCertificates.leaf, sha1: path == Self.adfs)
    return assertion
  }

  /// Expects an assertion to be refused with a number of Entra.
  private func expect(
    _ code: Int64, at path: String = entra, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout TestAssertion) throws -> Void
  ) throws {
    var assertion = try assertion(for: path)
    try change(&assertion)
    let answer = send(try assertion.signed(), to: path, client: "daemon")
    #expect(answer.status == 401, sourceLocation: sourceLocation)
    #expect(answer["error"] == "invalid_client", sourceLocation: sourceLocation)
    #expect(answer.json["error_codes"] == [.integer(code)], sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    (entra, "PS256"), (entra, "RS256"), (adfs, "RS256"), (plain, "PS256"), (plain, "RS256"),
  ])
  func `an RSA signature is accepted`(path: String, algorithm: String) throws {
    let token = try assertion(for: path).signed(algorithm)
    #expect(send(token, to: path).status == 200)
  }

  @Test func `the forms of the library are accepted`() throws {
    let certificate = try ClientCertificate(
      certificates: TestCertificates.leaf, key: Secret(TestCertificates.key), passphrase: nil)
    for path in [Self.plain, Self.entra, Self.adfs] {
      var assertion = ClientAssertion(clientID: "daemon", audience: Bench.origin + path)
      assertion.form = path == Self.adfs ? .sha1Thumbprint : .sha256Thumbprint
      let token = try #require(assertion.signed(by: certificate, at: bench.clock.now, id: "1"))
      #expect(send(token.reveal(), to: path).status == 200)
    }
  }

  @Test func `a key of P-256 is accepted at generic issuers only`() throws {
    for path in [Self.plain, Self.entra] {
      var assertion = try assertion(for: path)
      try assertion.identify(TestCertificates.curve)
      let token = try assertion.signed("ES256", key: TestCertificates.curveKey)
      #expect(send(token, to: path).status == (path == Self.plain ? 200 : 401))
    }
  }

  @Test func `ADFS does not accept PS256 and SHA-256 thumbprints`() throws {
    #expect(send(try assertion(for: Self.adfs).signed("PS256"), to: Self.adfs).status == 401)
    var other = TestAssertion(audience: Bench.origin + Self.adfs, at: bench.clock.now)
    try other.identify(TestCertificates.leaf)
    #expect(send(try other.signed("RS256"), to: Self.adfs).status == 401)
  }

  @Test func `a generic issuer needs no thumbprint`() throws {
    let assertion = TestAssertion(
      audience: bench.provider.issuer("main"), at: bench.clock.now)
    #expect(send(try assertion.signed("RS256"), to: Self.plain).status == 200)
  }

  @Test(arguments: [entra, plain])
  func `a changed assertion has an invalid signature`(path: String) throws {
    let token = try assertion(for: path).signed()
    var parts = token.split(separator: ".").map(String.init)
    var claims = try Bench.claims(token)
    claims["exp"] = .integer(bench.clock.now.secondsSince1970 + 900)
    parts[1] = Base64URL.encode(JSONValue.object(claims).bytes)
    let answer = send(parts.joined(separator: "."), to: path)
    #expect(answer.status == 401)
    if path == Self.entra { #expect(answer.json["error_codes"] == [7_000_274]) }
    // The algorithm of the header is not that of the signature.
    let ps256 = try assertion(for: path).signed("PS256").split(separator: ".").map(String.init)
    let rs256 = try assertion(for: path).signed("RS256").split(separator: ".").map(String.init)
    #expect(send("\(ps256[0]).\(ps256[1]).\(rs256[2])", to: path).status == 401)
    #expect(send("\(ps256[0]).\(ps256[1]).", to: path).status == 401)
  }

  @Test func `each invalid claim has the number of Entra`() throws {
    let now = bench.clock.now.secondsSince1970
    try expect(700_027) { try $0.identify(TestCertificates.renewed) }
    try expect(700_027) { $0.header["x5t#S256"] = nil }
    try expect(700_024) { $0.claims["exp"] = .integer(now) }
    try expect(700_024) { $0.claims["nbf"] = .integer(now + 301) }
    try expect(700_211) { $0.claims["iss"] = "another" }
    try expect(700_021) { $0.claims["sub"] = "another" }
    try expect(700_023) { $0.claims["aud"] = "https://login.example" }
    try expect(700_023) { $0.claims["aud"] = nil }
    try expect(50027) { $0.claims["exp"] = nil }
    let answer = send("no.jwt", to: Self.entra, client: "daemon")
    #expect(answer.json["error_codes"] == [50027])
  }

  @Test func `an expired assertion has the text of Entra`() throws {
    var assertion = try assertion(for: Self.entra)
    assertion.claims["exp"] = .integer(bench.clock.now.secondsSince1970 - 1)
    let text = send(try assertion.signed(), to: Self.entra)["error_description"] ?? ""
    #expect(
      text.hasPrefix("AADSTS700024: Client assertion is not within its valid time range."))
  }

  @Test func `an expired certificate is refused`() throws {
    try register(TestCertificates.expired)
    try expect(1_000_502) { try $0.identify(TestCertificates.expired) }
  }

  @Test func `Entra accepts the spellings of all MSAL libraries`() throws {
    let now = bench.clock.now.secondsSince1970
    var python = try assertion(for: Self.entra)
    python.claims["exp"] = .number("\(now + 600).0")
    let der = try #require(PEMBlock.blocks(of: TestCertificates.leaf).first).bytes
    python.header["x5t#S256"] = .string((python.header["x5t#S256"]?.string ?? "") + "=")
    python.header["x5c"] = [.string(Base64URL.encodeStandard(der))]
    var net = try assertion(for: Self.entra)
    net.claims["exp"] = .string("\(now + 600)")
    net.header["x5c"] = .string(Base64URL.encodeStandard(der))
    for assertion in [python, net] {
      let token = try assertion.signed()
      #expect(send(token, to: Self.entra).status == 200)
      // MSAL sends an assertion again until it expires.
      #expect(send(token, to: Self.entra).status == 200)
    }
  }

  @Test func `a generic issuer accepts integers and each assertion once`() throws {
    let token = try assertion(for: Self.plain).signed()
    #expect(send(token, to: Self.plain).status == 200)
    let replay = send(token, to: Self.plain)
    #expect(replay.status == 401)
    #expect(replay["error"] == "invalid_client")
    let now = bench.clock.now.secondsSince1970
    let changes: [(inout TestAssertion) -> Void] = [
      { $0.claims["exp"] = .number("\(now + 600).0") }, { $0.claims["exp"] = .string("\(now)") },
      { $0.claims["nbf"] = .number("\(now).5") }, { $0.claims["jti"] = nil },
    ]
    for (index, change) in changes.enumerated() {
      var other = try assertion(for: Self.plain, id: "change \(index)")
      change(&other)
      #expect(send(try other.signed(), to: Self.plain).status == 401, "\(index)")
    }
    #expect(send(try assertion(for: Self.plain, id: "2").signed(), to: Self.plain).status == 200)
    // A rejected assertion was not used.
    var early = try assertion(for: Self.plain, id: "3")
    early.claims["aud"] = "https://another.example"
    #expect(send(try early.signed(), to: Self.plain).status == 401)
    #expect(send(try assertion(for: Self.plain, id: "3").signed(), to: Self.plain).status == 200)
  }

  @Test func `a replaced certificate is refused from then on`() throws {
    let token = try assertion(for: Self.entra).signed()
    try register(TestCertificates.renewed)
    #expect(send(token, to: Self.entra).json["error_codes"] == [700_027])
    var renewed = try assertion(for: Self.entra)
    try renewed.identify(TestCertificates.renewed)
    #expect(send(try renewed.signed(), to: Self.entra).status == 200)
  }

  @Test func `Entra trusts a renewed certificate of a trusted authority in x5c`() throws {
    var renewed = try assertion(for: Self.entra)
    try renewed.identify(TestCertificates.renewed)
    let der = try #require(PEMBlock.blocks(of: TestCertificates.renewed).first).bytes
    #expect(send(try renewed.signed(), to: Self.entra).status == 401)
    renewed.header["x5c"] = [.string(Base64URL.encodeStandard(der))]
    #expect(send(try renewed.signed(), to: Self.entra).status == 401)
    try register(TestCertificates.leaf, authorities: [TestCertificates.authority])
    #expect(send(try renewed.signed(), to: Self.entra).status == 200)
    // Its subject must be that of a certificate of the client.
    try register(TestCertificates.curve, authorities: [TestCertificates.authority])
    #expect(send(try renewed.signed(), to: Self.entra).status == 401)
    // The authority must have signed the certificate.
    var forged = renewed
    try register(TestCertificates.leaf, authorities: [TestCertificates.authority])
    let expired = try #require(PEMBlock.blocks(of: TestCertificates.expired).first).bytes
    forged.header["x5c"] = [.string(Base64URL.encodeStandard(expired))]
    try forged.identify(TestCertificates.expired)
    #expect(send(try forged.signed(), to: Self.entra).status == 401)
  }

  @Test func `the domain of the tenant is accepted in the audience`() throws {
    for tenant in ["contoso.onmicrosoft.com", "contoso.com"] {
      let path = "/\(tenant)/oauth2/v2.0/token"
      #expect(send(try assertion(for: path).signed(), to: path).status == 200)
    }
    let other = "/22222222-2222-4222-8222-222222222222/oauth2/v2.0/token"
    #expect(send(try assertion(for: Self.entra).signed(), to: other).status == 401)
  }
}
