// SPDX-License-Identifier: MIT
// Cancellation of a call by Ctrl-C, if another process must be notified of its end.

import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Signals that cancel the current call, and then end the command.
enum Interruption {
  /// The signals that request termination: Ctrl-C, `kill`, and the loss of the terminal.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Runs a call that a signal cancels, and then ends the command by the default action of that signal.
  ///
  /// A second signal ends the command at once. Signals that were ignored, as under `nohup`, stay ignored.
  static func cancelling<Value>(
    _ body: (Cancellation) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let cancellation = Cancellation()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let readEnd = ends.first, let writeEnd = ends.last else {
      return try body(cancellation)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe = writeEnd
    Task.detached {
      var number: UInt8 = 0
      if read(readEnd, &number, 1) == 1 { cancellation.cancel() }
      close(readEnd)
    }
    let caught = numbers.filter(Interruption.installHandler)
    defer {
      for number in caught { signal(number, SIG_DFL) }
      if received != 0 { raise(received) }
      close(writeEnd)
    }
    return try body(cancellation)
  }

  /// Handles a signal once, unless it is ignored; returns whether it is handled.
  private static func installHandler(_ number: Int32) -> Bool {
    let previous = signal(number) { number in
      signal(number, SIG_DFL)
      received = number
      var byte: UInt8 = 0
      _ = write(signalPipe, &byte, 1)
    }
    guard unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
      return true
    }
    signal(number, SIG_IGN)
    return false
  }
}

/// The state of the signal handler: the descriptor that it writes to, and the received signal.
private nonisolated(unsafe) var signalPipe: Int32 = -1
private nonisolated(unsafe) var received: Int32 = 0
