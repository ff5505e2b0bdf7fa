// SPDX-License-Identifier: MIT
// The silent flow: a decision based on a snapshot, and a refresh under the credential lock if it is required.

import TesseraCache
import TesseraWire

/// A token request without user interaction.
struct SilentFlow {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Acquires the token.
  func run() throws(TesseraError) -> SilentResult {
    // The deadline applies to waiting only: a cached token is returned even after the deadline.
    if call.limits.cancellation?.isCancelled == true { throw .cancelled() }
    if let interactionError = call.interactionError { throw interactionError }
    let snapshot = try call.context.cache.snapshot(call.selection, within: call.limits)
    let inputs = call.inputs(snapshot)
    let plan = SilentPlan(inputs)
    if let admissionError = admissionError(from: plan, inputs) { throw admissionError }
    guard usesBroker(plan, inputs) else { return try act(on: plan, inputs, snapshot) }
    if let result = try SilentFallback(call).validTokenOnSmallStack(plan, snapshot) {
      return result
    }
    return try SilentBrokerRequest(call).acquire(plan, inputs) { call throws(TesseraError) in
      try SilentFlow(call).act(on: plan, inputs, snapshot)
    }
  }

  /// Executes the decision without a broker.
  private func act(
    on plan: SilentPlan, _ inputs: SilentInputs, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    switch plan {
    case .useCached(let token):
      if call.authority.type == .entra {
        call.context.telemetry?.countSilentSuccess(at: call.authority.address.authority)
      }
      return call.result(for: token, snapshot)
    case _ where call.request.isForApplication: throw missingApplicationTokenError(snapshot)
    case .requireSignIn(let reason):
      if let result = try LegacyTokens(call).token(inputs) { return result }
      throw TesseraError(absence: snapshot.condition, reason)
    case .backOff(let record, let fallback):
      if fallback == nil || call.request.forcesRefresh,
        let granted = SilentFallback(call).grantedToken(record)
      {
        return granted
      }
      return try LegacyTokens(call).token { () throws(TesseraError) in
        try SilentFallback(call).fallBack(
          on: fallback, snapshot, because: call.recordedError(record),
          forSeconds: record.backoffSeconds(at: call.time.clocks))
      }
    case .refresh(let tokens, let fallback, let reason):
      return try LegacyTokens(call).token { () throws(TesseraError) in
        try SilentRefresh(call).refresh(tokens, fallback, reason, snapshot)
      }
    }
  }

  /// Whether the broker is used after a cache miss.
  func usesBroker(_ plan: SilentPlan, _ inputs: SilentInputs) -> Bool {
    guard call.context.configuration.broker != .never, !call.request.isForApplication,
      !inputs.isSignedOut
    else { return false }
    if case .useCached = plan { return false }
    return true
  }

  /// Returns the error for requests that must not reach the network; `nil` if a cached token exists or a request may be
  /// sent.
  func admissionError(from plan: SilentPlan, _ inputs: SilentInputs) -> TesseraError? {
    if case .useCached = plan { return nil }
    return RequestRules.admissionError(
      of: call.homeAccountID, at: call.authority, realm: inputs.realm)
  }

  /// Returns the error for a missing app-only token, which this application cannot request.
  private func missingApplicationTokenError(_ snapshot: CacheSnapshot) -> TesseraError {
    TesseraError(
      absence: snapshot.condition,
      "The cache contains no valid app-only token: acquire one with the library that has the client credentials."
    )
  }
}
