// SPDX-License-Identifier: MIT
// SIGPIPE, which ends programs that did not expect it, kept away from the host.

import CTesseraSystem

/// The signal that a write to a connection without a reader sends.
enum PipeSignal {
  /// Does something that may send the signal to the calling thread; the host never sees it.
  ///
  /// The disposition of the signal, which belongs to the host, is left alone.
  static func withheld<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var saved = ctessera_pipe_signal()
    ctessera_pipe_signal_block(&saved)
    defer { ctessera_pipe_signal_restore(&saved) }
    return try body()
  }
}
