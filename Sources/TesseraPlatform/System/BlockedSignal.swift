// SPDX-License-Identifier: MIT
// Suppression of SIGPIPE and SIGXFSZ, so that writes of the library do not terminate the host process.

import CLibrary
import CTesseraSystem

/// A signal that the kernel sends to the thread that writes.
struct BlockedSignal {
  private let number: Int32

  /// The signal of a write to a connection without a reader.
  static let brokenPipe = BlockedSignal(number: SIGPIPE)
  /// The signal of a write beyond the file size limit of the process.
  static let fileSize = BlockedSignal(number: SIGXFSZ)

  /// Runs a function that may raise the signal on the calling thread.
  ///
  /// The signal is blocked and then discarded.
  ///
  /// The disposition of the signal, which belongs to the host application, is not changed.
  func blocked<Value, Failure: Error>(
    during body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var saved = ctessera_blocked_signal()
    ctessera_signal_block(&saved, number)
    defer { ctessera_signal_restore(&saved) }
    return try body()
  }
}
