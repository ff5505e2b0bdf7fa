// SPDX-License-Identifier: MIT
// Silent calls with a broker: after the cache and before the refresh token, with a fallback if the broker fails.

import TesseraBroker
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct BrokerTests {
  private let bench = TestBench()
  private let broker = ScriptedBroker()

  @Test func `a cached token is returned without the broker`() throws {
    let application = try bench.application(broker, .require)
    let signedIn = try bench.signIn(try bench.application())
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .cache)
    #expect(result.brokers.isEmpty)
    #expect(broker.calls.isEmpty)
  }

  @Test(arguments: [BrokerPolicy.prefer, .require])
  func `the broker is used before a refresh token, and its own is not stored`(
    _ policy: BrokerPolicy
  ) throws {
    let (application, request) = try expired(policy)
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .broker)
    #expect(result.accessToken.reveal() == "broker-token")
    #expect(result.brokers.map(\.outcome) == [.used])
    #expect(result.account.username == LocalUser.alice.username)
    #expect(bench.refreshes == 0)
    let again = try application.acquireTokenSilent(request)
    #expect(again.source == .cache)
    #expect(again.accessToken == result.accessToken)
    #expect(broker.calls.map(\.method) == [.accounts, .silent])
    #expect(try !tokens().contains("broker-refresh-token"))
  }

  @Test(arguments: BrokerProblem.allCases)
  func `with prefer, a failing broker is skipped and reported`(
    _ problem: BrokerProblem
  ) throws {
    let (application, request) = try expired(.prefer)
    broker.fail(.skipped(problem, "as the test wants it"))
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.brokers.map(\.outcome) == [.skipped])
    #expect(result.brokers.first?.reason == problem.rawValue)
    #expect(bench.refreshes == 1)
  }

  @Test(arguments: BrokerProblem.allCases)
  func `with require, no other source is used after a broker failure`(_ problem: BrokerProblem)
    throws
  {
    let (application, request) = try expired(.require)
    broker.fail(.skipped(problem, "as the test wants it"))
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    let codes: Set<TesseraError.Code> = [
      .brokerUnavailable, .brokerUnresponsive, .accountNotFound,
    ]
    #expect(codes.contains(try #require(error?.code)))
    #expect(error?.causes.first?.code == problem.rawValue)
    #expect(bench.refreshes == 0)
  }

  @Test(arguments: TestVector.all(in: "broker", areas: "broker_statuses"))
  func `a broker status is mapped to its code and remedy`(_ vector: TestVector) throws {
    let (application, request) = try expired(.require)
    broker.setResponse(
      .silent,
      [
        "brokerTokenResponse": [
          "error": ["status": vector.input, "context": "AADSTS50076: more is needed"],
          "subError": "basic_action",
        ]
      ])
    let error = #expect(throws: TesseraError.self) { try application.acquireTokenSilent(request) }
    #expect(error?.code.rawValue == vector.expected["code"]?.string)
    #expect(error?.remedy.name == vector.expected["remedy"]?.string)
    #expect(error?.serverCodes == [50_076])
    #expect(error?.suberror == "basic_action")
    #expect(error?.causes.first?.number == vector.input.integer)
  }

  @Test func `a token due for refresh is returned if a required broker fails`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 60)]))
    let application = try bench.application(broker, .require)
    let signedIn = try bench.signIn(try bench.application())
    bench.clock.advance(seconds: 120)
    broker.fail(.skipped(.timeout, "slow"))
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    let result = try application.acquireTokenSilent(request)
    #expect(result.accessToken == signedIn.accessToken)
    #expect(result.refreshError?.code == .brokerUnresponsive)
  }

  @Test func `tokens of a different account are rejected`() throws {
    let (application, request) = try expired(.require)
    let other = try bench.signIn(try bench.application(client: "client"), as: .bob)
    let accounts = try LinuxBrokerResponse(
      JSONValue.object(["accounts": [["homeAccountId": .string(request.homeAccountID)]]]).serialized
    )
    #expect(try accounts.accounts().count == 1)
    broker.addAccount(other, at: bench.clock.now)
    broker.setResponse(.accounts, ["accounts": [["homeAccountId": .string(request.homeAccountID)]]])
    expect(.accountMismatch) { _ = try application.acquireTokenSilent(request) }
    #expect(try !tokens().contains("broker-token"))
  }

  @Test func `the broker is skipped for an OpenID Connect provider`() throws {
    let application = try bench.application(broker, .prefer) { configuration in
      configuration.authority = bench.provider.issuer("main")
      configuration.authorityType = .openID
    }
    let signedIn = try bench.signIn(application)
    bench.clock.advance(seconds: 3600)
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    let result = try application.acquireTokenSilent(request)
    #expect(result.source == .network)
    #expect(result.brokers.first?.reason == "authority_unsupported")
    #expect(broker.calls.isEmpty)
  }

  @Test func `a claims challenge is sent to the broker with the rejected token`() throws {
    let application = try bench.application(broker, .require)
    let signedIn = try bench.signIn(try bench.application())
    broker.addAccount(signedIn, at: bench.clock.now)
    var request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    request.claims = #"{"access_token":{"nbf":{"essential":true}}}"#
    _ = try application.acquireTokenSilent(request)
    let parameters = broker.calls.last?.body["authParameters"]?.object
    #expect(parameters?["decodedClaims"]?.string == request.claims)
    #expect(parameters?["accessTokenToRenew"]?.string == signedIn.accessToken.reveal())
    #expect(parameters?["authority"]?.string == bench.provider.entraAuthority("common"))
  }

  @Test func `explain and the result both report the broker`() throws {
    let (application, request) = try expired(.prefer)
    #expect(try application.explain(request).decision == .broker)
    #expect(broker.calls.isEmpty)
    broker.fail(.skipped(.notRunning, "no broker is running"))
    let result = try application.acquireTokenSilentExplained(request)
    #expect(result.explanation?.brokers.first?.reason == "broker_not_running")
    #expect(result.explanation?.networkMicroseconds != nil)
  }

  @Test func `a signed-out account is not signed in again by the broker`() throws {
    let (application, request) = try expired(.require)
    for account in try application.accounts() { _ = try application.removeAccount(account) }
    expect(.interactionRequired) { _ = try application.acquireTokenSilent(request) }
    #expect(broker.calls.isEmpty)
  }

  @Test func `explain gives the reason for the broker request`() throws {
    try bench.provider.perform(.set([.refreshIn(seconds: 60)]))
    let application = try bench.application(broker, .prefer)
    let signedIn = try bench.signIn(application)
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    bench.clock.advance(seconds: 120)
    let due = try application.explain(request)
    #expect(due.decision == .broker)
    #expect(
      due.message
        == "The refresh time of the cached token has passed, so the token is requested from the identity broker."
    )
    broker.fail(.skipped(.notRunning, "no broker is running"))
    bench.transport.network = .down
    _ = try application.acquireTokenSilent(request)
    let paused = try application.explain(request)
    #expect(paused.decision == .broker)
    #expect(paused.error?.causes.first?.code == "network_failed")
    #expect(paused.reason == paused.error?.code.rawValue)
    #expect(paused.message.hasPrefix("The same request to the server failed recently"))
  }

  /// Returns an application with an expired token and a broker that has the account.
  private func expired(
    _ policy: BrokerPolicy
  ) throws -> (PublicClientApplication, SilentRequest) {
    let application = try bench.application(broker, policy)
    let signedIn = try bench.signIn(try bench.application())
    bench.clock.advance(seconds: 3600)
    broker.addAccount(signedIn, at: bench.clock.now)
    return (application, SilentRequest(account: signedIn.account, scopes: ["user.read"]))
  }

  /// Returns all secrets in the store.
  private func tokens() throws -> Set<String> {
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let accounts = try bench.store.snapshot(selection, within: .none).accounts
    return Set(
      try accounts.flatMap { account in
        var selection = SnapshotSelection()
        selection.owner = account.homeAccountID
        return try bench.store.snapshot(selection, within: .none).credentials.map {
          $0.secret.reveal()
        }
      })
  }
}
