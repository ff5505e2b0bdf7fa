// SPDX-License-Identifier: MIT
// Ports of a host application: its own store with locks, its clock and its browser.

import Synchronization
import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// A store in memory that counts the locks of credentials.
private final class LockedTable: HostStore, HostLocks {
  private let rows = Mutex<[String: HostPartition]>([:])
  let lockCount = Atomic(0)

  func read(_ partition: String, timeout: Duration) throws -> HostPartition? {
    rows.withLock { $0[partition] }
  }

  func write(
    _ bytes: [UInt8], to partition: String, expecting expectedVersion: UInt64, timeout: Duration
  ) throws -> HostWriteResult {
    rows.withLock { rows in
      guard rows[partition]?.version ?? 0 == expectedVersion else { return .conflict }
      rows[partition] = HostPartition(bytes, version: expectedVersion + 1)
      return HostWriteResult.committed
    }
  }

  var locks: (any HostLocks)? { self }

  func lock(_ credential: String, timeout: Duration) throws -> Bool {
    lockCount.add(1, ordering: .relaxed)
    return true
  }

  func unlock(_ credential: String) {
    lockCount.subtract(1, ordering: .relaxed)
  }
}

/// A clock that stands still.
private struct StoppedClock: HostClock {
  let secondsSince1970: Int64
  let monotonicNanoseconds: UInt64 = 1_000_000_000
}

/// A browser that forwards to the local browser, and records the replies.
private final class RecordingBrowser: Browser {
  let local: LocalBrowser
  let replies = Mutex<[String]>([])

  init(_ local: LocalBrowser) { self.local = local }

  func session(_ request: BrowserRequest) throws(TesseraError) -> any BrowserSession {
    expect(request.preferences.webviewType, WebviewType.default)
    expect(request.preferences.choice, BrowserChoice.show)
    return RecordingSession(try local.session(request), self)
  }
}

/// One sign-in of a ``RecordingBrowser``.
private final class RecordingSession: BrowserSession {
  private let local: any BrowserSession
  private let browser: RecordingBrowser

  init(_ local: any BrowserSession, _ browser: RecordingBrowser) {
    self.local = local
    self.browser = browser
  }

  var redirectURI: String { local.redirectURI }
  var reason: String { "recorded" }

  func open(_ page: String) throws(TesseraError) { try local.open(page) }

  func next() throws(TesseraError) -> RawAuthorizationResponse { try local.next() }

  func reply(_ reply: BrowserReply) {
    let text =
      switch reply {
      case BrowserReply.success: "success"
      case .failure(let error): error.code.rawValue
      case .foreign: "foreign"
      }
    browser.replies.withLock { $0.append(text) }
  }

  func close() { local.close() }
}

/// Checks an application with the store and the clock of the host.
func checkHostStore() throws {
  let table = LockedTable()
  let now: Int64 = 1_800_000_000
  var ports = HostPorts()
  ports.clock = StoppedClock(secondsSince1970: now)
  var options = StoreConfiguration.HostOptions(partition: "mail")
  options.key = StoreKey([UInt8](repeating: 7, count: StoreKey.byteCount))
  var configuration = ApplicationConfiguration(clientID: "client")
  configuration.authority = "https://login.microsoftonline.com/utid"
  configuration.host = ports
  configuration.store = .host(table, options)
  expect(configuration.store.kind, StoreKind.host)
  let application = try PublicClientApplication(configuration)
  let report = try application.writeCache(before: "", after: unifiedCache(at: now))
  expect(report.stored, 2)
  let token = try application.silentToken(cachedAccount)
  expect(token.expiresAt, Date(timeIntervalSince1970: Double(now + 3600)))
  let partition: HostPartition = expectValue(try table.read("mail", timeout: .seconds(1)))
  expect(partition.version > 0)
  expect(String(decoding: partition.bytes, as: UTF8.self).contains("the-token"), false)
  expect(
    try table.write([], to: "mail", expecting: 0, timeout: .seconds(1)), HostWriteResult.conflict)
  expect(application.storeInfo().lockScope, .host)
  expect(table.lockCount.load(ordering: .relaxed), 0)
}

