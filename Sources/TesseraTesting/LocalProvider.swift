// SPDX-License-Identifier: MIT
// The local provider: an identity provider for tests, in one function.

import Synchronization
@_exported public import TesseraWire

/// An identity provider for tests: a request goes in, a response comes out.
///
/// It speaks several languages at once: Entra ID below `/common`, `/organizations`, `/consumers` and the ids of its
/// tenants, B2C below `/tfp/customers.onmicrosoft.com/<policy>`, an external tenant below `/external.onmicrosoft.com`,
/// ADFS below `/adfs`, and plain OpenID Connect below `/oidc/<name>`, for as many names as a test wants. People approve device
/// codes on its page `/device`; tests do it with ``perform(_:)``. Nothing leaves the process: `tessera-provider` puts
/// the same provider behind a port.
///
/// ```swift
/// let provider = LocalProvider(origin: "http://127.0.0.1:8400", now: { clock.now })
/// try provider.perform(.approve(userCode: code, username: LocalUser.alice.username))
/// ```
public final class LocalProvider: Sendable {  // allowed: an OpenID provider
  /// The longest body that is read; what is longer is refused with status 413.
  package static let bodyLimit = 256 * 1024

  /// Scheme, host and port under which the provider is reached.
  public let origin: String
  private let now: @Sendable () -> Instant
  private let state: Mutex<ProviderState>

  /// A provider that nobody has asked anything yet.
  ///
  /// - Parameters:
  ///   - origin: scheme, host and port under which it is reached, without a slash at the end.
  ///   - settings: lifetimes and rules; ``ProviderCommand/set(_:)`` changes them later.
  ///   - now: tells the time, such as that of a ``VirtualClock``.
  ///   - randomBytes: makes that many bytes for codes and tokens; by default from the system.
  public init(
    origin: String, settings: ProviderSettings = ProviderSettings(),
    now: @escaping @Sendable () -> Instant,
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = LocalProvider.systemRandomBytes
  ) {
    self.origin = origin
    self.now = now
    state = Mutex(ProviderState(origin: origin, randomBytes: randomBytes, settings: settings))
  }

  /// Answers a request; any thread may ask.
  ///
  /// Only the path and the query of the address count: what reaches the provider is for the provider.
  public func handle(_ request: HTTPRequest) -> HTTPResponse {
    let incoming = IncomingRequest(request, at: now())
    var response = state.withLock { $0.respond(to: incoming) }
    response.headers.append(.date(incoming.now))
    return response
  }

  /// Does what a test says.
  ///
  /// - Throws: ``ProviderCommandError`` when there is no such user code or person.
  public func perform(_ command: ProviderCommand) throws(ProviderCommandError) {
    let now = now()
    try state.withLock { state throws(ProviderCommandError) in
      try state.perform(command, at: now)
    }
  }

  /// How often things happened.
  public var counts: ProviderCounts {
    state.withLock { $0.counts }
  }

  /// The latest thousand requests, oldest first, without anything secret.
  public var requestLog: [ProviderLogEntry] {
    state.withLock { $0.requestLog }
  }

  /// The settings in force.
  public var settings: ProviderSettings {
    state.withLock { $0.settings }
  }

  /// The user codes of the devices that wait for a person, oldest first.
  public var waitingUserCodes: [String] {
    let now = now()
    return state.withLock { $0.deviceGrants.pending(at: now).map(\.userCode) }
  }

  /// The authority of the Entra face for everybody; other names than `common` take its place.
  public func entraAuthority(_ tenant: String = "common") -> String {
    "\(origin)/\(tenant)"
  }

  /// The authority of a B2C policy, such as `b2c_1_signin`; the same tenant with `tfp` in front of it, or without.
  public func b2cAuthority(_ policy: String, tfp: Bool = true) -> String {
    origin + Issuer.b2c(policy: policy, isTFP: tfp).path
  }

  /// The authority of the external tenant (CIAM).
  public var ciamAuthority: String {
    "\(origin)/\(Tenant.external.name)"
  }

  /// The authority of ADFS.
  public var adfsAuthority: String {
    origin + Issuer.adfs.path
  }

  /// A plain OpenID Connect issuer; every name is an issuer of its own.
  public func issuer(_ name: String) -> String {
    origin + Issuer.plain(name).identifierPath
  }

  /// The page on which a person approves a device.
  public var devicePage: String {
    origin + DevicePage.path
  }

  /// Bytes from the system's generator.
  public static func systemRandomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<max(count, 0)).map { _ in generator.next() }
  }
}
