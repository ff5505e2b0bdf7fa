// SPDX-License-Identifier: MIT
// An application in a world of its own: a provider in the process, a clock that obeys, a store in memory.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

/// Everything that a flow test needs.
final class TestBench: Sendable {
  let clock = VirtualClock()
  let provider: LocalProvider
  let transport: LocalTransport
  let store: any CredentialStore

  /// A world whose provider is reached at an address of this machine.
  init(store: (any CredentialStore)? = nil) {
    let clock = clock
    provider = LocalProvider(origin: "http://127.0.0.1:8400", now: { clock.now })
    transport = LocalTransport(to: provider, time: clock)
    self.store = store ?? MemoryStore(time: clock)
  }

  /// An application of the Entra face, or of a plain issuer.
  func application(
    client: String = "client", issuer: String? = nil, tenant: String = "common",
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = issuer.map(provider.issuer) ?? provider.entraAuthority(tenant)
    configuration.authorityType = issuer == nil ? .entra : .openID
    change(&configuration)
    return try PublicClientApplication(configuration, in: surroundings)
  }

  /// The world.
  var surroundings: Surroundings {
    Surroundings(
      transport: transport, store: store, time: clock, randomness: SeededRandomness(),
      workers: WorkerPool())
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
