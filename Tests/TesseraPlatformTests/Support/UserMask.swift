// SPDX-License-Identifier: MIT
// The umask of the process, which belongs to all its threads.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The mask that takes permissions away from new files.
enum UserMask {
  /// Runs with a mask that takes nothing away.
  static func cleared<Value>(_ body: () throws -> Value) rethrows -> Value {
    let old = umask(0)
    defer { umask(old) }
    return try body()
  }

  /// Runs with a mask that leaves nothing to others.
  static func closed<Value>(_ body: () throws -> Value) rethrows -> Value {
    let old = umask(0o077)
    defer { umask(old) }
    return try body()
  }
}
