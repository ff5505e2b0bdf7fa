// SPDX-License-Identifier: MIT
// The asynchronous forms and their threads: whose turn it is, and what happens where there are none.

import TesseraEngine
import TesseraTesting
import Testing

@Suite struct AsyncFormTests {
  private let bench = TestBench()

  /// Workers of a process that may start no thread.
  private struct NoWorkers: Workers {
    func run(
      inTurnOf name: String, _ work: @escaping @Sendable () -> Void,
      orElse refuse: @escaping @Sendable () -> Void
    ) {
      refuse()
    }
  }

  private func tokenNow(
    _ application: PublicClientApplication, _ request: SilentRequest
  ) throws -> TokenResult {
    try application.acquireTokenSilent(request)
  }

  @Test func `without a thread a call ends at once, and what is in memory is there`() async throws {
    var surroundings = bench.surroundings
    surroundings.workers = NoWorkers()
    surroundings.patientWorkers = NoWorkers()
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = bench.provider.entraAuthority()
    configuration.authorityType = .entra
    let application = try PublicClientApplication(configuration, in: surroundings)
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

  @Test func `calls for one person take turns, by identifier or by name`() {
    var alice = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    alice.username = "Alice@contoso.com"
    var same = alice
    same.username = "alice@contoso.com "
    var bob = alice
    bob.username = "bob@contoso.com"
    #expect(alice.turn == same.turn)
    #expect(alice.turn != bob.turn)
    #expect(SilentRequest(homeAccountID: "uid.utid", scopes: []).turn == "uid.utid")
  }
}
