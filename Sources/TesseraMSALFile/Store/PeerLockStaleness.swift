// SPDX-License-Identifier: MIT
// The rule that decides how long a lock file without kernel locks is honoured.

import TesseraPlatform

/// The rule that decides from its age whether a lock file is stale.
struct PeerLockStaleness: Sendable {
  /// The process whose ID is in the lock file.
  enum Holder: Sendable, Equatable {
    /// No running process with this ID in this PID namespace.
    case notRunning
    /// A running process and the time since its start; `nil` if the system does not report it.
    case running(nanoseconds: UInt64?)
  }

  /// The time for which a file is honoured if its process is not running, in nanoseconds.
  static let graceNanoseconds: UInt64 = 10_000_000_000
  /// The maximum time for which any file is honoured, in nanoseconds.
  ///
  /// No library holds the lock during network requests or user interaction.
  static let maximumNanoseconds: UInt64 = 300_000_000_000
  /// The tolerated difference between the clocks of files and of process start times, in nanoseconds.
  static let clockTolerance: UInt64 = 2_000_000_000

  /// Whether the lock is no longer held.
  ///
  /// - Parameters:
  ///   - age: The time since the file was written, in nanoseconds. For a time in the future, the distance to it.
  ///   - isMine: Whether the file contains the ID of the current process, which never holds the lock for longer than
  ///     `graceNanoseconds`.
  static func isStale(_ holder: Holder, age: UInt64, isMine: Bool = false) -> Bool {
    switch holder {
    case .notRunning: return age > graceNanoseconds
    case .running where isMine: return age > graceNanoseconds
    case .running(let span):
      // A process that started after the file was written has reused the ID of the writer.
      let isOther = span.map { age > clockTolerance && $0 < age - clockTolerance } ?? false
      return age > (isOther ? graceNanoseconds : maximumNanoseconds)
    }
  }
}