/// Checks the browser of the host.
func checkHostBrowser() throws {
  let machine = LocalMachine()
  let browser = RecordingBrowser(machine.browser)
  let application = try machine.entraApplication { $0.host.browser = browser }
  var request = InteractiveRequest(scopes: ["read"])
  request.browser = BrowserPreferences(choice: BrowserChoice.show)
  let token = try application.acquireTokenInteractive(request, cancellation: nil)
  expect(token.browserReason, "recorded")
  machine.browser.decision = .decline
  request.prompt = .consent
  expectError(.accessDenied) {
    _ = try application.acquireTokenInteractive(request, cancellation: nil)
  }
  expect(browser.replies.withLock { $0 }, ["success", "access_denied"])
  expectCases(of: WebviewType.self, ["default", "embedded"])
  expectCases(of: BrowserChoice.self, ["automatic", "open", "show"])
}

/// Checks a client of the host that forwards its requests to that of the library.
func checkSystemTransport() throws {
  let transport = ForwardingTransport()
  var configuration = ApplicationConfiguration(clientID: "client")
  configuration.authority = "http://127.0.0.1:1/tenant"
  configuration.authorityType = .openID
  configuration.host.transport = transport
  configuration.store = .memory
  let application = try PublicClientApplication(configuration)
  expectError(.networkFailed) {
    _ = try application.acquireTokenByDeviceCode(
      DeviceCodeRequest(scopes: ["read"]), cancellation: nil, prompt: { _ in })
  }
  expect(transport.count.load(ordering: .relaxed), 1)
  expectError(.invalidConfiguration) {
    _ = try SystemTransport().send(
      TransportRequest(method: "GET", url: "ftp://127.0.0.1/", timeout: .seconds(5)))
  }
}

/// A client that counts the requests, and forwards them.
private final class ForwardingTransport: HostTransport {
  let count = Atomic(0)

  func send(_ request: TransportRequest) throws -> TransportResponse {
    count.add(1, ordering: .relaxed)
    return try SystemTransport().send(request)
  }
}

/// Checks whether a browser would be opened.
func checkBrowserAvailability() {
  setenv("BROWSER", "true", 1)
  let availability = BrowserAvailability()
  unsetenv("BROWSER")
  expect(availability.opensBrowser)
  expect(availability.reason, "browser_variable")
}

/// An observer that counts the changes of each metric.
private final class CountingObserver: MetricsObserver {
  let counts = Mutex<[Metric: Int]>([:])

  func observe(_ observation: MetricObservation) {
    counts.withLock { $0[observation.name, default: 0] += 1 }
  }
}

/// Reads the metrics of an application, and observes them.
func checkMetrics() throws {
  let observer = CountingObserver()
  var configuration = ApplicationConfiguration(clientID: "client")
  configuration.store = .memory
  configuration.host.observer = observer
  let application = try PublicClientApplication(configuration)
  var request = SilentRequest(homeAccountID: "uid.utid", scopes: ["User.Read"])
  request.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
  request.tracestate = "vendor=value"
  _ = try? application.acquireTokenSilent(request, cancellation: nil)
  let metrics: MetricsSnapshot = application.metrics()
  let failed: MetricValue = expectValue(metrics.counters.first { $0.name == .callsFailed })
  expect(failed.value, 1)
  expect(failed.alias, "MsalFailure")
  expect(failed.unit, Metric.Unit.count)
  expect(failed.tags["function"], "acquire_token_silent")
  let reads: MetricHistogram = expectValue(
    metrics.histograms.first { $0.name == .storeDuration })
  expect(reads.unit, Metric.Unit.microseconds)
  expect(reads.count > 0)
  expect(reads.counts.count, reads.bounds.count + 1)
  expect(metrics.gauges.count, 2)
  expect(observer.counts.withLock { $0[.callsFailed] }, 1)
  expect(metrics.jsonDocument.contains("calls_failed"))
}
