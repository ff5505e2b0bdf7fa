// SPDX-License-Identifier: MIT
// A broker that answers as a test wants, and remembers what it was asked.

import TesseraEngine
import TesseraTesting
import TesseraWire

/// Answers each method with a text, fails, or takes all the time that it is given.
final class ScriptedBroker: Broker {
  private struct State {
    var answers: [LinuxBroker.Method: String] = [:]
    /// What comes before the answers, once each.
    var turns: [LinuxBroker.Method: [String]] = [:]
    var failure: BrokerFailure?
    var failures: [LinuxBroker.Method: BrokerFailure] = [:]
    var clock: VirtualClock?
    var calls: [LinuxBrokerCall] = []

    /// The answer to a method.
    mutating func text(_ method: LinuxBroker.Method) -> String {
      guard let turn = turns[method]?.first else { return answers[method] ?? "{}" }
      turns[method]?.removeFirst()
      return turn
    }
  }

  private let state = SpinLock(State())

  /// What it was asked.
  var calls: [LinuxBrokerCall] { state.withLock { $0.calls } }

  /// Fails from now on; nil for answering again.
  func fail(_ failure: BrokerFailure?) { state.withLock { $0.failure = failure } }

  /// Fails at one method from now on.
  func fail(_ failure: BrokerFailure, at method: LinuxBroker.Method) {
    state.withLock { $0.failures[method] = failure }
  }

  /// Never answers from now on: time passes until whoever asks gives up; nil for answering again.
  func hang(by clock: VirtualClock?) { state.withLock { $0.clock = clock } }

  /// Answers a method with some texts first, each once.
  func answer(_ method: LinuxBroker.Method, inTurn values: [JSONValue]) {
    state.withLock { $0.turns[method] = values.map(\.serialized) }
  }

  /// Answers a method with a text from now on.
  func answer(_ method: LinuxBroker.Method, _ value: JSONValue) {
    state.withLock { $0.answers[method] = value.serialized }
  }

  /// Has an account, for which the tokens of a sign-in are given with another access token.
  func has(_ result: TokenResult, _ token: String = "broker-token", at now: Instant) {
    let home = result.account.homeAccountID
    let account: JSONValue = [
      "homeAccountId": .string(home), "username": .string(result.account.username ?? ""),
      "environment": .string(result.account.environment), "realm": .string(result.tenantID),
    ]
    answer(.accounts, ["accounts": [account]])
    let tokens: JSONValue = [
      "brokerTokenResponse": [
        "accessToken": .string(token), "accessTokenType": 0, "account": account,
        "expiresOn": .integer((now.secondsSince1970 + 3600) * 1000),
        "grantedScopes": ["user.read", "openid"], "refreshToken": "broker-refresh-token",
        "idToken": .string(result.idToken?.reveal() ?? ""),
      ]
    ]
    answer(.silent, tokens)
    answer(.interactive, tokens)
  }

  func answer(
    to call: LinuxBrokerCall, named correlationID: String, within limits: CallLimits,
    patience: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerAnswer {
    let (text, failure, clock) = state.withLock { state in
      state.calls.append(call)
      return (state.text(call.method), state.failures[call.method] ?? state.failure, state.clock)
    }
    if let failure { throw failure }
    if let clock { throw ScriptedBroker.hung(clock, limits, patience) }
    do throws(LinuxBrokerFailure) {
      return try LinuxBrokerAnswer(text)
    } catch {
      throw BrokerFailure(error)
    }
  }
}

extension ScriptedBroker {
  /// What a call ends with that nobody answers, when its time is over.
  private static func hung(
    _ clock: VirtualClock, _ limits: CallLimits, _ patience: Int64?
  ) -> BrokerFailure {
    let own = patience.map { CallLimits(timeoutMilliseconds: $0, time: clock) } ?? .none
    let end = min(own.deadlineNanoseconds ?? .max, limits.deadlineNanoseconds ?? .max)
    guard end != .max else {
      return .ended(TesseraError(.reportBug, .internalError, "Nothing would end this call."))
    }
    let now = clock.monotonicNanoseconds
    try? clock.wait(nanoseconds: end > now ? end - now : 0, within: .none)
    return limits.nanosecondsLeft(clock) == 0
      ? .ended(.deadlineExceeded()) : .skipped(.timeout, "it did not answer in time")
  }
}

extension TestBench {
  /// An application that asks a broker.
  func application(
    _ broker: any Broker, _ policy: BrokerPolicy,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = provider.entraAuthority("common")
    configuration.authorityType = .entra
    configuration.broker = policy
    change(&configuration)
    var surroundings = surroundings
    surroundings.broker = broker
    return try PublicClientApplication(configuration, in: surroundings)
  }
}
