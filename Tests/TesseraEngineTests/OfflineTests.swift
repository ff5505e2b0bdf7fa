// SPDX-License-Identifier: MIT
// Calls without network: cached tokens are returned by new processes, and all other calls fail at once.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct OfflineTests {
  /// A transport that fails the test when it is used.
  private struct NoTransport: Transport {
    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      Issue.record("A request was sent to \(request.url).")
      throw TesseraError(.reportBug, .internalError, "A request was sent.")
    }
  }

  /// A random generator that fails the test when it is used.
  ///
  /// Only requests need a correlation ID.
  private struct NoRandomness: Randomness {
    func bytes(_ count: Int) -> [UInt8] {
      Issue.record("\(count) random bytes were made.")
      return Array(repeating: 0, count: count)
    }
  }

  private let store: MemoryStore
  private let clock = VirtualClock()

  init() {
    store = MemoryStore(time: clock)
  }

  private func application(
    _ authority: String, _ type: AuthorityType?, discovery: Bool = true
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = authority
    configuration.authorityType = type
    configuration.usesInstanceDiscovery = discovery
    return try PublicClientApplication(
      configuration,
      in: Dependencies(
        transport: NoTransport(), store: store, time: clock, randomness: NoRandomness(),
        workers: WorkerPool()))
  }

  /// The authority of a sign-in, and the authorities of later silent calls.
  struct Row: Sendable, CustomStringConvertible {
    var description: String
    var signedInAt: String
    var type: AuthorityType?
    /// The discovered cloud, if any.
    var cloud: CloudInstance?
    var realm = "tenant"
    var requestHosts: [String]
  }

  private static let custom = CloudInstance(
    preferredNetwork: "login.custom.example", preferredCache: "cache.custom.example",
    aliases: ["login.custom.example", "alias.custom.example", "cache.custom.example"])

  private static let rows: [Row] = [
    Row(
      description: "a plain issuer", signedInAt: "https://issuer.example/path", realm: "",
      requestHosts: ["https://issuer.example/path"]),
    Row(
      description: "a policy of B2C",
      signedInAt: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin",
      requestHosts: [
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin",
        "https://contoso.b2clogin.com/tfp/tenant/B2C_1_Signin/v2.0",
      ]),
    Row(
      description: "an external tenant", signedInAt: "https://contoso.ciamlogin.com",
      requestHosts: ["https://contoso.ciamlogin.com", "https://contoso.ciamlogin.com/tenant/v2.0"]),
    Row(
      description: "ADFS", signedInAt: "https://adfs.contoso.example/adfs", realm: "",
      requestHosts: ["https://adfs.contoso.example/adfs", "https://adfs.contoso.example/adfs/ls"]),
    Row(
      description: "a shared tenant", signedInAt: "https://login.microsoftonline.com/common",
      requestHosts: [
        "https://login.microsoftonline.com/common", "https://login.windows.net/organizations",
        "https://login.microsoft.com/tenant", "https://sts.windows.net/TENANT",
      ]),
    Row(
      description: "a tenant by its domain",
      signedInAt: "https://login.microsoftonline.com/contoso.com",
      requestHosts: [
        "https://login.microsoftonline.com/contoso.com", "https://login.windows.net/contoso.com",
        "https://login.microsoftonline.com/Contoso.com",
      ]),
    Row(
      description: "a tenant of another cloud",
      signedInAt: "https://login.microsoftonline.us/tenant",
      requestHosts: [
        "https://login.microsoftonline.us/tenant", "https://login.usgovcloudapi.net/common",
      ]),
    Row(
      description: "a host that was discovered", signedInAt: "https://login.custom.example/common",
      type: .entra, cloud: custom, requestHosts: ["https://login.custom.example/common"]),
  ]

  private func signIn(_ row: Row) throws {
    let authority = try Authority(row.signedInAt, type: row.type)
    let address = authority.address.origin
    let configuration = try OpenIDConfiguration([
      "issuer": .string(authority.isEntra ? "\(address)/{tenantid}/v2.0" : row.signedInAt),
      "token_endpoint": .string("\(address)/token"),
    ])
    let resolved = try ResolvedAuthority(
      authority, configuration, cloud: row.cloud ?? authority.cloud)
    let received = ResponseTime(at: clock.now, bootTime: clock.bootTime)
    let response = try TokenResponse(
      ["access_token": "access", "refresh_token": "refresh", "expires_in": 3600],
      received: received)
    let tokenRecords = TokenResponseRecords(
      response: response, claims: nil,
      identity: try TokenIdentity(response, nil, tenant: row.realm, expected: "user.tenant"),
      clientID: "client", environment: resolved.environment, requestedScopes: Scopes(["read"]),
      hasFamilies: authority.isEntra, received: received)
    var change = tokenRecords.change(from: resolved)
    change.steps.append(
      .put(
        .discovery(
          DiscoveryRecord(
            authority: authority.text, configuration: configuration, cloud: resolved.cloud,
            isVerified: true, at: clock.now.adding(seconds: -40 * 86_400)))))
    try store.commit(change, within: .none)
  }

  @Test(arguments: rows)
  func `a new process returns a cached token without network`(_ row: Row) throws {
    try signIn(row)
    for authority in row.requestHosts {
      let application = try application(authority, row.type)
      #expect(try application.accounts().map(\.homeAccountID) == ["user.tenant"])
      let request = SilentRequest(homeAccountID: "user.tenant", scopes: ["read"])
      let result = try application.acquireTokenSilent(request)
      #expect(result.accessToken.reveal() == "access", "at \(authority)")
    }
  }

  @Test func `an expired token without network fails at once with network_failed`() throws {
    let bench = TestBench()
    let account = try bench.signIn(try bench.application()).account
    bench.clock.advance(seconds: 4000)
    bench.transport.network = .down
    let before = bench.clock.now
    let application = try bench.application()
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(SilentRequest(account: account, scopes: ["user.read"]))
    }
    #expect(error?.code == .networkFailed)
    #expect(error?.isRetryable == true)
    #expect(bench.clock.now == before)
    #expect(try application.accounts().count == 1)
  }
}
