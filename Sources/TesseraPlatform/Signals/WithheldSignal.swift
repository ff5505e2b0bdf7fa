// SPDX-License-Identifier: MIT
// Signals that end programs which did not expect them, kept away from the host.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A signal that a write sends to the thread that writes.
struct WithheldSignal {
  private let number: Int32

  /// What a connection without a reader sends.
  static let brokenPipe = WithheldSignal(number: SIGPIPE)
  /// What a file sends that grows beyond the limit of the process.
  static let fileSize = WithheldSignal(number: SIGXFSZ)

  /// Does something that may send the signal to the calling thread; the host never sees it.
  ///
  /// The disposition of the signal, which belongs to the host, is left alone.
  func withheld<Value, Failure: Error>(
    during body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var saved = ctessera_withheld_signal()
    ctessera_signal_withhold(&saved, number)
    defer { ctessera_signal_restore(&saved) }
    return try body()
  }
}
