// SPDX-License-Identifier: MIT
// Serializes the broker requests for an account, and backs off after the broker has timed out.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Runs a broker request with the lock of the account, unless another caller has stored a token in the meantime.
  ///
  /// - Parameter isOptional: Whether the cached token is still valid. Then the call does not wait for the lock.
  /// - Returns: `nil` if another call holds the lock and waiting is not necessary.
  func withBrokerLock(
    _ inputs: SilentInputs, isOptional: Bool,
    _ requestTokens: (SilentInputs) throws(TesseraError) -> SilentResult
  ) throws(TesseraError) -> SilentResult? {
    // An unsupported authority fails without a lock.
    guard authority.type == .entra else { return try requestTokens(inputs) }
    if let record = activeBrokerThrottle(inputs, isOptional) { throw recordedError(record) }
    let lock = CredentialLock(
      environment: environments.first ?? "",
      owner: "broker \(context.configuration.clientID.normalised)", homeAccountID: throttleOwner
    )
    let lockLimits = isOptional ? limits.atMost(milliseconds: 0, time) : brokerLimits ?? limits
    var hasLock = false
    do throws(TesseraError) {
      return try context.cache.withLock(on: lock, within: lockLimits) {
        () throws(TesseraError) in
        hasLock = true
        let snapshot = try context.cache.snapshot(selection, within: limits)
        let inputs = self.inputs(snapshot)
        if case .useCached(let token) = SilentPlan(inputs) { return result(for: token, snapshot) }
        if let record = activeBrokerThrottle(inputs, isOptional) { throw recordedError(record) }
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
  func removingBrokerThrottle(_ inputs: SilentInputs) -> [CacheChange.Step] {
    let name = throttleKey.brokerName
    guard inputs.throttles.contains(where: { $0.name == name }) else { return [] }
    context.throttles.removeRecords(of: throttleOwner, names: [name])
    return [
      .removeThrottles(
        homeAccountID: throttleOwner, clientID: context.configuration.clientID, names: [name])
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
      let name = throttleKey.brokerName
      let last = inputs.throttles.first { $0.name == name && !$0.hasExpired(at: time.clocks) }
      let failures = last?.failures ?? 0
      recordThrottle(
        error, as: name, forSeconds: ThrottleRule.blockedSeconds(after: error, failures: failures),
        backoffSeconds: isOptional
          ? ThrottleRule.backoffSeconds(after: error, failures: failures) : 0,
        failures: failures &+ 1)
      throw error
    }
  }

  /// Returns the active throttle record of the broker; `nil` for none.
  private func activeBrokerThrottle(_ inputs: SilentInputs, _ isOptional: Bool) -> ThrottleRecord? {
    guard !inputs.throttles.isEmpty else { return nil }
    let name = throttleKey.brokerName
    return inputs.throttles.first { record in
      guard record.name == name else { return false }
      return isOptional
        ? record.backoffSeconds(at: time.clocks) > 0 : record.blockedSeconds(at: time.clocks) > 0
    }
  }
}
