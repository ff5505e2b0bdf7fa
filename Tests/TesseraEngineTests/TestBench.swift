// SPDX-License-Identifier: MIT
// A machine for tests, with short ways to what the flow tests do all the time.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

/// Everything that a flow test needs.
final class TestBench: Sendable {
  private let machine: LocalMachine

  init(origin: String = "http://127.0.0.1:8400") {
    machine = LocalMachine(origin: origin)
  }

  /// A world with a store of a test's own.
  init(clock: VirtualClock, store: any CredentialStore) {
    machine = LocalMachine(origin: "http://127.0.0.1:8400", clock: clock, store: store)
  }

  /// A provider at an address, and a store that it shares with the benches of other providers.
  init(origin: String, clock: VirtualClock, store: any CredentialStore) {
    machine = LocalMachine(origin: origin, clock: clock, store: store)
  }

  var clock: VirtualClock { machine.clock }
  var provider: LocalProvider { machine.provider }
  var transport: LocalTransport { machine.transport }
  var store: any CredentialStore { machine.store }

  /// The machine, with a log at the most detailed level in which no secret may be.
  var surroundings: Dependencies {
    var surroundings = machine.surroundings
    surroundings.log = Log(level: .detail) { [transport] _, line in
      let secrets = transport.secrets
      #expect(!secrets.contains(where: line.contains), "The log holds a secret.")
    }
    return surroundings
  }

  /// An application of the Entra face, or of a plain issuer.
  func application(
    client: String = "client", issuer: String? = nil, tenant: String = "common",
    transport: (any Transport)? = nil, time: (any TimeSource)? = nil,
    store: (any CredentialStore)? = nil,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = issuer.map(provider.issuer) ?? provider.entraAuthority(tenant)
    configuration.authorityType = issuer == nil ? .entra : .openID
    change(&configuration)
    var surroundings = surroundings
    if let transport { surroundings.transport = transport }
    if let time { surroundings.time = time }
    if let store { surroundings.store = store }
    return try PublicClientApplication(configuration, in: surroundings)
  }

  /// Signs a person in with a device code that they approve at once.
  @discardableResult
  func signIn(
    _ application: PublicClientApplication, as user: LocalUser = .alice,
    scopes: [String] = ["user.read"]
  ) throws -> TokenResult {
    try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: scopes)) { prompt in
      try? provider.perform(.approve(userCode: prompt.userCode, username: user.username))
    }
  }

  /// How often a refresh token was presented.
  var refreshes: Int { provider.counts.tokenRequests["refresh_token"] ?? 0 }
}

/// A server that takes requests and never answers.
final class SilentServer: Transport {
  private let requests = AsyncStream.makeStream(of: Void.self)

  /// Waits until somebody has asked.
  func isAsked() async {
    for await _ in requests.stream { return }
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    requests.continuation.yield()
    while true { try SystemTime().wait(nanoseconds: 1_000_000_000, within: limits) }
  }
}

/// A network on which every ID token is damaged.
struct DamagingTransport: Transport {
  let network: LocalTransport

  init(_ network: LocalTransport) {
    self.network = network
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let response = try network.send(request, within: limits)
    guard var json = response.json, json["id_token"] != nil else { return response }
    json["id_token"] = "a.b.c"
    return .json(.object(json), status: response.status)
  }
}

/// Answers every discovery request with the same document.
struct FixedDocument: Transport {
  let document: JSONValue

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    .json(document)
  }
}

/// Expects a call to fail with a code.
func expect(
  _ code: ErrorCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: TesseraError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}

extension CacheChange {
  /// A discovery document that names nothing but a token endpoint.
  static func discovery(of issuer: String, at now: Instant, token: String) throws -> CacheChange {
    let configuration = try OpenIDConfiguration(
      ["issuer": .string(issuer), "token_endpoint": .string(token)])
    return CacheChange([
      .put(
        .discovery(
          DiscoveryRecord(authority: issuer, configuration: configuration, cloud: nil, at: now)))
    ])
  }
}
