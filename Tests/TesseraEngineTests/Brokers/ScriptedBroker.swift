// SPDX-License-Identifier: MIT
// A broker that answers as a test wants, and remembers what it was asked.

import TesseraEngine
import TesseraTesting
import TesseraWire

/// Answers each method with a text, or fails.
final class ScriptedBroker: Broker {
  private struct State {
    var answers: [LinuxBroker.Method: String] = [:]
    var failure: BrokerFailure?
    var calls: [LinuxBrokerCall] = []
  }

  private let state = BriefLock(State())

  /// What it was asked.
  var calls: [LinuxBrokerCall] { state.withLock { $0.calls } }

  /// Fails from now on; nil for answering again.
  func fail(_ failure: BrokerFailure?) { state.withLock { $0.failure = failure } }

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
    let (text, failure) = state.withLock { state in
      state.calls.append(call)
      return (state.answers[call.method] ?? "{}", state.failure)
    }
    if let failure { throw failure }
    do throws(LinuxBrokerFailure) {
      return try LinuxBrokerAnswer(text)
    } catch {
      throw BrokerFailure(error)
    }
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
