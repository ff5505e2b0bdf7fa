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
  ///
  /// - Parameter otherwise: goes on, with the time that is left.
  func brokered(
    _ plan: SilentPlan, _ inputs: SilentInputs,
    otherwise: (SilentFlow) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    var flow = self
    // Where a token serves, the broker and whoever is asked after it have little time together.
    let isOptional = plan.fallback != nil && !request.forcesRefresh
    if isOptional {
      flow.proactiveLimits = limits.atMost(
        milliseconds: application.configuration.proactiveRefreshTimeoutMilliseconds, time)
    }
    flow.brokerShare =
      application.configuration.broker == .prefer
      ? (flow.proactiveLimits ?? limits).half(time) : flow.proactiveLimits
    do throws(TesseraError) {
      let answer = try flow.inTurn(inputs, isOptional: isOptional) { inputs throws(TesseraError) in
        try flow.fromBroker(inputs)
      }
      if let answer { return answer }
      // Whoever asks it now will be done soon: look again in a second.
      let busy = TesseraError(
        .retryLater, .storeBusy, "Another call is asking the broker for this token at this moment.")
      return try fallBack(on: plan.fallback, inputs.snapshot, because: busy, forSeconds: 1)
    } catch {
      return try flow.goOn(after: error, plan, inputs, otherwise)
    }
  }

  /// Goes on after the broker did not help: without it where that is allowed, and there is time left.
  private func goOn(
    after refusal: TesseraError, _ plan: SilentPlan, _ inputs: SilentInputs,
    _ otherwise: (SilentFlow) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      // A broker says "cancelled" too: whether the caller has no time left, or said stop, only its limits tell.
      try limits.check(time)
      guard application.configuration.broker == .prefer else { throw refusal }
    } catch {
      var answer = try fallBack(on: plan.fallback, inputs.snapshot, because: error)
      answer.result.brokers = [BrokerVisit(skipped: refusal)]
      return answer
    }
    do throws(TesseraError) {
      var answer = try otherwise(self)
      answer.result.brokers = [BrokerVisit(skipped: refusal)]
      return answer
    } catch {
      // Where there is nothing here to go on with, what the broker wants of the person is what matters.
      let isAbsence = plan.isSignIn && error.remedy == .signIn
      if isAbsence, refusal.remedy == .signIn { throw refusal.caused(by: error) }
      throw error.after(skipping: refusal)
    }
  }

  /// A token of the broker's, stored.
  private func fromBroker(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult {
    let client = BrokerClient(
      application: application, authority: authority, limits: limits,
      correlationID: exchange.identified().correlationID, share: brokerShare)
    let account = try client.meaning { () throws(BrokerFailure) in
      try client.checkAuthority()
      return try client.account(homeAccountID, named: request.username)
    }
    guard homeAccountID.isEmpty else { return try fromBroker(client, account, inputs) }
    // Who the name is, the broker has said: what the store knows of them counts now, a sign-out above all.
    var flow = self
    flow.homeAccountID = account.homeAccountID
    let known = flow.inputs(try application.cache.snapshot(flow.selection, within: limits))
    guard !known.isSignedOut else {
      throw TesseraError(
        absence: known.snapshot.condition, "The account has signed out of this application.")
    }
    let exclusion = RequestRules.exclusion(
      of: flow.homeAccountID, at: authority, realm: known.realm)
    if let exclusion { throw exclusion }
    return try flow.fromBroker(client, account, known)
  }

  /// A token of the broker's for an account, stored.
  private func fromBroker(
    _ client: BrokerClient, _ account: LinuxBrokerAccount, _ inputs: SilentInputs
  ) throws(TesseraError) -> SilentResult {
    // Who wants a fresh token and waits meanwhile takes this one.
    let began = time.moment
    let tokens = try client.meaning { () throws(BrokerFailure) in
      var wanted = client.request(scopes)
      wanted.account = account
      wanted.claims = claims
      wanted.extraQuery = extras.query
      if request.forcesRefresh || inputs.hasClaims {
        wanted.renewed = inputs.accessToken?.secret
      }
      return try client.tokens(wanted)
    }
    let (checked, resolved) = try client.receipt(tokens, scopes, of: homeAccountID)
    var receipt = checked
    receipt.beganAt = began
    let result = try client.given { () throws(TesseraError) in
      var change = stored(receipt, from: resolved)
      change.steps += forgettingBrokerPause(inputs)
      return try application.store(change, receipt, from: resolved, scopes, inputs.snapshot)
    }
    return SilentResult(result: result, truth: nil)
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
