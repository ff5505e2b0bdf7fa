// SPDX-License-Identifier: MIT
// The clock that all workers share, and unbuffered output.

import CLibrary

/// A monotonic clock, which is the same for all processes.
enum Moment {
  /// The time in nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Sleeps until a time; 0 is now.
  static func wait(until moment: UInt64) {
    let start = now
    guard moment > start else { return }
    usleep(UInt32(clamping: (moment - start) / 1000))
  }
}

/// Prints a line without buffering.
func printLine(_ line: String) {
  print(line)
  fflush(nil)
}

/// Whether the next command has arrived.
func hasNextCommand() -> Bool {
  var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  return poll(&input, 1, 0) != 0
}
