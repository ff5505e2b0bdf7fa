// SPDX-License-Identifier: MIT
// The time limits of one exchange: those of the call, and the timeouts of the settings.

import TesseraEngine

/// The time limits of an exchange that starts at their creation.
struct ExchangeLimits {
  /// The maximum duration of one wait, in nanoseconds.
  ///
  /// After the machine slept, the deadline is checked within this time.
  private static let maximumWaitNanoseconds: UInt64 = 1_000_000_000

  private let call: CallLimits
  private let time: any TimeSource
  private let host: String
  private let settings: NetworkSettings
  private let connectBy: UInt64
  private let endBy: UInt64
  /// The time until which the rest of a response may be received; `nil` before the limits are reached.
  private var receiveBy: UInt64?

  /// Creates limits from those of a call and the timeouts of the settings.
  init(_ call: CallLimits, host: String, settings: NetworkSettings, time: any TimeSource) {
    self.call = call
    self.time = time
    self.host = host
    self.settings = settings
    let now = time.monotonicNanoseconds
    connectBy = now.adding(UInt64(settings.connectTimeoutMilliseconds) &* 1_000_000)
    endBy = now.adding(UInt64(settings.totalTimeoutMilliseconds) &* 1_000_000)
  }

  /// The connection timeout for libcurl, in milliseconds, which libcurl divides among the addresses of a host.
  ///
  /// One second is added so that ``check(isConnected:)`` throws first. Before version 7.87, libcurl could exceed its own timeout
  /// while its resolver was running.
  var connectMilliseconds: Int {
    Int(millisecondsToNextCheck(isConnected: false, longest: .max)) &+ 1_000
  }

  /// Throws if the exchange must end now.
  ///
  /// - Parameter mustReceive: Whether the response has begun and must not be lost. It then has more time.
  mutating func check(isConnected: Bool, mustReceive: Bool) throws(TesseraError) {
    do throws(TesseraError) {
      try check(isConnected: isConnected)
    } catch {
      guard mustReceive else { throw error }
      let now = time.monotonicNanoseconds
      let end = receiveBy ?? now.adding(UInt64(CallLimits.responseMilliseconds) &* 1_000_000)
      guard now < end else { throw error }
      receiveBy = end
    }
  }

  private func check(isConnected: Bool) throws(TesseraError) {
    try call.check(time)
    let now = time.monotonicNanoseconds
    if now >= endBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "\(host) did not respond within \(settings.totalTimeoutMilliseconds) ms.")
    }
    if !isConnected && now >= connectBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "No connection to \(host) within \(settings.connectTimeoutMilliseconds) ms.")
    }
  }

  /// The time until the next limit, in whole milliseconds, rounded up.
  func millisecondsToNextCheck(
    isConnected: Bool, longest: UInt64 = ExchangeLimits.maximumWaitNanoseconds
  ) -> Int32 {
    let now = time.monotonicNanoseconds
    let end = isConnected ? endBy : min(connectBy, endBy)
    var left = min(end > now ? end - now : 0, call.nanosecondsLeft(time) ?? .max, longest)
    if let receiveBy { left = min(receiveBy > now ? receiveBy - now : 0, longest) }
    return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
  }
}
