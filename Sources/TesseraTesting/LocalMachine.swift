// SPDX-License-Identifier: MIT
// A machine for tests: applications in this process whose network leads to a local provider and nowhere else.

public import TesseraEngine
import TesseraPlatform

/// A machine for tests: a provider, a clock that obeys, and a token store in memory that its applications share.
///
/// ```swift
/// let machine = LocalMachine()
/// var configuration = ApplicationConfiguration(clientID: "my-app")
/// configuration.authority = machine.provider.issuer("main")
/// let application = try machine.application(configuration)
/// let result = try await application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["read"])) { prompt in
///   try? machine.provider.perform(.approve(userCode: prompt.userCode, username: LocalUser.alice.username))
/// }
/// machine.clock.advance(seconds: 3600)
/// machine.isOnline = false
/// ```
public final class LocalMachine: Sendable {
  /// The clock of the machine and of the provider; waiting moves it on at once.
  public let clock: VirtualClock
  /// The provider.
  public let provider: LocalProvider
  /// The person who signs in when a page is opened, and their browser.
  public let browser: LocalBrowser
  package let transport: LocalTransport
  package let store: any CredentialStore

  /// A machine whose provider is reached at an address of this computer.
  public convenience init(origin: String = "http://127.0.0.1:8400") {
    let clock = VirtualClock()
    self.init(origin: origin, clock: clock, store: MemoryStore(time: clock))
  }

  /// A machine with a store of a test's choice.
  package init(origin: String, clock: VirtualClock, store: any CredentialStore) {
    self.clock = clock
    self.store = store
    provider = LocalProvider(origin: origin, now: { clock.now })
    browser = LocalBrowser(at: provider)
    transport = LocalTransport(to: provider, time: clock)
  }

  /// Whether the provider can be reached.
  public var isOnline: Bool {
    get { transport.network == .up }
    set { transport.network = newValue ? .up : .down }
  }

  /// Makes an application on this machine; all of them share one token store, whatever their group.
  ///
  /// - Throws: ``TesseraError`` with remedy `fixConfiguration` for a setting that cannot work.
  public func application(
    _ configuration: ApplicationConfiguration
  ) throws(TesseraError) -> PublicClientApplication {
    var surroundings = surroundings
    surroundings.log = configuration.log
    return try PublicClientApplication(configuration, in: surroundings)
  }

  /// What an application sees of the machine.
  package var surroundings: Dependencies {
    Dependencies(
      transport: transport, store: store, time: clock, randomness: SeededRandomness(),
      workers: WorkerPool(), browser: browser)
  }
}
