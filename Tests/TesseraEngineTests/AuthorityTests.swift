// SPDX-License-Identifier: MIT
// Validation of authorities and of their discovery documents.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AuthorityTests {
  private let bench = TestBench()

  @Test(arguments: [
    "http://login.example/common", "", "login.microsoftonline.com/common", "https://",
    "ftp://login.example", "https://user:password@login.example/x", "https://a.example/x?y=1",
    "https://a.example/x#y", "https://login.microsoftonline.com",
    "https://login.microsoftonline.com/",
    "https://login.microsoftonline.com/tfp/a", "https://login.microsoftonline.com/adfs",
    "https://contoso.b2clogin.com/contoso.onmicrosoft.com", "https://ciamlogin.com/",
    "https://a.b.ciamlogin.com", "https://a.example/tfp/b",
    "http://127.0.0.1.evil.example/x",
  ])
  func `an authority that must not receive secrets is rejected without network`(_ text: String) {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = text
    expect(.invalidAuthority) {
      _ = try PublicClientApplication(configuration, in: bench.dependencies)
    }
  }

  @Test func `Microsoft's hosts are built in, all others are OpenID Connect`() throws {
    let entra = try Authority("https://LOGIN.microsoftonline.com/Contoso.com/x", type: nil)
    #expect(entra.kind == .entra(tenant: "contoso.com"))
    #expect(entra.text == "https://login.microsoftonline.com/contoso.com")
    #expect(entra.cloud?.preferredCache == "login.windows.net")
    let plain = try Authority("https://accounts.example/Realm", type: nil)
    #expect(plain.kind == .openID(issuer: "https://accounts.example/Realm"))
    #expect(plain.issuerEnvironment == "accounts.example/Realm")
    #expect(
      plain.configurationURL == "https://accounts.example/Realm/.well-known/openid-configuration")
  }

  @Test func `a discovery document with another issuer is rejected`() throws {
    // The issuer of the document is "/oidc/main". With a trailing slash, it is a different issuer.
    let application = try bench.application { configuration in
      configuration.authority = bench.provider.issuer("main") + "/"
      configuration.authorityType = .openID
    }
    expect(.issuerMismatch) { try bench.signIn(application) }
    #expect(bench.provider.counts.deviceAuthorizations == 0)
  }

  @Test(arguments: [
    "https://accounts.google.com", "https://tenant.auth0.example/", "http://127.0.0.1:8400",
    "https://accounts.example/Realm",
  ])
  func `an issuer may have no path, and is compared exactly`(_ issuer: String) throws {
    func resolve(_ named: String) throws -> ResolvedAuthority {
      let configuration = try OpenIDConfiguration([
        "issuer": .string(named), "token_endpoint": "https://tokens.example/token",
      ])
      return try ResolvedAuthority(try Authority(issuer, type: .openID), configuration, cloud: nil)
    }
    #expect(try resolve(issuer).configuration.issuer == issuer)
    expect(.issuerMismatch) { _ = try resolve(issuer + "/") }
  }

  @Test func `a tenant unknown to the provider is a configuration error`() throws {
    let application = try bench.application { configuration in
      configuration.authority = "http://127.0.0.1:8400/00000000-0000-0000-0000-000000000000"
    }
    let error = #expect(throws: TesseraError.self) { try bench.signIn(application) }
    #expect(error?.remedy == .fixConfiguration)
  }

  @Test func `endpoints outside the cloud are rejected`() throws {
    let issuer = bench.provider.entraAuthority()
    for member in ["issuer", "token_endpoint", "device_authorization_endpoint"] {
      var document: JSONObject = [
        "issuer": .string(issuer + "/v2.0"), "token_endpoint": .string(issuer + "/token"),
      ]
      document[member] = "https://elsewhere.example/x"
      let configuration = try OpenIDConfiguration(document)
      expect(.issuerMismatch) {
        _ = try ResolvedAuthority(try Authority(issuer, type: .entra), configuration, cloud: nil)
      }
    }
  }

  private static let tenant = "44444444-4444-4444-8444-444444444444"

  @Test(arguments: [
    ("https://\(tenant).CIAMLOGIN.com/\(tenant)/v2.0", true),
    ("https://contoso.ciamlogin.com/\(tenant)/v2.0", true),
    ("https://other.ciamlogin.com/\(tenant)/v2.0", false),
    ("https://ciamlogin.com/\(tenant)/v2.0", false),
    ("http://\(tenant).ciamlogin.com/\(tenant)/v2.0", false),
    ("https://\(tenant).ciamlogin.com", false),
    ("https://\(tenant).ciamlogin.com.example/\(tenant)/v2.0", false),
    ("https://sts.windows.net/\(tenant)/", false),
  ])
  func `the host in an external tenant's issuer is its ID or its name`(
    _ issuer: String, _ isAccepted: Bool
  ) throws {
    let authority = try Authority("https://contoso.ciamlogin.com", type: nil)
    let configuration = try OpenIDConfiguration([
      "issuer": .string(issuer), "token_endpoint": .string(authority.text + "/oauth2/v2.0/token"),
    ])
    func resolve() throws -> ResolvedAuthority {
      try ResolvedAuthority(authority, configuration, cloud: authority.cloud)
    }
    if isAccepted { _ = try resolve() } else { expect(.issuerMismatch) { _ = try resolve() } }
  }

  @Test func `records of a discovered cloud are found under its preferred cache host`() throws {
    let bench = TestBench(origin: "https://login.custom.example")
    let issuer = bench.provider.entraAuthority()
    let configuration = try OpenIDConfiguration([
      "issuer": .string(issuer + "/v2.0"), "token_endpoint": .string(issuer + "/oauth2/v2.0/token"),
      "device_authorization_endpoint": .string(issuer + "/oauth2/v2.0/devicecode"),
    ])
    let cloud = CloudInstance(
      preferredNetwork: "login.custom.example", preferredCache: "cache.custom.example",
      aliases: ["login.custom.example", "cache.custom.example"])
    let record = DiscoveryRecord(
      authority: issuer, configuration: configuration, cloud: cloud, isVerified: true,
      at: bench.clock.now)
    try bench.store.commit(CacheChange([.put(.discovery(record))]), within: .none)
    let resolved = try ResolvedAuthority(
      try Authority(issuer, type: .entra), configuration, cloud: cloud)
    #expect(resolved.environment == "cache.custom.example")
    var token = CredentialRecord(type: .accessToken, secret: Secret("token"))
    token.homeAccountID = "uid.utid"
    token.environment = "cache.custom.example"
    token.clientID = "client"
    token.realm = "utid"
    token.target = "user.read"
    token.cachedAt = bench.clock.now
    token.expiresAt = bench.clock.now.adding(seconds: 3600)
    try bench.store.commit(CacheChange([.put(.credential(token))]), within: .none)
    let result = try bench.application().acquireTokenSilent(
      SilentRequest(homeAccountID: "uid.utid", scopes: ["user.read"]))
    #expect(result.accessToken.reveal() == "token")
  }

  @Test func `a host trusted by one application is verified for another`() throws {
    let vouching = try bench.application { $0.usesInstanceDiscovery = false }
    try bench.signIn(vouching)
    let before = bench.provider.counts.discoveryRequests
    try bench.signIn(try bench.application { $0.usesInstanceDiscovery = false })
    #expect(bench.provider.counts.discoveryRequests == before)
    try bench.signIn(try bench.application())
    #expect(bench.provider.counts.discoveryRequests == before + 2)
    // An application that trusts the host itself also uses the verified record.
    try bench.signIn(try bench.application { $0.usesInstanceDiscovery = false })
    #expect(bench.provider.counts.discoveryRequests == before + 2)
  }

  @Test func `an application that trusts a host does not replace a verified record`() throws {
    let asking = try bench.application()
    let request = SilentRequest(account: try bench.signIn(asking).account, scopes: ["mail.read"])
    bench.clock.advance(seconds: 86_401)
    try bench.signIn(try bench.application { $0.usesInstanceDiscovery = false })
    let authority = bench.provider.entraAuthority()
    var selection = SnapshotSelection()
    selection.keys = [DiscoveryRecord.key(authority: authority)]
    let record = try bench.store.snapshot(selection, within: .none).discovery(of: authority)
    #expect(record?.isVerified == true && record?.isFresh(at: bench.clock.now) == false)
    bench.transport.network = .down
    // The call proceeds to the token request with the stale verified record.
    expect(.networkFailed) { _ = try bench.application().acquireTokenSilent(request) }
    #expect(bench.transport.requests.last?.url.hasSuffix("/token") == true)
  }

  @Test func `discovery results are cached for a day, for all applications`() throws {
    let application = try bench.application()
    try bench.signIn(application)
    let before = bench.provider.counts.discoveryRequests
    try bench.signIn(application, as: .bob)
    try bench.signIn(try bench.application(), as: .bob)
    #expect(bench.provider.counts.discoveryRequests == before)
    bench.clock.advance(seconds: 86_401)
    try bench.signIn(application)
    #expect(bench.provider.counts.discoveryRequests > before)
  }

  @Test(arguments: [
    "", ".", "..", "a/b", "a\u{0}b", ".hidden", "ü", String(repeating: "x", count: 65),
    "default.damaged-2026-11-21T08-15-00Z",
  ])
  func `a group must be a plain name without a path`(_ group: String) {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.store = .sqlite(group: group)
    expect(.invalidConfiguration) {
      _ = try PublicClientApplication(configuration, in: bench.dependencies)
    }
  }

  @Test func `creating an application sends no request`() throws {
    _ = try bench.application()
    #expect(bench.transport.requests.isEmpty)
  }
}
