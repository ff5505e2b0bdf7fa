// SPDX-License-Identifier: MIT
// The throttling of silent calls, based on recorded failures of all processes of the user.

import TesseraCache
import TesseraWire

/// The recorded failures of a silent request.
struct SilentThrottles {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Returns the step that removes the failures of this request after a success; `nil` if there are none.
  func removalStep(
    _ snapshot: CacheSnapshot, _ redeemed: Secret
  ) -> CacheChange.Step? {
    let throttles = call.throttles(snapshot)
    guard !throttles.isEmpty else { return nil }
    let names: Set<String> = [call.throttleKey.name, call.throttleKey.name(redeeming: redeemed)]
    guard throttles.contains(where: { names.contains($0.name) }) else { return nil }
    call.context.throttles.removeRecords(of: call.throttleOwner, names: names)
    return .removeThrottles(
      homeAccountID: call.throttleOwner, clientID: call.context.configuration.clientID, names: names
    )
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
    if error.code == .deadlineExceeded, call.limits.nanosecondsLeft(call.time) == 0 { return }
    let name = call.throttleKey.name
    let last = call.throttles(snapshot).first {
      $0.name == name && !$0.hasExpired(at: call.time.clocks)
    }
    let failures = last?.failures ?? 0
    record(
      error, as: name, forSeconds: ThrottleRule.blockedSeconds(after: error, failures: failures),
      backoffSeconds: reason.isOptional
        ? ThrottleRule.backoffSeconds(after: error, failures: failures) : 0,
      failures: failures &+ 1)
  }

  /// Records that this request must not be sent for some time.
  func record(
    _ error: TesseraError, as name: String, forSeconds seconds: Int64, backoffSeconds: Int64 = 0,
    failures: Int64 = 1
  ) {
    call.context.recordThrottle(
      error, as: (name, call.throttleOwner), forSeconds: seconds, backoffSeconds: backoffSeconds,
      failures: failures)
  }

  /// Throttles requests with declined scopes, because the server would decline them again.
  func recordDeclinedScopes(of result: TokenResult, _ token: Secret) {
    call.context.recordDeclinedScopes(
      of: result, as: (call.throttleKey.name(redeeming: token), call.throttleOwner))
  }
}
