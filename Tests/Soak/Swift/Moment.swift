// SPDX-License-Identifier: MIT
// The clock that all workers share, and output that leaves at once.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A clock that never goes back, the same one for all processes.
enum Moment {
  /// Nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Sleeps until a moment; 0 is now.
  static func wait(until moment: UInt64) {
    let start = now
    guard moment > start else { return }
    usleep(UInt32(clamping: (moment - start) / 1000))
  }
}

/// Prints a line at once.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Whether the next command has come already.
func isToldToStop() -> Bool {
  var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  return poll(&input, 1, 0) != 0
}
