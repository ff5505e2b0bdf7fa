// SPDX-License-Identifier: MIT
// Silent calls by user name with a broker: account lookup by the broker, and sign-out states of the store.

import TesseraBroker
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct BrokerNameTests {
  private let bench = TestBench()
  private let broker = ScriptedBroker()

  /// A request for Alice by user name.
  private var request: SilentRequest {
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = LocalUser.alice.username
    return request
  }

  @Test func `the broker resolves the user name to an account`() throws {
    let elsewhere = TestBench()
    broker.addAccount(try elsewhere.signIn(try elsewhere.application()), at: bench.clock.now)
    let result = try bench.application(broker, .require).acquireTokenSilent(request)
    #expect(result.source == .broker)
    #expect(result.account.homeAccountID == LocalUser.alice.homeAccountID)
    #expect(try bench.application(broker, .require).acquireTokenSilent(request).source == .cache)
  }

  @Test(arguments: [BrokerPolicy.prefer, .require])
  func `a signed-out account is not signed in again by user name`(
    _ policy: BrokerPolicy
  ) throws {
    let application = try bench.application(broker, policy)
    broker.addAccount(try bench.signIn(try bench.application()), at: bench.clock.now)
    for account in try application.accounts() { _ = try application.removeAccount(account) }
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request) }
    #expect(broker.calls.map(\.method) == [.accounts])
    #expect(try application.accounts().isEmpty)
  }

  @Test func `tokens of another account than the broker lists are rejected`() throws {
    let bob = try bench.signIn(try bench.application(), as: .bob)
    broker.addAccount(bob, at: bench.clock.now)
    let alice: JSONValue = [
      "homeAccountId": .string(LocalUser.alice.homeAccountID),
      "username": .string(LocalUser.alice.username),
    ]
    broker.setResponse(.accounts, ["accounts": [alice]])
    let application = try bench.application(broker, .require)
    expect(.accountMismatch) { _ = try application.acquireTokenSilent(request) }
    #expect(broker.calls.map(\.method) == [.accounts, .silent])
  }
}
