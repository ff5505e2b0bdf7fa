// SPDX-License-Identifier: MIT
// The common setup of the flow tests: a local machine with shortcuts.

package import TesseraCache
package import TesseraEngine
import TesseraPlatform
package import TesseraTesting
package import TesseraWire
import Testing

/// A local provider, store, clock and transport for flow tests.
package final class TestBench: Sendable {
  private let machine: LocalMachine

  package init(origin: String = "http://127.0.0.1:8400") {
    machine = LocalMachine(origin: origin)
  }

  /// Creates a bench with a custom store.
  package init(clock: VirtualClock, store: any CredentialStore) {
    machine = LocalMachine(origin: "http://127.0.0.1:8400", clock: clock, store: store)
  }

  /// Creates a bench for a provider that shares the store with other benches.
  package init(origin: String, clock: VirtualClock, store: any CredentialStore) {
    machine = LocalMachine(origin: origin, clock: clock, store: store)
  }

  package var clock: VirtualClock { machine.clock }
  package var provider: LocalProvider { machine.provider }
  package var transport: LocalTransport { machine.transport }
  package var store: any CredentialStore { machine.store }

  /// The dependencies, with a log at the most detailed level that must not contain secrets.
  package var dependencies: Dependencies {
    var dependencies = machine.dependencies
    dependencies.log = TesseraLog(level: .detail) { [transport] _, line in
      let secrets = transport.secrets
      #expect(!secrets.contains(where: line.contains), "The log holds a secret.")
    }
    return dependencies
  }

  /// Returns an application for Entra, or for an OpenID Connect issuer.
  package func application(
    client: String = "client", issuer: String? = nil, tenant: String = "common",
    transport: (any Transport)? = nil, time: (any TimeSource)? = nil,
    store: (any CredentialStore)? = nil,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = issuer.map(provider.issuer) ?? provider.entraAuthority(tenant)
    configuration.authorityType = issuer == nil ? .entra : .openID
    change(&configuration)
    var dependencies = dependencies
    if let transport { dependencies.transport = transport }
    if let time { dependencies.time = time }
    if let store { dependencies.store = store }
    return try PublicClientApplication(configuration, in: dependencies)
  }

  /// Signs in a user with a device code that is approved at once.
  @discardableResult
  package func signIn(
    _ application: PublicClientApplication, as user: LocalUser = .alice,
    scopes: [String] = ["user.read"]
  ) throws -> TokenResult {
    try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: scopes)) { prompt in
      try? provider.perform(.approve(userCode: prompt.userCode, username: user.username))
    }
  }

  /// The number of refresh token grants.
  package var refreshes: Int { provider.counts.tokenRequests["refresh_token"] ?? 0 }
}

/// A server that accepts requests and never responds.
package final class SilentServer: Transport {
  private let requests = AsyncStream.makeStream(of: Void.self)

  /// Creates a server.
  package init() {}

  /// Waits for the first request.
  package func waitForRequest() async {
    for await _ in requests.stream { return }
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    requests.continuation.yield()
    while true { try SystemTime().wait(nanoseconds: 1_000_000_000, within: limits) }
  }
}

/// A transport that damages every ID token.
package struct DamagingTransport: Transport {
  package let network: LocalTransport

  package init(_ network: LocalTransport) {
    self.network = network
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let response = try network.send(request, within: limits)
    guard var json = response.json, json["id_token"] != nil else { return response }
    json["id_token"] = "a.b.c"
    return .json(.object(json), status: response.status)
  }
}

/// A transport with the same response to every request.
package struct FixedDocument: Transport {
  package let document: JSONValue

  /// Creates a transport for a response.
  package init(document: JSONValue) {
    self.document = document
  }

  package func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    .json(document)
  }
}

extension CacheChange {
  /// Returns a discovery document with only a token endpoint.
  package static func discovery(of issuer: String, at now: Instant, token: String) throws
    -> CacheChange
  {
    let configuration = try OpenIDConfiguration(
      ["issuer": .string(issuer), "token_endpoint": .string(token)])
    return CacheChange([
      .put(
        .discovery(
          DiscoveryRecord(authority: issuer, configuration: configuration, cloud: nil, at: now)))
    ])
  }
}
