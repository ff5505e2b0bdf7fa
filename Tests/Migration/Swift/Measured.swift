// SPDX-License-Identifier: MIT
// What the system says of this process.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How long something took, and how much memory the process had at most.
enum Measured {
  /// Does something, and says how many milliseconds that took.
  static func milliseconds(_ work: () -> Void) -> Int {
    let clock = ContinuousClock()
    let took = clock.measure(work)
    return Int(took.components.seconds) * 1000
      + Int(took.components.attoseconds / 1_000_000_000_000_000)
  }

  /// The most memory that the process had so far, in megabytes.
  static var peak: Int {
    var usage = rusage()
    // 0 is RUSAGE_SELF, whose type is another one in each C library.
    getrusage(0, &usage)
    return Int(usage.ru_maxrss) >> 10
  }
}
