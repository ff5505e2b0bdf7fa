// SPDX-License-Identifier: MIT
// The broker request of the silent flow, after the cache and before the refresh tokens.

import TesseraCache
import TesseraWire

/// The request of a silent call to the broker.
struct SilentBrokerRequest {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Requests a token from the broker.
  ///
  /// If that fails and the policy allows it, continues without the broker.
  ///
  /// - Parameter otherwise: Continues without the broker, within the remaining time.
  func acquire(
    _ plan: SilentPlan, _ inputs: SilentInputs,
    otherwise: (SilentContext) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    // If the cached token is still valid, the broker and the next step share a short timeout.
    let isOptional = plan.fallback != nil && !self.call.request.forcesRefresh
    let call = self.call.changing { call in
      if isOptional {
        call.proactiveLimits = call.limits.atMost(
          milliseconds: call.context.configuration.proactiveRefreshTimeout.wholeMilliseconds,
          call.time)
      }
      call.brokerLimits =
        call.context.configuration.broker == .prefer
        ? (call.proactiveLimits ?? call.limits).half(call.time) : call.proactiveLimits
    }
    do throws(TesseraError) {
      let silentResult = try SilentBrokerLock(call).withLock(inputs, isOptional: isOptional) {
        inputs throws(TesseraError) in
        try SilentBrokerRequest(call).fromBroker(inputs)
      }
      if let silentResult {
        return try SilentFallback(call).preferring(
          plan.fallback, over: silentResult, inputs.snapshot)
      }
      // Another call is sending the same request and will finish soon. Retry after one second.
      let busy = TesseraError(
        .retryLater, .storeBusy,
        "Another call is requesting this token from the identity broker: try again.")
      return try SilentFallback(call).fallBack(
        on: plan.fallback, inputs.snapshot, because: busy, forSeconds: 1)
    } catch {
      return try SilentBrokerRequest(call).continueWithoutBroker(
        after: error, plan, inputs, otherwise)
    }
  }

  /// Continues after a failed broker request: without the broker if the policy allows it, or with the fallback token.
  private func continueWithoutBroker(
    after brokerError: TesseraError, _ plan: SilentPlan, _ inputs: SilentInputs,
    _ otherwise: (SilentContext) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      // A broker may also report a cancellation. Only the limits show whether the caller cancelled or timed out.
      try call.limits.check(call.time)
      guard call.context.configuration.broker == .prefer else { throw brokerError }
    } catch {
      var silentResult = try SilentFallback(call).fallBack(
        on: plan.fallback, inputs.snapshot, because: error)
      silentResult.result.brokers = [BrokerVisit(skipped: brokerError)]
      return silentResult
    }
    do throws(TesseraError) {
      var silentResult = try otherwise(call)
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
      context: call.context, authority: call.authority, limits: call.limits,
      correlationID: call.serverClient.identified().correlationID, stepLimits: call.brokerLimits)
    let account = try client.convertingFailure { () throws(BrokerFailure) in
      try client.checkAuthority()
      return try client.account(call.homeAccountID, named: call.request.username)
    }
    guard call.homeAccountID.isEmpty else { return try fromBroker(client, account, inputs) }
    // The broker resolved the user name. Read the stored state of that account, in particular whether it has signed out.
    let named = call.changing { $0.homeAccountID = account.homeAccountID }
    let known = named.inputs(
      try call.context.cache.snapshot(named.selection, within: call.limits))
    guard !known.isSignedOut else {
      throw TesseraError(
        absence: known.snapshot.condition,
        "The account has signed out of this application: sign in again.")
    }
    let admissionError = RequestRules.admissionError(
      of: named.homeAccountID, at: call.authority, realm: known.realm)
    if let admissionError { throw admissionError }
    return try SilentBrokerRequest(named).fromBroker(client, account, known)
  }

  /// Acquires a token for an account from the broker and stores it.
  private func fromBroker(
    _ client: BrokerClient, _ account: LinuxBrokerAccount, _ inputs: SilentInputs
  ) throws(TesseraError) -> SilentResult {
    // Concurrent calls that force a refresh accept this token if it was requested after they started.
    let began = call.time.bootTime
    let tokens = try client.convertingFailure { () throws(BrokerFailure) in
      var tokenRequest = client.request(call.scopes)
      tokenRequest.account = account
      tokenRequest.claims = call.claims
      tokenRequest.extraQuery = call.extras.query
      if call.request.forcesRefresh || inputs.hasClaims {
        tokenRequest.rejectedAccessToken = inputs.accessToken?.secret
      }
      return try client.tokens(tokenRequest)
    }
    let (checked, resolved) = try client.tokenRecords(tokens, call.scopes, of: call.homeAccountID)
    var tokenRecords = checked
    tokenRecords.beganAt = began
    var change = call.stored(tokenRecords, from: resolved)
    change.steps += SilentBrokerLock(call).removingThrottle(inputs)
    let result = try call.context.store(
      change, tokenRecords, from: resolved, call.scopes, inputs.snapshot)
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
