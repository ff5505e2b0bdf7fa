// SPDX-License-Identifier: MIT
// The throttling of silent calls, based on recorded failures of all processes of the user.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// The timeout for storing a failure, in milliseconds.
  ///
  /// Afterwards it is recorded in this process only.
  private static let recordTimeoutMilliseconds: Int64 = 250

  var time: any TimeSource { context.dependencies.time }

  /// The key under which failures of this request are recorded.
  var throttleKey: ThrottleKey {
    ThrottleKey(
      environment: environments.first ?? "", tenant: authority.tenant,
      clientID: context.configuration.clientID, homeAccountID: throttleOwner, scopes: scopes,
      claims: claims)
  }

  /// The account ID for recorded failures, or an owner derived from the user name if the account has none.
  var throttleOwner: String {
    homeAccountID.isEmpty
      ? LegacyAccountRecord(name: request.username ?? "").owner : homeAccountID
  }

  /// Returns the recorded failures from the store and from this process.
  func throttles(_ snapshot: CacheSnapshot) -> [ThrottleRecord] {
    snapshot.throttles + context.throttles.records(of: throttleOwner)
  }

  /// Returns the step that removes the failures of this request after a success; `nil` if there are none.
  func throttleRemovalStep(
    _ snapshot: CacheSnapshot, _ redeemed: Secret
  ) -> CacheChange.Step? {
    let throttles = throttles(snapshot)
    guard !throttles.isEmpty else { return nil }
    let names: Set<String> = [throttleKey.name, throttleKey.name(redeeming: redeemed)]
    guard throttles.contains(where: { names.contains($0.name) }) else { return nil }
    context.throttles.removeRecords(of: throttleOwner, names: names)
    return .removeThrottles(
      homeAccountID: throttleOwner, clientID: context.configuration.clientID, names: names)
  }

  /// Runs a part of a refresh, and records a failure that must not be retried at once.
  func recordingFailure<Value>(
    _ reason: RefreshReason, _ snapshot: CacheSnapshot, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(TesseraError) {
      return try body()
    } catch {
      recordFailure(error, reason, snapshot)
      throw error
    }
  }

  private func recordFailure(
    _ error: TesseraError, _ reason: RefreshReason, _ snapshot: CacheSnapshot
  ) {
    guard !error.isRecorded, ![.cancelled, .stackTooSmall].contains(error.code) else { return }
    // A caller with a zero or short timeout learned nothing about the server.
    if error.code == .deadlineExceeded, limits.nanosecondsLeft(time) == 0 { return }
    let name = throttleKey.name
    let last = throttles(snapshot).first { $0.name == name && !$0.hasExpired(at: time.clocks) }
    let failures = last?.failures ?? 0
    recordThrottle(
      error, as: name, forSeconds: ThrottleRule.blockedSeconds(after: error, failures: failures),
      backoffSeconds: reason.isOptional
        ? ThrottleRule.backoffSeconds(after: error, failures: failures) : 0,
      failures: failures &+ 1)
  }

  /// Records that a request must not be sent for some time.
  ///
  /// - Parameters:
  ///   - seconds: The duration for requests without a valid token, in seconds.
  ///   - backoffSeconds: The duration for requests with a valid token.
  func recordThrottle(
    _ error: TesseraError, as name: String, forSeconds seconds: Int64, backoffSeconds: Int64 = 0,
    failures: Int64 = 1
  ) {
    guard max(seconds, backoffSeconds) > 0 else { return }
    let clocks = time.clocks
    let record = ThrottleRecord(
      name: name, homeAccountID: throttleOwner, clientID: context.configuration.clientID,
      at: clocks, blockedForSeconds: seconds, backoffForSeconds: backoffSeconds, failures: failures,
      error: error.recordedMembers)
    let change = CacheChange([.throttle(record, at: clocks)])
    do throws(TesseraError) {
      try context.dependencies.store.commit(
        change,
        within: CallLimits(timeoutMilliseconds: SilentFlow.recordTimeoutMilliseconds, time: time))
    } catch {
      context.dependencies.log.write(
        .warning,
        "The failed request is throttled in this process only; the store reported \(error.code.rawValue)."
      )
      context.throttles.add(record, at: clocks)
    }
  }
}
