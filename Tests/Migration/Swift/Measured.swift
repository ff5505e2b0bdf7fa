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
  /// Does something, and says how many milliseconds the processor worked on it, whatever else it had to do.
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

  /// The most memory that the process had so far, in megabytes.
  static var peak: Int {
    var usage = rusage()
    // 0 is RUSAGE_SELF, whose type is another one in each C library.
    getrusage(0, &usage)
    return Int(usage.ru_maxrss) >> 10
  }
}
