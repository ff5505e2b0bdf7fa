// SPDX-License-Identifier: MIT
// Tests of tokens of applications at the local provider.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraServices
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ClientCredentialsTests {
  private static let contoso = "11111111-1111-4111-8111-111111111111"
  private static let secret = Secret("a secret of the daemon")
  private let bench = TestBench()
  private let request = ClientTokenRequest(scopes: ["api://resource/.default"])

  private func daemon(
    at other: TestBench? = nil, issuer: String? = nil, tenant: String = contoso,
    _ change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    let bench = other ?? bench
    var client = LocalClient(clientID: "daemon")
    client.secrets = [Self.secret]
    try bench.provider.perform(.register(client))
    return try bench.application(client: "daemon", issuer: issuer, tenant: tenant) {
      $0.credential = .secret(Self.secret)
      change(&$0)
    }
  }

  private func token(
    _ application: PublicClientApplication, _ request: ClientTokenRequest? = nil
  ) throws -> TokenResult {
    try ClientTokens(of: application).token(request ?? self.request, nil)
  }

  private var requests: Int { bench.provider.counts.tokenRequests["client_credentials"] ?? 0 }

  @Test(arguments: [nil, "main"])
  func `the first call requests the token, and later ones of all processes return it`(
    _ issuer: String?
  ) throws {
    let application = try daemon(issuer: issuer)
    let first = try token(application)
    #expect(first.source == .network && first.account.homeAccountID.isEmpty)
    #expect(first.idToken == nil && first.isPersisted && first.warnings.isEmpty)
    for application in [application, try daemon(issuer: issuer)] {
      for _ in 0..<2 {
        let result = try token(application)
        #expect(result.source == .cache && result.accessToken == first.accessToken)
      }
    }
    #expect(requests == 1)
    let form = bench.transport.requests.last.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
    #expect(!form.contains("openid") && !form.contains("offline_access"))
  }

  @Test func `each tenant, scope and application has its own token`() throws {
    let application = try daemon()
    var fabrikam = request
    fabrikam.tenant = "22222222-2222-4222-8222-222222222222"
    var other = request
    other.scopes = ["api://other/.default"]
    let results = try [request, fabrikam, other].map { try token(application, $0) }
    #expect(Set(results.map(\.accessToken)).count == 3)
    #expect(results[1].tenantID == fabrikam.tenant)
    for (request, result) in zip([request, fabrikam, other], results) {
      #expect(try token(try daemon(), request).accessToken == result.accessToken)
    }
    #expect(requests == 3)
  }

  @Test func `an expired token is replaced, and its record too`() throws {
    let application = try daemon()
    let first = try token(application)
    bench.clock.advance(seconds: 4000)
    let second = try token(application)
    #expect(second.source == .network && second.accessToken != first.accessToken)
    var selection = SnapshotSelection()
    selection.owner = ""
    let tokens = try bench.store.snapshot(selection, within: .none).records
      .compactMap(\.accessToken)
    #expect(tokens.map(\.secret) == [second.accessToken])
    #expect(tokens.first?.target == "api://resource/.default")
    #expect(tokens.first?.realm == Self.contoso)
  }

  @Test func `a renewal that fails returns the valid token with the error`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 1000)]))
    let application = try daemon()
    let first = try token(application)
    bench.clock.advance(seconds: 1500)
    bench.transport.network = .down
    let result = try token(application)
    #expect(result.accessToken == first.accessToken && result.refreshError?.code == .networkFailed)
    bench.transport.network = .up
    bench.clock.advance(seconds: 400)
    #expect(try token(application).source == .network)
  }

  @Test func `Retry-After applies to all processes, for this tenant only`() throws {
    try bench.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
    // The throttled request is the token request, not the discovery.
    let application = try daemon()
    _ = try? token(application)
    let before = bench.transport.requests.count
    for _ in 0..<10 {
      let error = #expect(throws: TesseraError.self) { try token(try daemon()) }
      #expect(error?.code == .throttled && error?.remedy == .retryLater)
    }
    #expect(bench.transport.requests.count == before)
    bench.clock.advance(seconds: 61)
    #expect(try token(application).source == .network)
  }

  @Test func `calls are counted by source, and requests have the trace context`() throws {
    let application = try daemon()
    var traced = request
    traced.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    _ = try token(application, traced)
    #expect(bench.transport.requests.last?.headers["traceparent"] == traced.traceparent)
    for _ in 0..<4 { _ = try token(application) }
    let counted = application.metrics().counters
      .filter { $0.tags["function"] == "acquire_token_for_client" }
    #expect(
      Dictionary(uniqueKeysWithValues: counted.map { ($0.tags["source"] ?? "", $0.value) })
        == ["network": 1, "store": 1, "memory": 3])
    traced.traceparent = "00-0-0-01"
    traced.forcesRefresh = true
    let error = #expect(throws: TesseraError.self) { try token(application, traced) }
    #expect(error?.code == .invalidMember)
  }

  @Test func `a forced refresh and a claims challenge need a request`() throws {
    let application = try daemon()
    let first = try token(application)
    var forced = request
    forced.forcesRefresh = true
    let second = try token(application, forced)
    #expect(second.source == .network && second.accessToken != first.accessToken)
    var challenged = request
    challenged.claims = #"{"access_token":{"nbf":{"essential":true,"value":"1"}}}"#
    #expect(try token(application, challenged).source == .network)
    // Another caller has replaced the rejected token.
    challenged.tokenSHA256ToRefresh = Hexadecimal.text(
      Cipher.sha256(first.accessToken.reveal()))
    #expect(try token(application, challenged).source == .cache)
    let current = try token(application)
    challenged.tokenSHA256ToRefresh = Hexadecimal.text(
      Cipher.sha256(current.accessToken.reveal()))
    #expect(try token(application, challenged).source == .network)
    #expect(requests == 4)
  }

  @Test func `a rejected credential is an error of the configuration`() throws {
    let application = try daemon { $0.credential = .secret(Secret("wrong")) }
    let error = #expect(throws: TesseraError.self) { try token(application) }
    #expect(error?.code == .clientRejected && error?.remedy == .fixConfiguration)
    #expect(error?.serverCodes == [7_000_215])
  }

  @Test func `requests without a tenant and applications without a credential are rejected`()
    throws
  {
    expect(.invalidMember) { _ = try token(try daemon(tenant: "common")) }
    expect(.invalidMember) {
      var request = request
      request.tenant = "a/b"
      _ = try token(try daemon(), request)
    }
    expect(.invalidMember) {
      var request = request
      request.tokenSHA256ToRefresh = "abc"
      _ = try token(try daemon(), request)
    }
    expect(.clientRejected) {
      _ = try token(try bench.application(client: "daemon", tenant: Self.contoso))
    }
    #expect(requests == 0)
  }

  @Test func `Microsoft's clouds need no discovery document of each tenant`() throws {
    let paths = try Self.pathsOfRequests(tenants: 3)
    #expect(paths.count == 3 && paths.allSatisfy { $0.hasSuffix("/oauth2/v2.0/token") })
  }

  /// Returns the paths of the requests for the tokens of several tenants at the public cloud.
  private static func pathsOfRequests(tenants: Int) throws -> [String] {
    let bench = TestBench(origin: "https://login.microsoftonline.com")
    var client = LocalClient(clientID: "daemon")
    client.secrets = [secret]
    try bench.provider.perform(.register(client))
    let application = try bench.application(client: "daemon", tenant: contoso) {
      $0.credential = .secret(secret)
    }
    for number in 0..<tenants {
      let request = ClientTokenRequest(
        scopes: ["api://resource/.default"], tenant: "55555555-5555-4555-8555-00000000000\(number)")
      let result = try ClientTokens(of: application).token(request, nil)
      #expect(result.account.environment == "login.windows.net")
    }
    return bench.transport.requests.map(\.url)
  }

  @Test func `a token that another application stored before the lock is adopted`() throws {
    let clock = VirtualClock()
    let store = WatchedStore(MemoryStore(time: clock))
    let bench = TestBench(clock: clock, store: store)
    let (application, other) = (try daemon(at: bench), try daemon(at: bench))
    store.beforeNextLock { [request] in _ = try? ClientTokens(of: other).token(request, nil) }
    let result = try token(application)
    #expect(result.source == .cache)
    #expect(result.accessToken == (try token(other)).accessToken)
    #expect(bench.provider.counts.tokenRequests["client_credentials"] == 1)
  }

  @Test func `tasks that ask for one token send one request`() async throws {
    let application = try daemon()
    bench.transport.latencyNanoseconds = 1_000_000
    let request = request
    try await withThrowingTaskGroup(of: Secret.self) { group in
      for _ in 0..<64 {
        group.addTask {
          try await ConfidentialClientApplication(application).acquireTokenForClient(request)
            .accessToken
        }
      }
      let tokens = try await group.reduce(into: Set()) { $0.insert($1) }
      #expect(tokens.count == 1)
    }
    #expect(requests == 1)
  }
}
