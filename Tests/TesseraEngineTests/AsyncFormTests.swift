// SPDX-License-Identifier: MIT
// The asynchronous methods and their worker threads: order, cancellation, and failure to start a thread.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AsyncFormTests {
  private let bench = TestBench()

  /// Workers of a process that cannot start threads.
  private struct NoWorkers: Workers {
    func run(
      serialKey name: String, _ work: @escaping @Sendable () -> Void,
      orElse refuse: @escaping @Sendable () -> Void
    ) {
      refuse()
    }
  }

  /// Workers that cancel the caller's task and never run the work.
  private struct CancellingWorkers: Workers {
    func run(
      serialKey name: String, _ work: @escaping @Sendable () -> Void,
      orElse refuse: @escaping @Sendable () -> Void
    ) {
      withUnsafeCurrentTask { $0?.cancel() }
    }
  }

  /// Returns an application that uses these workers.
  private func application(on workers: any Workers) throws -> PublicClientApplication {
    var dependencies = bench.dependencies
    dependencies.workers = workers
    dependencies.interactiveWorkers = workers
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = bench.provider.entraAuthority()
    configuration.authorityType = .entra
    return try PublicClientApplication(configuration, in: dependencies)
  }

  /// All asynchronous methods, by name.
  private static let forms: [String: @Sendable (PublicClientApplication) async throws -> Void] = [
    "silent": { app in
      _ = try await app.acquireTokenSilent(SilentRequest(homeAccountID: "u.t", scopes: ["read"]))
    },
    "explained": { app in
      let request = SilentRequest(homeAccountID: "u.t", scopes: ["read"])
      _ = try await app.acquireTokenSilentExplained(request)
    },
    "device code": { app in
      let request = DeviceCodeRequest(scopes: ["read"])
      _ = try await app.acquireTokenByDeviceCode(request) { _ in }
    },
    "interactive": { app in
      _ = try await app.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    },
    "begin": { app in _ = try await app.beginSignIn(SignInRequest(scopes: ["read"])) },
    "complete": { app in
      let completion = RedirectResponse(state: Secret("s"), response: .address(Secret("a")))
      _ = try await app.completeSignIn(completion)
    },
  ]

  @Test(arguments: forms.keys.sorted())
  func `a cancelled task gets CancellationError from every method`(_ name: String) async throws {
    let form = try #require(AsyncFormTests.forms[name])
    let application = try application(on: CancellingWorkers())
    let underWay = Task { try await form(application) }
    await #expect(throws: CancellationError.self) { try await underWay.value }
    let cancelledBefore = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await form(application)
    }
    await #expect(throws: CancellationError.self) { try await cancelledBefore.value }
  }

  @Test func `a blocking call with a cancellation throws TesseraError`() throws {
    let application = try application(on: NoWorkers())
    let cancellation = Cancellation()
    cancellation.cancel()
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenSilent(
        SilentRequest(homeAccountID: "u.t", scopes: ["read"]), cancellation: cancellation)
    }
    #expect(error?.code == .cancelled)
  }

  private func tokenNow(
    _ application: PublicClientApplication, _ request: SilentRequest
  ) throws -> TokenResult {
    try application.acquireTokenSilent(request)
  }

  @Test func `without worker threads, a call fails unless the token is cached`() async throws {
    let application = try application(on: NoWorkers())
    let account = try bench.signIn(application).account
    var request = SilentRequest(account: account, scopes: ["user.read"])
    let known = try tokenNow(application, request).accessToken
    #expect(try await application.acquireTokenSilent(request).accessToken == known)
    request.forcesRefresh = true
    let silent = await #expect(throws: TesseraError.self) {
      try await application.acquireTokenSilent(request)
    }
    #expect(silent?.code == .tooManyThreads && silent?.isRetryable == true)
    let device = await #expect(throws: TesseraError.self) {
      try await application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["user.read"])) {
        _ in Issue.record("a code was shown")
      }
    }
    #expect(device?.code == .tooManyThreads)
  }

  @Test func `silent requests for the same account ID or user name have the same serial key`() {
    var alice = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    alice.username = "Alice@contoso.com"
    var same = alice
    same.username = "alice@contoso.com "
    var bob = alice
    bob.username = "bob@contoso.com"
    #expect(alice.serialKey == same.serialKey)
    #expect(alice.serialKey != bob.serialKey)
    #expect(SilentRequest(homeAccountID: "uid.utid", scopes: []).serialKey == "uid.utid")
  }
}
