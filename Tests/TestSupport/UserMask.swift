// SPDX-License-Identifier: MIT
// The umask of the process, which is shared by all its threads.

import CLibrary

/// The umask, which removes permissions from new files.
package enum UserMask {
  /// Runs `body` with a umask that removes no permissions.
  package static func cleared<Value>(_ body: () throws -> Value) rethrows -> Value {
    let old = umask(0)
    defer { umask(old) }
    return try body()
  }

  /// Runs `body` with a umask that removes all permissions of others.
  package static func closed<Value>(_ body: () throws -> Value) rethrows -> Value {
    let old = umask(0o077)
    defer { umask(old) }
    return try body()
  }
}
