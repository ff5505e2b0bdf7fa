// SPDX-License-Identifier: MIT
// The device code flow with the local provider: success, errors, timeouts and cancellation.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct DeviceCodeFlowTests {
  private let bench = TestBench()

  private func run(
    _ application: PublicClientApplication, cancellation: Cancellation? = nil,
    timeout: Duration? = nil, _ prompt: (DeviceCodePrompt) -> Void
  ) throws -> TokenResult {
    var request = DeviceCodeRequest(scopes: ["user.read"])
    request.timeout = timeout
    return try application.acquireTokenByDeviceCode(
      request, cancellation: cancellation, prompt: prompt)
  }

  @Test func `the flow polls every five seconds until the user approves`() throws {
    let (clock, provider) = (bench.clock, bench.provider)
    let result = try run(try bench.application()) { prompt in
      #expect(prompt.verificationURI == provider.devicePage)
      #expect(prompt.message.contains(prompt.userCode))
      #expect(prompt.interval == .seconds(5))
      clock.schedule(after: .seconds(62)) {
        try? provider.perform(.approve(userCode: prompt.userCode, username: "bob@contoso.com"))
      }
    }
    #expect(result.account.username == "bob@contoso.com")
    #expect(result.source == .network)
    #expect(result.isPersisted)
    #expect(result.account.homeAccountID == LocalUser.bob.homeAccountID)
    #expect(provider.counts.tokenRequests["urn:ietf:params:oauth:grant-type:device_code"] == 13)
  }

  @Test func `if the store is not writable, the sign-in succeeds with a warning`() throws {
    let locked = FailingStore(bench.store) { call throws(TesseraError) in
      guard [.checkWritable, .commit].contains(call) else { return }
      throw TesseraError(.fixStorage, .keyUnavailable, "The keyring is locked.")
    }
    let result = try bench.signIn(try bench.application(store: locked))
    #expect(!result.isPersisted)
    #expect(result.warnings.contains("The keyring is locked."))
  }

  @Test func `a refusal by the user is reported as access_denied`() throws {
    let provider = bench.provider
    for issuer in [nil, "main"] {
      let application = try bench.application(issuer: issuer)
      let error = #expect(throws: TesseraError.self) {
        try run(application) { try? provider.perform(.decline(userCode: $0.userCode)) }
      }
      #expect(error?.code == .accessDenied)
      #expect(error?.remedy == .cancelled)
    }
  }

  @Test func `a code that is not entered expires`() throws {
    expect(.codeExpired) { _ = try run(try bench.application()) { _ in } }
    let provider = bench.provider
    expect(.codeExpired) {
      _ = try run(try bench.application()) {
        try? provider.perform(.expire(userCode: $0.userCode))
      }
    }
  }

  @Test func `slow_down increases the polling interval by five seconds`() throws {
    let (clock, provider) = (bench.clock, bench.provider)
    let slowDown = #"{"error":"slow_down"}"#
    let application = try bench.application()
    let start = clock.now
    _ = try run(application) { prompt in
      try? provider.perform(.failTokenRequests(requests: 2, status: 400, body: slowDown))
      try? provider.perform(.approve(userCode: prompt.userCode, username: "alice@contoso.com"))
    }
    // RFC 8628 section 3.5: 5 seconds, then 10, then 15.
    #expect(clock.now.seconds(since: start) == 30)
  }

  @Test(
    arguments: [
      ("authorization_pending", 400, 5, 5, 5), ("slow_down", 400, 5, 10, 10),
      ("", 503, 5, 10, 10), ("", 503, 40, 60, 60), ("", 503, 600, 600, 600),
      ("temporarily_unavailable", 400, 60, 60, 60),
    ] as [(String, Int, Int64, Int64, Int64)])
  func `the next poll follows from the error, the interval and Retry-After`(
    _ error: String, _ status: Int, _ interval: Int64, _ wait: Int64, _ next: Int64
  ) throws {
    let errorResponse = try #require(
      ServerError(HTTPResponse.json(["error": .string(error)], status: status)))
    guard
      case .wait(let seconds, let later) = DeviceCodePoll(
        errorResponse, intervalSeconds: interval, correlationID: "")
    else {
      Issue.record("the flow ends")
      return
    }
    #expect(seconds == wait)
    #expect(later == next)
  }

  @Test func `polling continues after an outage`() throws {
    let (clock, provider, transport) = (bench.clock, bench.provider, bench.transport)
    let result = try run(try bench.application()) { prompt in
      try? provider.perform(.outage(requests: 2))
      clock.schedule(after: .seconds(20)) { transport.network = .down }
      clock.schedule(after: .seconds(40)) { transport.network = .up }
      clock.schedule(after: .seconds(60)) {
        try? provider.perform(.approve(userCode: prompt.userCode, username: "alice@contoso.com"))
      }
    }
    #expect(result.account.username == "alice@contoso.com")
  }

  @Test func `cancellation ends the wait at once`() throws {
    let clock = bench.clock
    let cancellation = Cancellation()
    let start = clock.now
    expect(.cancelled) {
      _ = try run(try bench.application(), cancellation: cancellation) { _ in
        clock.schedule(after: .seconds(7)) { cancellation.cancel() }
      }
    }
    #expect(clock.now.seconds(since: start) == 7)
  }

  @Test func `the flow ends at the deadline`() throws {
    let start = bench.clock.now
    expect(.deadlineExceeded) {
      _ = try run(try bench.application(), timeout: .seconds(12)) { _ in }
    }
    #expect(bench.clock.now.seconds(since: start) == 12)
  }

  @Test func `a provider without a device endpoint is a configuration error`() throws {
    let application = try bench.application(issuer: "main")
    try bench.store.commit(
      CacheChange.discovery(
        of: bench.provider.issuer("main"), at: bench.clock.now,
        token: bench.provider.issuer("main") + "/token"), within: .none)
    expect(.flowUnsupported) { _ = try run(application) { _ in } }
  }

  @Test func `cancelling the task cancels the asynchronous flow`() async throws {
    let silence = SilentServer()
    let application = try bench.application(transport: silence)
    let task = Task {
      try await application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["user.read"])) {
        _ in
      }
    }
    await silence.waitForRequest()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
