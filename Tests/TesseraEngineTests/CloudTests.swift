// SPDX-License-Identifier: MIT
// Applications for multiple clouds: the authority that redeems the code, and the authority of silent calls.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct CloudTests {
  private static let world = "https://login.microsoftonline.com"
  private static let government = "https://login.microsoftonline.us"

  private static let private1 = CloudInstance(
    preferredNetwork: "login.custom.example", preferredCache: "cache.custom.example",
    aliases: ["login.custom.example", "alias.custom.example", "cache.custom.example"])

  @Test(arguments: [
    ("login.microsoftonline.us", "https://login.microsoftonline.us/common"),
    ("LOGIN.usgovcloudapi.net", "https://login.usgovcloudapi.net/common"),
    ("login.chinacloudapi.cn", "https://login.chinacloudapi.cn/common"),
    ("login.sovcloud-identity.fr", "https://login.sovcloud-identity.fr/common"),
    ("login.windows.net", "https://login.microsoftonline.com/common"),
    ("login.microsoftonline.com", "https://login.microsoftonline.com/common"),
    ("login.custom.example", "https://login.custom.example/common"),
    ("alias.custom.example", nil), ("login.microsoftonline.us.example", nil),
    ("login.microsoftonline.us/evil", nil), ("login.microsoftonline.us:8443", nil),
    ("user@login.microsoftonline.us", nil), ("", nil), (" ", nil), (nil, nil),
  ])
  func `a code is redeemed only at a known cloud host`(
    _ host: String?, _ expected: String?
  ) throws {
    let authority = try Authority("\(Self.world)/common", type: nil)
    let other = authority.inCloud(of: host, discovered: [Self.private1])
    #expect(other?.text == expected)
  }

  @Test(arguments: TestVector.all(in: "authorities", areas: "clouds"))
  func cloud(_ vector: TestVector) throws {
    let authority = try Authority("\(Self.world)/common", type: nil)
    #expect(authority.inCloud(of: vector.input.string) == nil)
  }

  @Test(arguments: ProviderKind.all.filter { !$0.authority.hasSuffix("/common") })
  func `a kind of authority without clouds has no authority in another cloud`(_ shape: ProviderKind)
    throws
  {
    let authority = try Authority(shape.authority, type: shape.type)
    guard authority.type != .entra else { return }
    #expect(authority.inCloud(of: "login.microsoftonline.us") == nil)
  }

  private func application(
    _ bench: TestBench, at authority: String, several: Bool = true
  ) throws -> PublicClientApplication {
    try bench.application { configuration in
      configuration.authority = authority
      configuration.authorityType = nil
      configuration.supportsMultipleClouds = several
    }
  }

  @Test func `a silent call uses the cloud of the account`() throws {
    let bench = TestBench(origin: Self.government)
    let account = try bench.signIn(
      try application(bench, at: "\(Self.government)/common")
    ).account
    #expect(account.environment == "login.microsoftonline.us")
    var request = SilentRequest(account: account, scopes: ["user.read"])
    let elsewhere = try application(bench, at: "\(Self.world)/common", several: false)
    request.authority = "\(Self.world)/common"
    expect(.interactionRequired) { _ = try elsewhere.acquireTokenSilent(request) }
    request.authority = nil
    #expect(try elsewhere.acquireTokenSilent(request).source == .cache)
    let application = try application(bench, at: "\(Self.world)/common")
    #expect(try application.acquireTokenSilent(request).source == .cache)
    request.forcesRefresh = true
    let fresh = try application.acquireTokenSilent(request)
    #expect(fresh.source == .network)
    #expect(fresh.authority == "\(Self.government)/\(LocalUser.alice.homeTenantID)")
    #expect(bench.transport.requests.allSatisfy { $0.url.hasPrefix(Self.government) })
  }

  @Test func `a tenant is not requested from another cloud`() throws {
    let authority = try Authority("\(Self.world)/contoso.com", type: nil)
    let there = authority.inCloud(
      ofAccount: "user.tenant", environment: "login.microsoftonline.us", nil)
    #expect(there == authority)
    var metadata = AccountMetadataRecord(clientID: "client", homeAccountID: "user.tenant")
    metadata.signIn(
      "user.tenant", requested: authority.text, result: "\(Self.government)/led",
      instanceAware: true)
    let led = authority.inCloud(ofAccount: "user.tenant", environment: nil, metadata)
    #expect(led.text == "\(Self.government)/led")
    metadata.signIn(
      "user.tenant", requested: authority.text, result: "https://evil.example/led",
      instanceAware: true)
    #expect(authority.inCloud(ofAccount: "user.tenant", environment: nil, metadata) == authority)
  }

  /// Stores the records of a sign-in that was redirected to another cloud.
  private func store(_ bench: TestBench) throws -> Account {
    let first = try application(bench, at: "\(Self.government)/common")
    let account = try bench.signIn(first).account
    try bench.store.commit(
      CacheChange([
        .signIn(
          homeAccountID: account.homeAccountID, clientID: "client",
          requested: "\(Self.world)/common",
          result: "\(Self.government)/\(LocalUser.alice.homeTenantID)", isInstanceAware: true)
      ]), within: .none)
    return account
  }

  @Test func `without an environment, the account metadata determines the cloud`() throws {
    let bench = TestBench(origin: Self.government)
    let account = try store(bench)
    let request = SilentRequest(homeAccountID: account.homeAccountID, scopes: ["user.read"])
    let application = try application(bench, at: "\(Self.world)/common")
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .cache)
    #expect(result.account.environment == "login.microsoftonline.us")
    // The instance-aware map applies only to applications for multiple clouds. Others must sign in at their own cloud.
    let elsewhere = try self.application(bench, at: "\(Self.world)/common", several: false)
    expect(.interactionRequired) { _ = try elsewhere.acquireTokenSilent(request) }
    // A request with an environment of the public cloud is not sent to another cloud.
    var meant = request
    meant.environment = "login.windows.net"
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(meant) }
  }

  @Test func `a redirected sign-in is stored in the instance-aware map`() throws {
    let bench = TestBench(origin: Self.government)
    let account = try store(bench)
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    let snapshot = try bench.store.snapshot(selection, within: .none)
    let metadata = try #require(snapshot.accountMetadata(of: "client"))
    let requested = "\(Self.world)/common"
    #expect(metadata.authority(for: requested, of: account.homeAccountID) == nil)
    #expect(
      metadata.authority(for: requested, of: account.homeAccountID, isInstanceAware: true)
        == "\(Self.government)/\(LocalUser.alice.homeTenantID)")
  }

  @Test func `a user of another cloud signs in and gets tokens there`() throws {
    let world = LocalMachine(origin: Self.world)
    let government = LocalMachine(origin: Self.government)
    var dependencies = world.dependencies
    dependencies.transport = TwoClouds(world: world.transport, government: government.transport)
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = "\(Self.world)/common"
    configuration.supportsMultipleClouds = true
    let application = try PublicClientApplication(configuration, in: dependencies)
    let begun = try application.beginSignIn(SignInRequest(scopes: ["read"]))
    // The page redirects the user to the other cloud, and the response contains the cloud host.
    let page = begun.url.replacing(Self.world, with: Self.government)
    guard case .address(let address)? = government.browser.visit(page) else {
      Issue.record("no answer")
      return
    }
    let answer = address.reveal() + "&cloud_instance_host_name=login.microsoftonline.us"
    let result = try application.completeSignIn(
      RedirectResponse(state: begun.state, response: .address(Secret(answer))))
    #expect(result.account.environment == "login.microsoftonline.us")
    var request = SilentRequest(account: result.account, scopes: ["read"])
    #expect(try application.acquireTokenSilent(request).source == .cache)
    request.forcesRefresh = true
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(world.provider.counts.tokenRequests.isEmpty)
  }

  @Test func `every kind of authority except Entra rejects multiple_clouds`() {
    for shape in ProviderKind.all where !shape.authority.hasSuffix("/common") {
      guard (try? Authority(shape.authority, type: shape.type))?.type != .entra else { continue }
      let error = #expect(throws: TesseraError.self) {
        try TestBench(origin: shape.origin).application { configuration in
          configuration.authority = shape.authority
          configuration.authorityType = shape.type
          configuration.supportsMultipleClouds = true
        }
      }
      #expect(error?.message.contains("multiple_clouds") == true)
    }
  }
}
