// SPDX-License-Identifier: MIT
// A simulated machine for tests. Its network reaches only a local provider.

public import TesseraEngine
import TesseraPlatform

#if TesseraServices
  public import Tessera
#else
  import Tessera
#endif

/// A simulated machine for tests: a provider, a virtual clock, and a token store in memory that its applications share.
///
/// ```swift
/// let machine = LocalMachine()
/// var configuration = ApplicationConfiguration(clientID: "my-app")
/// configuration.authority = machine.provider.issuer("main")
/// let application = try machine.application(configuration)
/// let result = try await application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["read"])) { prompt in
///   try? machine.provider.perform(.approve(userCode: prompt.userCode, username: LocalUser.alice.username))
/// }
/// machine.clock.advance(by: .seconds(3600))
/// machine.isOnline = false
/// ```
public final class LocalMachine: Sendable {
  /// The clock of the machine and of the provider.
  ///
  /// Waiting advances it at once.
  public let clock: VirtualClock
  /// The provider.
  public let provider: LocalProvider
  /// The simulated user and browser, for interactive sign-ins.
  public let browser: LocalBrowser
  package let transport: LocalTransport
  package let store: any CredentialStore
  /// The randomness that all applications share, so that two of them never create the same identifier.
  private let randomness = SeededRandomness()

  /// Creates a machine with the origin of its provider, by default a loopback address.
  public convenience init(origin: String = "http://127.0.0.1:8400") {
    let clock = VirtualClock()
    self.init(origin: origin, clock: clock, store: MemoryStore(time: clock))
  }

  /// Creates a machine with a given store.
  package init(origin: String, clock: VirtualClock, store: any CredentialStore) {
    self.clock = clock
    self.store = store
    provider = LocalProvider(origin: origin, now: { clock.now })
    browser = LocalBrowser(at: provider)
    transport = LocalTransport(to: provider, time: clock)
  }

  /// Whether the provider is reachable.
  public var isOnline: Bool {
    get { transport.network == .up }
    set { transport.network = newValue ? .up : .down }
  }

  /// Creates an application on this machine.
  ///
  /// All applications share one token store, regardless of their group. They use the clock of the machine, and its
  /// browser unless the configuration has one.
  ///
  /// - Throws: `TesseraError` with the remedy `fixConfiguration` for an invalid setting.
  public func application(
    _ configuration: ApplicationConfiguration
  ) throws(TesseraError) -> PublicClientApplication {
    var dependencies = dependencies
    dependencies.log = configuration.log
    if let browser = configuration.host.browser { dependencies.browser = browser }
    return try PublicClientApplication(configuration, in: dependencies)
  }

  #if TesseraServices
    /// Creates a confidential client on this machine; see ``application(_:)``.
    ///
    /// - Throws: `TesseraError` with the remedy `fixConfiguration` for an invalid setting.
    public func confidentialApplication(
      _ configuration: ApplicationConfiguration
    ) throws(TesseraError) -> ConfidentialClientApplication {
      ConfidentialClientApplication(try application(configuration))
    }
  #endif

  /// The dependencies of an application on this machine.
  package var dependencies: Dependencies {
    var dependencies = Dependencies(
      transport: transport, store: store, time: clock, randomness: randomness,
      workers: WorkerPool(), browser: browser)
    dependencies.features = Features.flows
    return dependencies
  }
}
