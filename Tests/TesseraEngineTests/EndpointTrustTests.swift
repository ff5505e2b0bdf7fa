// SPDX-License-Identifier: MIT
// The endpoints that a discovery document may declare, for each kind of authority.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct EndpointTrustTests {
  /// An authority with the issuer of its discovery document.
  struct Provider: Sendable, CustomTestStringConvertible {
    let authority: String
    let type: AuthorityType
    let issuer: String
    /// A host alias of the same cloud; `nil` if there is none.
    var alias: String?
    var testDescription: String { "\(type.rawValue) \(authority)" }

    var isOpenID: Bool { type == .openID }
    /// The host and port.
    var host: String { WebURL(authority)?.authority ?? "" }

    static let remote = [
      Provider(
        authority: "https://login.microsoftonline.com/common", type: .entra,
        issuer: "https://login.microsoftonline.com/{tenantid}/v2.0", alias: "login.windows.net"),
      Provider(
        authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin", type: .b2c,
        issuer: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0"),
      Provider(
        authority: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com", type: .ciam,
        issuer: "https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0"),
      Provider(
        authority: "https://adfs.contoso.example/adfs", type: .adfs,
        issuer: "https://adfs.contoso.example/adfs"),
      Provider(
        authority: "https://id.example/main", type: .openID, issuer: "https://id.example/main"),
    ]

    /// Returns the same kinds for a provider on this machine.
    static func local(_ origin: String) -> [Provider] {
      [
        Provider(
          authority: "\(origin)/common", type: .entra, issuer: "\(origin)/{tenantid}/v2.0"),
        Provider(
          authority: "\(origin)/contoso.onmicrosoft.com/b2c_1_signin", type: .b2c,
          issuer: "\(origin)/contoso.onmicrosoft.com/v2.0"),
        Provider(
          authority: "\(origin)/contoso.onmicrosoft.com", type: .ciam,
          issuer: "\(origin)/contoso.onmicrosoft.com/v2.0"),
        Provider(authority: "\(origin)/adfs", type: .adfs, issuer: "\(origin)/adfs"),
        Provider(authority: "\(origin)/main", type: .openID, issuer: "\(origin)/main"),
      ]
    }
  }

  private static let endpoints = [
    "authorization_endpoint", "token_endpoint", "device_authorization_endpoint",
    "revocation_endpoint", "end_session_endpoint",
  ]

  /// Returns whether a document with one endpoint at a different URL is accepted.
  private func accepts(
    _ provider: Provider, _ endpoint: String, at address: String
  ) throws -> Bool {
    let authority = try Authority(provider.authority, type: provider.type)
    var document: JSONObject = ["issuer": .string(provider.issuer)]
    for name in Self.endpoints {
      document[name] = .string("\(authority.address.origin)/\(name)")
    }
    document[endpoint] = .string(address)
    do {
      let configuration = try OpenIDConfiguration(document)
      _ = try ResolvedAuthority(authority, configuration, cloud: authority.cloud)
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: Provider.remote, endpoints)
  func `a remote authority has only https endpoints that are not on this machine`(
    _ provider: Provider, _ endpoint: String
  ) throws {
    let rows: [(address: String, isAccepted: Bool)] = [
      ("https://\(provider.host)/x", true),
      ("https://\(provider.alias ?? provider.host)/x", true),
      ("https://elsewhere.example/x", provider.isOpenID),
      ("https://\(provider.host):8443/x", provider.isOpenID),
      ("http://\(provider.host)/x", false), ("http://elsewhere.example/x", false),
      ("http://127.0.0.1:8400/x", false), ("http://localhost:8400/x", false),
      ("http://[::1]:8400/x", false), ("https://127.0.0.1:8400/x", false),
      ("https://localhost/x", false), ("https://[::1]/x", false),
      ("https://localhost./x", false), ("https://api.localhost/x", false),
      ("https://127.1/x", false), ("https://2130706433/x", false),
      ("https://0x7f.0.0.1/x", false), ("https://0.0.0.0/x", false), ("https://[::]/x", false),
      ("https://[0:0:0:0:0:0:0:1]/x", false), ("https://[::ffff:127.0.0.1]/x", false),
      ("https://[::ffff:7f00:1]/x", false),
    ]
    for (address, isAccepted) in rows {
      #expect(
        try accepts(provider, endpoint, at: address) == isAccepted, "\(endpoint) at \(address)")
    }
  }

  @Test(arguments: Provider.local("http://127.0.0.1:8400"), endpoints)
  func `an authority on this machine may have endpoints on it`(
    _ provider: Provider, _ endpoint: String
  ) throws {
    let rows: [(address: String, isAccepted: Bool)] = [
      ("http://127.0.0.1:8400/x", true),
      ("https://127.0.0.1:8400/x", provider.isOpenID),
      ("http://127.0.0.1:9400/x", provider.isOpenID),
      ("http://localhost:8400/x", provider.isOpenID),
      ("https://elsewhere.example/x", provider.isOpenID),
      ("https://login.microsoftonline.com/x", provider.isOpenID),
      ("http://elsewhere.example/x", false),
    ]
    for (address, isAccepted) in rows {
      #expect(
        try accepts(provider, endpoint, at: address) == isAccepted, "\(endpoint) at \(address)")
    }
  }

  @Test(arguments: Provider.local("https://localhost:8443"), endpoints)
  func `an https authority has no http endpoints`(
    _ provider: Provider, _ endpoint: String
  ) throws {
    let rows: [(address: String, isAccepted: Bool)] = [
      ("https://localhost:8443/x", true), ("https://127.0.0.1:8443/x", provider.isOpenID),
      ("http://localhost:8443/x", false), ("http://127.0.0.1:8400/x", false),
    ]
    for (address, isAccepted) in rows {
      #expect(
        try accepts(provider, endpoint, at: address) == isAccepted, "\(endpoint) at \(address)")
    }
  }

  @Test func `http and https issuers of one host are different`() throws {
    let authority = try Authority("https://localhost:8443/common", type: .entra)
    let configuration = try OpenIDConfiguration([
      "issuer": "http://localhost:8443/{tenantid}/v2.0",
      "token_endpoint": "https://localhost:8443/token",
    ])
    expect(.issuerMismatch) {
      _ = try ResolvedAuthority(authority, configuration, cloud: authority.cloud)
    }
  }

  @Test func `a stored document with an endpoint on this machine is not used`() throws {
    let bench = TestBench(origin: "https://id.example")
    let issuer = bench.provider.issuer("main")
    let configuration = try OpenIDConfiguration([
      "issuer": .string(issuer), "token_endpoint": "http://127.0.0.1:8400/token",
      "device_authorization_endpoint": "http://127.0.0.1:8400/device",
    ])
    let record = DiscoveryRecord(
      authority: issuer, configuration: configuration, cloud: nil, at: bench.clock.now)
    try bench.store.commit(CacheChange([.put(.discovery(record))]), within: .none)
    #expect(throws: TesseraError.self) {
      try bench.signIn(bench.application(issuer: "main"))
    }
    #expect(bench.transport.requests.allSatisfy { $0.url.hasPrefix("https://id.example/") })
  }
}
