// SPDX-License-Identifier: MIT
// A broker double with configured responses, which records its calls.

import TesseraBroker
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport

/// A broker that returns configured responses, fails, or never responds.
final class ScriptedBroker: Broker {
  private struct State {
    var responsesByMethod: [LinuxBroker.Method: String] = [:]
    /// The responses to return first, once each.
    var queuedResponses: [LinuxBroker.Method: [String]] = [:]
    var failure: BrokerFailure?
    var failures: [LinuxBroker.Method: BrokerFailure] = [:]
    var clock: VirtualClock?
    var calls: [LinuxBrokerCall] = []

    /// Returns the next response to a method.
    mutating func text(_ method: LinuxBroker.Method) -> String {
      guard let turn = queuedResponses[method]?.first else {
        return responsesByMethod[method] ?? "{}"
      }
      queuedResponses[method]?.removeFirst()
      return turn
    }
  }

  private let state = SpinLock(State())

  /// The recorded calls.
  var calls: [LinuxBrokerCall] { state.withLock { $0.calls } }

  /// Makes all calls fail; `nil` restores the responses.
  func fail(_ failure: BrokerFailure?) { state.withLock { $0.failure = failure } }

  /// Makes all calls of one method fail.
  func fail(_ failure: BrokerFailure, at method: LinuxBroker.Method) {
    state.withLock { $0.failures[method] = failure }
  }

  /// Makes all calls wait until their timeout; `nil` restores the responses.
  func stopResponding(by clock: VirtualClock?) { state.withLock { $0.clock = clock } }

  /// Sets responses of a method that are returned first, once each.
  func setResponse(_ method: LinuxBroker.Method, sequence values: [JSONValue]) {
    state.withLock { $0.queuedResponses[method] = values.map(\.serialized) }
  }

  /// Sets the response of a method.
  func setResponse(_ method: LinuxBroker.Method, _ value: JSONValue) {
    state.withLock { $0.responsesByMethod[method] = value.serialized }
  }

  /// Adds an account, with a token response based on a sign-in but with a different access token.
  func addAccount(_ result: TokenResult, _ token: String = "broker-token", at now: Instant) {
    let home = result.account.homeAccountID
    let account: JSONValue = [
      "homeAccountId": .string(home), "username": .string(result.account.username ?? ""),
      "environment": .string(result.account.environment), "realm": .string(result.tenantID),
    ]
    setResponse(.accounts, ["accounts": [account]])
    let tokens: JSONValue = [
      "brokerTokenResponse": [
        "accessToken": .string(token), "accessTokenType": 0, "account": account,
        "expiresOn": .integer((now.secondsSince1970 + 3600) * 1000),
        "grantedScopes": ["user.read", "openid"], "refreshToken": "broker-refresh-token",
        "idToken": .string(result.idToken?.reveal() ?? ""),
      ]
    ]
    setResponse(.silent, tokens)
    setResponse(.interactive, tokens)
  }

  func response(
    to call: LinuxBrokerCall, correlationID: String, within limits: CallLimits,
    brokerTimeoutMilliseconds: Int64?
  ) throws(BrokerFailure) -> LinuxBrokerResponse {
    let (text, failure, clock) = state.withLock { state in
      state.calls.append(call)
      return (state.text(call.method), state.failures[call.method] ?? state.failure, state.clock)
    }
    if let failure { throw failure }
    if let clock { throw ScriptedBroker.hung(clock, limits, brokerTimeoutMilliseconds) }
    do throws(LinuxBrokerError) {
      return try LinuxBrokerResponse(text)
    } catch {
      throw BrokerFailure(error)
    }
  }
}

extension ScriptedBroker {
  /// Waits until the timeout of a call, and returns its error.
  private static func hung(
    _ clock: VirtualClock, _ limits: CallLimits, _ brokerTimeoutMilliseconds: Int64?
  ) -> BrokerFailure {
    let own =
      brokerTimeoutMilliseconds.map { CallLimits(timeoutMilliseconds: $0, time: clock) } ?? .none
    let end = min(own.deadlineNanoseconds ?? .max, limits.deadlineNanoseconds ?? .max)
    guard end != .max else {
      return .ended(TesseraError(.reportBug, .internalError, "Nothing would end this call."))
    }
    let now = clock.monotonicNanoseconds
    try? clock.wait(nanoseconds: end > now ? end - now : 0, within: .none)
    return limits.nanosecondsLeft(clock) == 0
      ? .ended(.deadlineExceeded()) : .skipped(.timeout, "it did not respond in time")
  }
}

extension TestBench {
  /// Returns an application that uses a broker.
  func application(
    _ broker: any Broker, _ policy: BrokerPolicy,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = provider.entraAuthority("common")
    configuration.authorityType = .entra
    configuration.broker = policy
    change(&configuration)
    var dependencies = dependencies
    dependencies.features.insert(BrokerFlows(broker), at: 0)
    return try PublicClientApplication(configuration, in: dependencies)
  }
}
