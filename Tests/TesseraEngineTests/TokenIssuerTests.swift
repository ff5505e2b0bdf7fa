// SPDX-License-Identifier: MIT
// Issuer and tenant validation of ID tokens for each kind of authority.

import TesseraCache
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@Suite struct TokenIssuerTests {
  /// One row: a discovery document and an ID token, with the expected result.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let authority: String
    var type: AuthorityType?
    /// The issuer in the discovery document.
    var issuer: String
    /// The `iss` claim of the ID token; `nil` for none.
    var iss: String?
    /// The `tid` claim of the ID token; `nil` for none.
    var tid: String?
    var decision = Decision.tokenAccepted
    var testDescription: String { "\(authority): \(name)" }

    enum Decision { case tokenAccepted, documentRejected, tokenRejected, notAdmitted }

    func but(
      _ name: String, issuer: String? = nil, iss: String?? = .none, tid: String?? = .none,
      _ decision: Decision = .tokenRejected
    ) -> Row {
      var row = Row(
        name: name, authority: authority, type: type, issuer: issuer ?? self.issuer,
        iss: self.iss, tid: self.tid, decision: decision)
      if let iss { row.iss = iss }
      if let tid { row.tid = tid }
      return row
    }
  }

  private static let one = "11111111-1111-4111-8111-111111111111"
  private static let other = "22222222-2222-4222-8222-222222222222"
  private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
  private static let entra = "https://login.microsoftonline.com"

  private static func entra(
    _ tenant: String, issuer: String, tid: String, host: String = entra
  ) -> Row {
    Row(
      name: "right", authority: "\(host)/\(tenant)", issuer: "\(host)/\(issuer)/v2.0",
      iss: "\(host)/\(tid)/v2.0", tid: tid)
  }

  private static let tenant = entra(one, issuer: one, tid: one)
  private static let domain = entra("contoso.com", issuer: one, tid: one)
  private static let common = entra("common", issuer: "{tenantid}", tid: one)
  private static let organizations = entra("organizations", issuer: "{tenantid}", tid: one)
  private static let consumers = entra("consumers", issuer: personal, tid: personal)
  private static let b2c = Row(
    name: "right", authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin",
    issuer: "https://contoso.b2clogin.com/\(one)/v2.0/",
    iss: "https://contoso.b2clogin.com/\(one)/v2.0/")
  private static let tfpIssuer = "https://contoso.b2clogin.com/tfp/\(one)/b2c_1_signin/v2.0/"
  private static let ciam = Row(
    name: "right", authority: "https://contoso.ciamlogin.com",
    issuer: "https://\(one).ciamlogin.com/\(one)/v2.0",
    iss: "https://\(one).ciamlogin.com/\(one)/v2.0", tid: one)
  private static let adfs = Row(
    name: "right", authority: "https://adfs.contoso.example/adfs",
    issuer: "https://adfs.contoso.example/adfs", iss: "https://adfs.contoso.example/adfs")
  private static let openID = Row(
    name: "right", authority: "https://id.example/realm", issuer: "https://id.example/realm",
    iss: "https://id.example/realm")

  /// The same changes for every kind of authority.
  private static let kinds = [
    tenant, domain, common, organizations, consumers, b2c, ciam, adfs, openID,
  ]
  private static let damage = kinds.flatMap { row in
    let iss = row.iss ?? ""
    return [
      row, row.but("no iss", iss: .some(nil)),
      row.but("iss in another case", iss: iss.uppercased()),
      row.but("iss with one slash more", iss: iss + "/"),
      row.but("iss of another host", iss: iss.replacing("https://", with: "https://x.")),
      row.but("iss over http", iss: iss.replacing("https://", with: "http://")),
      row.but(
        "document of another host", issuer: "https://elsewhere.example/\(one)/v2.0",
        .documentRejected),
      row.but("document that is no address", issuer: "contoso", .documentRejected),
    ]
  }

  private static let tenants = [
    common.but(
      "a personal account", iss: "\(entra)/\(personal)/v2.0", tid: personal, .tokenAccepted),
    organizations.but(
      "a personal account", iss: "\(entra)/\(personal)/v2.0", tid: personal, .notAdmitted),
    consumers.but("a work account", iss: "\(entra)/\(one)/v2.0", tid: one),
    consumers.but("a work account in tid only", tid: one, .notAdmitted),
    common.but("tid of another tenant than iss", tid: other),
    common.but("no tid", tid: .some(nil)), tenant.but("no tid", tid: .some(nil)),
    common.but(
      "no tid, and iss as in the document", iss: "\(entra)/{tenantid}/v2.0", tid: .some(nil)),
    tenant.but("tid of another tenant", tid: other),
    domain.but("tid of another tenant", tid: other),
    tenant.but("iss of another tenant", iss: "\(entra)/\(other)/v2.0", tid: other),
    tenant.but("tid in another case", tid: one.uppercased(), .tokenAccepted),
    tenant.but("document of another tenant", issuer: "\(entra)/\(other)/v2.0", .documentRejected),
    consumers.but("document of a work tenant", issuer: "\(entra)/\(one)/v2.0", .documentRejected),
    ciam.but("tid of another tenant", tid: other), b2c.but("tid of another tenant", tid: other),
    b2c.but("tid of its tenant", tid: one, .tokenAccepted),
    b2c.but("with tfp", issuer: tfpIssuer, iss: tfpIssuer, .tokenAccepted),
    b2c.but(
      "document of another policy", issuer: tfpIssuer.replacing("signin", with: "edit"),
      .documentRejected),
    ciam.but(
      "host and path of two tenants", issuer: "https://\(one).ciamlogin.com/\(other)/v2.0",
      .documentRejected),
    tenant.but(
      "an alias of the cloud", issuer: "https://sts.windows.net/\(one)/",
      iss: "https://sts.windows.net/\(one)/", .tokenAccepted),
  ]

  private static let clouds = ["us", "de", "com"].flatMap { ending in
    let host = "https://login.microsoftonline.\(ending)"
    let elsewhere =
      ending == "us" ? "https://login.microsoftonline.com" : "https://login.microsoftonline.us"
    let row = entra("common", issuer: "{tenantid}", tid: one, host: host)
    return [
      row, row.but("iss of another cloud", iss: "\(elsewhere)/\(one)/v2.0"),
      row.but(
        "document of another cloud", issuer: "\(elsewhere)/{tenantid}/v2.0", .documentRejected),
    ]
  }

  private static let otherKinds = [
    common.but(
      "document of a B2C policy", issuer: "\(entra)/tfp/\(one)/b2c_1_signin/v2.0/",
      .documentRejected
    ),
    tenant.but("document of ADFS", issuer: "\(entra)/adfs", .documentRejected),
    b2c.but("document of ADFS", issuer: "https://contoso.b2clogin.com/adfs", .documentRejected),
    ciam.but("document of ADFS", issuer: "https://contoso.ciamlogin.com/adfs", .documentRejected),
    adfs.but(
      "document of Entra", issuer: "https://adfs.contoso.example/\(one)/v2.0", .documentRejected),
    adfs.but(
      "its name in access tokens", issuer: "http://adfs.contoso.example/adfs/services/trust",
      .documentRejected),
    openID.but("document of a tenant", issuer: "https://id.example/\(one)/v2.0", .documentRejected),
    openID.but(
      "document with a slash more", issuer: "https://id.example/realm/", .documentRejected),
    openID.but("any tid", tid: personal, .tokenAccepted),
  ]

  @Test(arguments: damage + tenants + clouds + otherKinds)
  func `an ID token is accepted only with a valid issuer and tenant`(_ row: Row) throws {
    let authority = try Authority(row.authority, type: row.type)
    let configuration = try OpenIDConfiguration([
      "issuer": .string(row.issuer),
      "token_endpoint": .string(authority.address.origin + "/oauth2/v2.0/token"),
    ])
    func resolve() throws -> ResolvedAuthority {
      try ResolvedAuthority(authority, configuration, cloud: authority.cloud)
    }
    guard row.decision != .documentRejected else {
      return expect(.issuerMismatch) { _ = try resolve() }
    }
    let expected = TokenExpectation(
      authority: try resolve(), clientID: "client", scopes: Scopes(["read"]))
    func receive() throws -> TokenResponseRecords {
      try TokenResponseRecords(ReceivedDocument(answer(row), responseTime), expected)
    }
    if row.decision == .tokenAccepted {
      #expect(try receive().claims?.all["iss"]?.string == row.iss)
    } else {
      let code =
        row.decision == .notAdmitted ? TesseraError.Code.accountNotInTenant : .issuerMismatch
      expect(code) { _ = try receive() }
    }
  }

  private let responseTime = ResponseTime(
    at: Instant(secondsSince1970: 1_800_000_000), bootTime: nil)

  private func answer(_ row: Row) -> JSONObject {
    var claims: JSONObject = ["aud": "client", "sub": "someone", "exp": 1_800_003_600]
    claims.append("iss", row.iss)
    claims.append("tid", row.tid)
    let header: JSONValue = ["alg": "RS256"]
    let parts = [header, .object(claims)].map { Base64URL.encode($0.bytes) } + ["c2ln"]
    let client: JSONValue = ["uid": "user", "utid": "tenant"]
    return [
      "access_token": "access", "token_type": "Bearer", "expires_in": 3600,
      "id_token": .string(parts.joined(separator: ".")),
      "client_info": .string(Base64URL.encode(client.bytes)),
    ]
  }
}
