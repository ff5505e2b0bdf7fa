// SPDX-License-Identifier: MIT
// The silent flow where the broker is asked: after the cache, before the refresh tokens.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Whether the broker is asked for what the cache does not have.
  func asksBroker(_ plan: SilentPlan, _ inputs: SilentInputs) -> Bool {
    guard application.configuration.broker != .never, !request.isForApplication,
      !inputs.isSignedOut
    else { return false }
    if case .use = plan { return false }
    return true
  }

  /// Asks the broker, and goes on without it where that is allowed.
  func brokered(
    _ plan: SilentPlan, _ inputs: SilentInputs,
    otherwise: () throws(TesseraError) -> SilentAnswer
  ) throws(TesseraError) -> SilentAnswer {
    let refusal: TesseraError
    do throws(TesseraError) {
      return try fromBroker(plan, inputs)
    } catch {
      // The caller has no time left, or does not want it any more.
      guard error.code != .cancelled else { throw error }
      try limits.check(time)
      refusal = error
    }
    if application.configuration.broker == .require {
      return try told(refusal) { () throws(TesseraError) in
        try fallBack(on: plan.fallback, inputs.snapshot, because: refusal)
      }
    }
    do throws(TesseraError) {
      return try told(refusal, otherwise)
    } catch {
      // Where there is nothing here to go on with, what the broker wants of the person is what matters.
      let isAbsence = plan.isSignIn && error.remedy == .signIn
      if isAbsence, refusal.remedy == .signIn { throw refusal.caused(by: error) }
      throw error.caused(by: refusal)
    }
  }

  /// An answer that says that the broker was skipped.
  private func told(
    _ refusal: TesseraError, _ body: () throws(TesseraError) -> SilentAnswer
  ) throws(TesseraError) -> SilentAnswer {
    var answer = try body()
    answer.result.brokers = [BrokerVisit(skipped: refusal)]
    return answer
  }

  /// A token of the broker's, stored.
  private func fromBroker(
    _ plan: SilentPlan, _ inputs: SilentInputs
  ) throws(TesseraError) -> SilentAnswer {
    let client = BrokerClient(
      application: application, authority: authority, limits: brokerLimits(plan),
      correlationID: exchange.identified().correlationID)
    let tokens = try client.meaning { () throws(BrokerFailure) in
      try client.checkAuthority()
      var wanted = client.request(scopes)
      wanted.account = try client.account(homeAccountID, named: request.username)
      wanted.claims = claims
      wanted.extraQuery = extras.query
      if request.forcesRefresh || inputs.hasClaims {
        wanted.renewed = inputs.accessToken?.secret
      }
      return try client.tokens(wanted)
    }
    let (receipt, resolved) = try client.receipt(
      tokens, scopes, of: homeAccountID.nonBlank)
    var result = try application.store(
      stored(receipt, from: resolved), receipt, from: resolved, scopes, inputs.snapshot)
    result.source = .broker
    result.brokers = [.used]
    return SilentAnswer(result: result, truth: nil)
  }

  /// What the broker may take: half of the time, where something else may come after it; little, where a token serves.
  private func brokerLimits(_ plan: SilentPlan) -> CallLimits {
    if case .refresh(_, _, let reason) = plan, reason.isOptional {
      return limits.atMost(
        milliseconds: application.configuration.proactiveRefreshTimeoutMilliseconds, time)
    }
    guard application.configuration.broker == .prefer,
      let left = limits.nanosecondsLeft(time)
    else { return limits }
    return limits.atMost(milliseconds: Int64(clamping: left / 2_000_000), time)
  }
}

extension BrokerClient {
  /// Throws for authorities whose people no broker of Linux has.
  ///
  /// (MSAL .NET: Entra alone; ADFS, B2C, external tenants and plain issuers never.)
  func checkAuthority() throws(BrokerFailure) {
    guard authority.type == .entra else {
      throw .skipped(
        .authorityUnsupported, "brokers have accounts of Entra alone, and not of \(authority.text)")
    }
  }
}

extension SilentPlan {
  /// The token that serves if nothing better can be had.
  fileprivate var fallback: CachedToken? {
    switch self {
    case .refresh(_, let token, _), .pause(_, let token): token
    case .use(let token): token
    case .signIn: nil
    }
  }

  /// Whether there is nothing here to go on with.
  fileprivate var isSignIn: Bool {
    if case .signIn = self { true } else { false }
  }
}
