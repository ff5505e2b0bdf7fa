// SPDX-License-Identifier: MIT
// Serializes the broker requests for an account, and backs off after the broker has timed out.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The lock of the broker requests for an account.
struct SilentBrokerLock {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Runs a broker request with the lock of the account, unless another caller has stored a token in the meantime.
  ///
  /// - Parameter isOptional: Whether the cached token is still valid. Then the call does not wait for the lock.
  /// - Returns: `nil` if another call holds the lock and waiting is not necessary.
  func withLock(
    _ inputs: SilentInputs, isOptional: Bool,
    _ requestTokens: (SilentInputs) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult? {
    // An unsupported authority fails without a lock.
    guard call.authority.type == .entra else { return try requestTokens(inputs) }
    if let record = activeThrottle(inputs, isOptional) { throw call.recordedError(record) }
    let lock = CredentialLock(
      environment: call.environments.first ?? "",
      owner: "broker \(call.context.configuration.clientID.normalised)",
      homeAccountID: call.throttleOwner
    )
    let lockLimits =
      isOptional ? call.limits.atMost(milliseconds: 0, call.time) : call.brokerLimits ?? call.limits
    var hasLock = false
    do throws(TesseraError) {
      return try call.context.cache.withLock(on: lock, within: lockLimits) {
        () throws(TesseraError) in
        hasLock = true
        let snapshot = try call.context.cache.snapshot(call.selection, within: call.limits)
        let inputs = call.inputs(snapshot)
        if case .useCached(let token) = SilentPlan(inputs) {
          return call.result(for: token, snapshot)
        }
        if let record = activeThrottle(inputs, isOptional) { throw call.recordedError(record) }
        return try recordingTimeout(inputs, isOptional) { () throws(TesseraError) in
          try requestTokens(inputs)
        }
      }
    } catch {
      guard !hasLock, isOptional, error.code == .storeBusy else { throw error }
      return nil
    }
  }

  /// Returns the steps that delete the throttle record of the broker, after it has responded.
  func removingThrottle(_ inputs: SilentInputs) -> [CacheChange.Step] {
    let name = call.throttleKey.brokerName
    guard inputs.throttles.contains(where: { $0.name == name }) else { return [] }
    call.context.throttles.removeRecords(of: call.throttleOwner, names: [name])
    return [
      .removeThrottles(
        homeAccountID: call.throttleOwner, clientID: call.context.configuration.clientID,
        names: [name])
    ]
  }

  /// Records a timeout of the broker.
  ///
  /// Other failures are reported immediately, so they need no backoff.
  private func recordingTimeout(
    _ inputs: SilentInputs, _ isOptional: Bool,
    _ body: () throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult {
    do throws(TesseraError) {
      return try body()
    } catch {
      guard error.causes.contains(where: { $0.code == BrokerProblem.timeout.rawValue }) else {
        throw error
      }
      let name = call.throttleKey.brokerName
      let last = inputs.throttles.first { $0.name == name && !$0.hasExpired(at: call.time.clocks) }
      let failures = last?.failures ?? 0
      SilentThrottles(call).record(
        error, as: name, forSeconds: ThrottleRule.blockedSeconds(after: error, failures: failures),
        backoffSeconds: isOptional
          ? ThrottleRule.backoffSeconds(after: error, failures: failures) : 0,
        failures: failures &+ 1)
      throw error
    }
  }

  /// Returns the active throttle record of the broker; `nil` for none.
  private func activeThrottle(_ inputs: SilentInputs, _ isOptional: Bool) -> ThrottleRecord? {
    guard !inputs.throttles.isEmpty else { return nil }
    let name = call.throttleKey.brokerName
    return inputs.throttles.first { record in
      guard record.name == name else { return false }
      return isOptional
        ? record.backoffSeconds(at: call.time.clocks) > 0
        : record.blockedSeconds(at: call.time.clocks) > 0
    }
  }
}
