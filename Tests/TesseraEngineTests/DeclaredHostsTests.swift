// SPDX-License-Identifier: MIT
// The hosts that instance discovery may declare as one cloud, and the limits of a false declaration.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct DeclaredHostsTests {
  private static let origin = "http://127.0.0.1:8400"
  private static let host = "127.0.0.1:8400"

  /// A transport with a configurable instance discovery response.
  ///
  /// All other responses are the provider's.
  private struct Declaring: Transport {
    let network: LocalTransport
    let metadata: JSONObject

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      guard request.url.contains("/common/discovery/instance?") else {
        return try network.send(request, within: limits)
      }
      return .json(["tenant_discovery_endpoint": "x", "metadata": [.object(metadata)]])
    }
  }

  private static func metadata(
    network: String, cache: String, aliases: [String]
  ) -> JSONObject {
    [
      "preferred_network": .string(network), "preferred_cache": .string(cache),
      "aliases": .array(aliases.map(JSONValue.string)),
    ]
  }

  /// Declarations of a provider on this machine that claim records of other hosts.
  private static let local = [
    metadata(network: host, cache: "login.windows.net", aliases: [host]),
    metadata(network: "login.microsoftonline.com", cache: host, aliases: [host]),
    metadata(network: host, cache: host, aliases: [host, "login.windows.net"]),
    metadata(network: host, cache: "localhost:9400", aliases: [host, "localhost:9400"]),
    metadata(network: host, cache: "localhost:9400", aliases: [host]),
  ]

  /// Declarations of a cloud that is not built in.
  private static let foreign = [
    metadata(
      network: "login.custom.example", cache: "login.windows.net",
      aliases: ["login.custom.example"]),
    metadata(
      network: "login.custom.example", cache: "login.windows.net",
      aliases: ["login.custom.example", "login.windows.net"]),
    metadata(
      network: "login.microsoftonline.us", cache: "login.custom.example",
      aliases: ["login.custom.example", "login.microsoftonline.us"]),
    metadata(
      network: "login.custom.example", cache: "cache.custom.example",
      aliases: ["login.custom.example"]),
    metadata(
      network: "network.custom.example", cache: "login.custom.example",
      aliases: ["login.custom.example"]),
    metadata(
      network: "login.custom.example", cache: "login.custom.example",
      aliases: ["login.custom.example", "127.0.0.1:8400"]),
  ]

  private func environments(
    _ bench: TestBench, _ metadata: JSONObject
  ) throws -> (resolved: String, all: Set<String>) {
    let application = try bench.application(
      transport: Declaring(network: bench.transport, metadata: metadata))
    let authority = try Authority(bench.provider.entraAuthority(), type: .entra)
    let resolved = try application.context.resolver.resolve(
      authority, ServerClient(application.dependencies, limits: .none))
    let all = application.context.resolver.environments(of: authority, within: .none)
    return (resolved.environment, Set(all))
  }

  @Test(arguments: local)
  func `a provider on this machine can declare only its own host`(_ metadata: JSONObject) throws {
    let bench = TestBench(origin: Self.origin)
    let own = try Authority(bench.provider.entraAuthority(), type: .entra).cloud?.preferredCache
    let found = try environments(bench, metadata)
    #expect(found.resolved == own)
    #expect(found.all == [own])
  }

  @Test(arguments: foreign)
  func `hosts of another cloud and foreign preferred hosts are rejected`(
    _ metadata: JSONObject
  ) throws {
    let found = try environments(TestBench(origin: "https://login.custom.example"), metadata)
    #expect(found.resolved == "login.custom.example")
    #expect(found.all == ["login.custom.example"])
  }

  @Test func `records of a declared cloud are stored under its preferred host`() throws {
    let declared = Self.metadata(
      network: "login.custom.example", cache: "cache.custom.example",
      aliases: ["login.custom.example", "cache.custom.example"])
    let found = try environments(TestBench(origin: "https://login.custom.example"), declared)
    #expect(found.resolved == "cache.custom.example")
    #expect(found.all == ["login.custom.example", "cache.custom.example"])
  }

  /// Stores a refresh token and an access token of the public cloud.
  private func storeRealTokens(_ bench: TestBench, _ homeAccountID: String) throws {
    for (type, secret) in [
      (CredentialType.refreshToken, "REAL-REFRESH-TOKEN"), (.accessToken, "REAL-ACCESS-TOKEN"),
    ] {
      var token = CredentialRecord(type: type, secret: Secret(secret))
      token.homeAccountID = homeAccountID
      token.environment = "login.windows.net"
      token.clientID = "client"
      if type == .accessToken {
        token.realm = String(homeAccountID.split(separator: ".").last ?? "")
        token.target = "mail.read"
        token.cachedAt = bench.clock.now
        token.expiresAt = bench.clock.now.adding(seconds: 3600)
      }
      try bench.store.commit(CacheChange([.put(.credential(token))]), within: .none)
    }
  }

  private func realTokens(_ bench: TestBench) throws -> Set<String> {
    var selection = SnapshotSelection()
    selection.everything = true
    let records = try bench.store.snapshot(selection, within: .none).credentials
    return Set(
      records.filter { $0.environment == "login.windows.net" }.map { $0.secret.reveal() })
  }

  private func isSent(_ secret: String, _ bench: TestBench) -> Bool {
    bench.transport.requests.contains {
      String(decoding: $0.body, as: UTF8.self).contains(secret)
    }
  }

  /// Returns the home account ID of Alice at any Entra provider.
  private func alice() throws -> String {
    let bench = TestBench(origin: Self.origin)
    return try bench.signIn(bench.application()).account.homeAccountID
  }

  @Test(
    arguments: local + [
      metadata(network: host, cache: "login.windows.net", aliases: [host, "login.windows.net"])
    ])
  func `a false declaration receives no token of the real cloud`(_ metadata: JSONObject) throws {
    let bench = TestBench(origin: Self.origin)
    let alice = try alice()
    try storeRealTokens(bench, alice)
    let application = try bench.application(
      transport: Declaring(network: bench.transport, metadata: metadata))
    _ = try? application.context.resolver.resolve(
      Authority(bench.provider.entraAuthority(), type: .entra),
      ServerClient(application.dependencies, limits: .none))
    let request = SilentRequest(homeAccountID: alice, scopes: ["mail.read"])
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request) }
    var forced = request
    forced.forcesRefresh = true
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(forced) }
    #expect(!isSent("REAL-REFRESH-TOKEN", bench))
  }

  @Test func `a false declaration replaces no token of the real cloud`() throws {
    let bench = TestBench(origin: Self.origin)
    let alice = try alice()
    try storeRealTokens(bench, alice)
    let before = try realTokens(bench)
    let application = try bench.application(
      transport: Declaring(network: bench.transport, metadata: Self.local[0]))
    let signedIn = try bench.signIn(application)
    #expect(signedIn.account.environment != "login.windows.net")
    #expect(try realTokens(bench) == before)
    let real = try bench.application { configuration in
      configuration.authority = "https://login.microsoftonline.com/common"
      configuration.authorityType = nil
    }
    expect(.networkFailed) {
      _ = try real.acquireTokenSilent(SilentRequest(homeAccountID: alice, scopes: ["user.read"]))
    }
  }

  @Test(arguments: local)
  func `a stored declaration is validated like a received one`(_ metadata: JSONObject) throws {
    let bench = TestBench(origin: Self.origin)
    let alice = try alice()
    try storeRealTokens(bench, alice)
    let issuer = bench.provider.entraAuthority()
    let cloud = try #require(
      try InstanceDiscovery(["tenant_discovery_endpoint": "x", "metadata": [.object(metadata)]])
        .clouds.first)
    let configuration = try OpenIDConfiguration([
      "issuer": .string("\(Self.origin)/{tenantid}/v2.0"),
      "token_endpoint": .string(issuer + "/oauth2/v2.0/token"),
    ])
    let record = DiscoveryRecord(
      authority: issuer, configuration: configuration, cloud: cloud, isVerified: true,
      at: bench.clock.now)
    try bench.store.commit(CacheChange([.put(.discovery(record))]), within: .none)
    let request = SilentRequest(homeAccountID: alice, scopes: ["mail.read"])
    expect(.interactionRequired) { _ = try bench.application().acquireTokenSilent(request) }
    #expect(!isSent("REAL-REFRESH-TOKEN", bench))
  }

  @Test func `a stored record cannot change the hosts of a built-in cloud`() throws {
    let bench = TestBench(origin: "https://login.microsoftonline.us")
    let issuer = bench.provider.entraAuthority()
    let configuration = try OpenIDConfiguration([
      "issuer": "https://login.microsoftonline.us/{tenantid}/v2.0",
      "token_endpoint": .string(issuer + "/oauth2/v2.0/token"),
    ])
    let cloud = CloudInstance(
      preferredNetwork: "login.microsoftonline.us", preferredCache: "login.windows.net",
      aliases: ["login.microsoftonline.us", "login.windows.net"])
    let record = DiscoveryRecord(
      authority: issuer, configuration: configuration, cloud: cloud, isVerified: true,
      at: bench.clock.now)
    try bench.store.commit(CacheChange([.put(.discovery(record))]), within: .none)
    let application = try bench.application()
    let resolved = try application.context.resolver.resolve(
      Authority(issuer, type: .entra), ServerClient(application.dependencies, limits: .none))
    #expect(resolved.environment == "login.microsoftonline.us")
  }

  @Test func `an authorization code of the real cloud is not redeemed on this machine`() throws {
    let bench = TestBench(origin: Self.origin)
    let application = try bench.application { $0.supportsMultipleClouds = true }
    try bench.signIn(application)
    let real = try Authority("https://login.microsoftonline.com/common", type: .entra)
    let other = real.inCloud(
      of: Self.host, discovered: application.context.resolver.discoveredClouds)
    #expect(other == nil)
  }
}
