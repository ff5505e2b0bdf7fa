// SPDX-License-Identifier: MIT
// Until when one exchange may take: the call's own limits, and the patience that the settings name.

import TesseraEngine

/// The limits of an exchange that begins now.
struct ExchangeLimits {
  /// The longest single wait, so that the sleep of the machine is noticed.
  private static let longestWait: UInt64 = 1_000_000_000

  private let call: CallLimits
  private let time: any TimeSource
  private let host: String
  private let settings: NetworkSettings
  private let connectBy: UInt64
  private let endBy: UInt64

  /// The limits of a call, and those of its exchange with a host.
  init(_ call: CallLimits, host: String, settings: NetworkSettings, time: any TimeSource) {
    self.call = call
    self.time = time
    self.host = host
    self.settings = settings
    let now = time.monotonicNanoseconds
    connectBy = now.adding(UInt64(settings.connectTimeoutMilliseconds) &* 1_000_000)
    endBy = now.adding(UInt64(settings.totalTimeoutMilliseconds) &* 1_000_000)
  }

  /// How long libcurl may try to connect.
  ///
  /// It divides the time among the addresses of a host. The second more lets ``check(isConnected:)`` come first:
  /// before 7.87 libcurl ended in time only what somebody else ends.
  var connectMilliseconds: Int {
    Int(millisecondsToNextCheck(isConnected: false, longest: .max)) &+ 1_000
  }

  /// Throws when the exchange has to end now.
  func check(isConnected: Bool) throws(TesseraError) {
    try call.check(time)
    let now = time.monotonicNanoseconds
    if now >= endBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "\(host) did not answer within \(settings.totalTimeoutMilliseconds) ms.")
    }
    if !isConnected && now >= connectBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "There was no connection to \(host) within \(settings.connectTimeoutMilliseconds) ms.")
    }
  }

  /// How long there is nothing to check, in whole milliseconds, rounded up.
  func millisecondsToNextCheck(
    isConnected: Bool, longest: UInt64 = ExchangeLimits.longestWait
  ) -> Int32 {
    let now = time.monotonicNanoseconds
    let end = isConnected ? endBy : min(connectBy, endBy)
    let left = min(end > now ? end - now : 0, call.nanosecondsLeft(time) ?? .max, longest)
    return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
  }
}
