// SPDX-License-Identifier: MIT
// Ctrl-C while somebody else has to be told that a call is over.

import Tessera

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Signals that end the command, which first ends the call that is under way.
enum Interruption {
  /// Those that ask a program to end: Ctrl-C, `kill`, and a terminal that goes away.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Runs a call that a signal cancels; then the command ends by that signal, as it would have without this.
  ///
  /// A second signal ends the command at once. What was ignored before, as under `nohup`, stays ignored.
  static func cancelling<Value>(
    _ body: (Cancellation) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let cancellation = Cancellation()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let listening = ends.first, let ringing = ends.last else {
      return try body(cancellation)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    bell = ringing
    Task.detached {
      var number: UInt8 = 0
      if read(listening, &number, 1) == 1 { cancellation.cancel() }
      close(listening)
    }
    let caught = numbers.filter(Interruption.catches)
    defer {
      for number in caught { signal(number, SIG_DFL) }
      if received != 0 { raise(received) }
      close(ringing)
    }
    return try body(cancellation)
  }

  /// Catches a signal once, unless it is ignored.
  private static func catches(_ number: Int32) -> Bool {
    let previous = signal(number) { number in
      signal(number, SIG_DFL)
      received = number
      var byte: UInt8 = 0
      _ = write(bell, &byte, 1)
    }
    guard unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
      return true
    }
    signal(number, SIG_IGN)
    return false
  }
}

/// What a handler may touch: the descriptor that tells of a signal, and which one came.
private nonisolated(unsafe) var bell: Int32 = -1
private nonisolated(unsafe) var received: Int32 = 0
