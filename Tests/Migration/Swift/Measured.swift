// SPDX-License-Identifier: MIT
// Processor time and memory of this process.

import CLibrary

/// Measurements of processor time and peak memory.
enum Measured {
  /// Returns the processor time of a function in milliseconds.
  static func milliseconds(_ work: () -> Void) -> Int {
    let start = worked
    work()
    return worked - start
  }

  private static var worked: Int {
    var usage = rusage()
    getrusage(0, &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    return (Int(user.tv_sec) + Int(system.tv_sec)) * 1000
      + (Int(user.tv_usec) + Int(system.tv_usec)) / 1000
  }

  /// The peak memory of the process in megabytes.
  static var peak: Int {
    var usage = rusage()
    // 0 is RUSAGE_SELF, whose type differs between C libraries.
    getrusage(0, &usage)
    return Int(usage.ru_maxrss) >> 10
  }
}
