// SPDX-License-Identifier: MIT
// The local provider: an identity provider for tests that maps a request to a response.

import Synchronization
@_exported public import TesseraWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An identity provider for tests, which maps each request to a response.
///
/// It supports several protocols at once: Entra ID below `/common`, `/organizations`, `/consumers` and the IDs of its
/// tenants, B2C below `/tfp/customers.onmicrosoft.com/<policy>`, an external tenant below `/external.onmicrosoft.com`,
/// ADFS below `/adfs`, and generic OpenID Connect below `/oidc/<name>`, for any name. Users approve device codes on its
/// page `/device`; tests use ``perform(_:)``. It uses no network. The program `tessera-provider` serves it on a port.
///
/// ```swift
/// let provider = LocalProvider(origin: "http://127.0.0.1:8400", now: { clock.date })
/// try provider.perform(.approve(userCode: code, username: LocalUser.alice.username))
/// ```
public final class LocalProvider: Sendable {  // allowed: an OpenID provider
  /// The maximum size of a request body, in bytes.
  ///
  /// A larger one is rejected with status 413, so a server need not read all of it.
  public static let bodyLimit = IncomingRequest.bodyLimit

  /// The scheme, host and port under which the provider is reached.
  public let origin: String
  private let now: @Sendable () -> Instant
  private let state: Mutex<ProviderState>

  /// Creates a provider in its initial state.
  ///
  /// - Parameters:
  ///   - origin: The scheme, host and port under which it is reached, without a trailing slash.
  ///   - settings: Lifetimes and rules. ``ProviderCommand/set(_:)`` changes them later.
  ///   - now: Returns the current time, such as that of a ``VirtualClock``.
  ///   - randomBytes: Returns a number of random bytes for codes and tokens; by default from the system.
  public convenience init(
    origin: String, settings: ProviderSettings = ProviderSettings(),
    now: @escaping @Sendable () -> Date,
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = LocalProvider.systemRandomBytes
  ) {
    let seconds: @Sendable () -> Instant = {
      Instant(secondsSince1970: Int64(now().timeIntervalSince1970.rounded(.down)))
    }
    self.init(origin: origin, settings: settings, now: seconds, randomBytes: randomBytes)
  }

  /// Creates a provider with a clock in whole seconds.
  package init(
    origin: String, settings: ProviderSettings = ProviderSettings(),
    now: @escaping @Sendable () -> Instant,
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = LocalProvider.systemRandomBytes
  ) {
    self.origin = origin
    self.now = now
    state = Mutex(ProviderState(origin: origin, randomBytes: randomBytes, settings: settings))
  }

  /// Returns the response to a request.
  ///
  /// Safe to call from any thread.
  ///
  /// Only the path and the query of the URL are used. Its origin is ignored.
  public func handle(_ request: Request) -> Response {
    let headers = request.headers.map { HTTPHeader($0.name, $0.value) }
    let response = handle(
      HTTPRequest(method: request.method, url: request.url, headers: headers, body: request.body))
    return Response(
      status: response.status, headers: response.headers.map { Header($0.name, $0.value) },
      body: response.body)
  }

  /// Returns the response to a request.
  package func handle(_ request: HTTPRequest) -> HTTPResponse {
    let incoming = IncomingRequest(request, at: now())
    var response = state.withLock { $0.respond(to: incoming) }
    response.headers.append(.date(incoming.now))
    return response
  }

  /// Executes a command.
  ///
  /// - Throws: ``ProviderCommandError`` if the user code or the user does not exist.
  public func perform(_ command: ProviderCommand) throws(ProviderCommandError) {
    let now = now()
    try state.withLock { state throws(ProviderCommandError) in
      try state.perform(command, at: now)
    }
  }

  /// The numbers of requests and events.
  public var counts: ProviderCounts {
    state.withLock { $0.counts }
  }

  /// The latest 1000 requests, oldest first, without secrets.
  public var requestLog: [ProviderLogEntry] {
    state.withLock { $0.requestLog }
  }

  /// The current settings.
  public var settings: ProviderSettings {
    state.withLock { $0.settings }
  }

  /// The user codes of pending device authorizations, oldest first.
  public var pendingUserCodes: [String] {
    let now = now()
    return state.withLock { $0.deviceGrants.pending(at: now).map(\.userCode) }
  }

  /// Returns the authority of Entra ID for a tenant, by default for all users.
  public func entraAuthority(_ tenant: String = "common") -> String {
    "\(origin)/\(tenant)"
  }

  /// Returns the authority of a B2C policy, such as `b2c_1_signin`, with or without `tfp` before the tenant.
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

  /// Returns a generic OpenID Connect issuer.
  ///
  /// Every name is a separate issuer.
  public func issuer(_ name: String) -> String {
    origin + Issuer.plain(name).identifierPath
  }

  /// The page on which a user approves a device.
  public var devicePage: String {
    origin + DevicePage.path
  }

  /// Returns random bytes from the system's generator.
  public static func systemRandomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<max(count, 0)).map { _ in generator.next() }
  }
}
