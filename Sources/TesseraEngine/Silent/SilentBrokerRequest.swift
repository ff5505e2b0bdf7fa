// SPDX-License-Identifier: MIT
// The broker request of the silent flow, after the cache and before the refresh tokens.

import TesseraCache
import TesseraWire

/// Acquires tokens of silent calls from an identity broker.
package protocol SilentBroker: Feature {
  /// Acquires a token with the lock of the account, unless another caller has stored one in the meantime, and stores it.
  ///
  /// - Parameter isOptional: Whether the cached token is still valid. Then the call does not wait for the lock.
  /// - Returns: `nil` if another call holds the lock and waiting is not necessary.
  func result(
    of call: SilentContext, _ inputs: SilentInputs, isOptional: Bool
  ) throws(TesseraError) -> SilentResult?
}

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
      guard let broker = call.context.dependencies.feature((any SilentBroker).self) else {
        throw MissingFeature.broker.error
      }
      if let silentResult = try broker.result(of: call, inputs, isOptional: isOptional) {
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
