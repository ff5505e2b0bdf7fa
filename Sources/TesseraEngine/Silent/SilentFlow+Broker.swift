// SPDX-License-Identifier: MIT
// The broker request of the silent flow, after the cache and before the refresh tokens.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Whether the broker is used after a cache miss.
  func usesBroker(_ plan: SilentPlan, _ inputs: SilentInputs) -> Bool {
    guard context.configuration.broker != .never, !request.isForApplication,
      !inputs.isSignedOut
    else { return false }
    if case .useCached = plan { return false }
    return true
  }

  /// Requests a token from the broker.
  ///
  /// If that fails and the policy allows it, continues without the broker.
  ///
  /// - Parameter otherwise: Continues without the broker, within the remaining time.
  func acquireFromBroker(
    _ plan: SilentPlan, _ inputs: SilentInputs,
    otherwise: (SilentFlow) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    var flow = self
    // If the cached token is still valid, the broker and the next step share a short timeout.
    let isOptional = plan.fallback != nil && !request.forcesRefresh
    if isOptional {
      flow.proactiveLimits = limits.atMost(
        milliseconds: context.configuration.proactiveRefreshTimeout.wholeMilliseconds, time)
    }
    flow.brokerLimits =
      context.configuration.broker == .prefer
      ? (flow.proactiveLimits ?? limits).half(time) : flow.proactiveLimits
    do throws(TesseraError) {
      let silentResult = try flow.withBrokerLock(inputs, isOptional: isOptional) {
        inputs throws(TesseraError) in
        try flow.fromBroker(inputs)
      }
      if let silentResult {
        return try preferring(plan.fallback, over: silentResult, inputs.snapshot)
      }
      // Another call is sending the same request and will finish soon. Retry after one second.
      let busy = TesseraError(
        .retryLater, .storeBusy,
        "Another call is requesting this token from the identity broker: try again.")
      return try fallBack(on: plan.fallback, inputs.snapshot, because: busy, forSeconds: 1)
    } catch {
      return try flow.continueWithoutBroker(after: error, plan, inputs, otherwise)
    }
  }

  /// Continues after a failed broker request: without the broker if the policy allows it, or with the fallback token.
  private func continueWithoutBroker(
    after brokerError: TesseraError, _ plan: SilentPlan, _ inputs: SilentInputs,
    _ otherwise: (SilentFlow) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      // A broker may also report a cancellation. Only the limits show whether the caller cancelled or timed out.
      try limits.check(time)
      guard context.configuration.broker == .prefer else { throw brokerError }
    } catch {
      var silentResult = try fallBack(on: plan.fallback, inputs.snapshot, because: error)
      silentResult.result.brokers = [BrokerVisit(skipped: brokerError)]
      return silentResult
    }
    do throws(TesseraError) {
      var silentResult = try otherwise(self)
      silentResult.result.brokers = [BrokerVisit(skipped: brokerError)]
      return silentResult
    } catch {
      // If there is no local token, the sign-in that the broker requires takes precedence over the local error.
      let isAbsence = plan.isSignIn && error.remedy == .signIn
      if isAbsence, brokerError.remedy == .signIn { throw brokerError.caused(by: error) }
      throw error.caused(by: brokerError)
    }
  }

  /// Acquires a token from the broker and stores it.
  private func fromBroker(_ inputs: SilentInputs) throws(TesseraError) -> SilentResult {
    let client = BrokerClient(
      context: context, authority: authority, limits: limits,
      correlationID: serverClient.identified().correlationID, stepLimits: brokerLimits)
    let account = try client.convertingFailure { () throws(BrokerFailure) in
      try client.checkAuthority()
      return try client.account(homeAccountID, named: request.username)
    }
    guard homeAccountID.isEmpty else { return try fromBroker(client, account, inputs) }
    // The broker resolved the user name. Read the stored state of that account, in particular whether it has signed out.
    var flow = self
    flow.homeAccountID = account.homeAccountID
    let known = flow.inputs(try context.cache.snapshot(flow.selection, within: limits))
    guard !known.isSignedOut else {
      throw TesseraError(
        absence: known.snapshot.condition,
        "The account has signed out of this application: sign in again.")
    }
    let admissionError = RequestRules.admissionError(
      of: flow.homeAccountID, at: authority, realm: known.realm)
    if let admissionError { throw admissionError }
    return try flow.fromBroker(client, account, known)
  }

  /// Acquires a token for an account from the broker and stores it.
  private func fromBroker(
    _ client: BrokerClient, _ account: LinuxBrokerAccount, _ inputs: SilentInputs
  ) throws(TesseraError) -> SilentResult {
    // Concurrent calls that force a refresh accept this token if it was requested after they started.
    let began = time.bootTime
    let tokens = try client.convertingFailure { () throws(BrokerFailure) in
      var tokenRequest = client.request(scopes)
      tokenRequest.account = account
      tokenRequest.claims = claims
      tokenRequest.extraQuery = extras.query
      if request.forcesRefresh || inputs.hasClaims {
        tokenRequest.rejectedAccessToken = inputs.accessToken?.secret
      }
      return try client.tokens(tokenRequest)
    }
    let (checked, resolved) = try client.tokenRecords(tokens, scopes, of: homeAccountID)
    var tokenRecords = checked
    tokenRecords.beganAt = began
    var change = stored(tokenRecords, from: resolved)
    change.steps += removingBrokerThrottle(inputs)
    let result = try context.store(
      change, tokenRecords, from: resolved, scopes, inputs.snapshot)
    return SilentResult(result: result.fromBroker, validity: nil)
  }
}

extension SilentPlan {
  /// The token to return if no newer one can be acquired; `nil` for none.
  fileprivate var fallback: CachedToken? {
    switch self {
    case .refresh(_, let token, _), .backOff(_, let token): token
    case .useCached(let token): token
    case .requireSignIn: nil
    }
  }

  /// Whether there is no token to continue with.
  fileprivate var isSignIn: Bool {
    if case .requireSignIn = self { true } else { false }
  }
}
