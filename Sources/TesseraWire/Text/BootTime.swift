// SPDX-License-Identifier: MIT
// A boot-time timestamp, comparable across processes of a machine until the next reboot, which users cannot set.

/// A reading of the boot-time clock, with the ID of the boot.
package struct BootTime: Sendable, Hashable {
  private let boot: String
  private let nanoseconds: UInt64

  /// Creates a reading.
  ///
  /// - Parameter boot: The boot ID, which is unique for each boot of each machine. It must not contain a colon.
  package init(boot: String, nanoseconds: UInt64) {
    self.boot = boot
    self.nanoseconds = nanoseconds
  }

  /// Parses the format of ``text``; nil if it is invalid.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let nanoseconds = UInt64(parts[1]) else { return nil }
    self.init(boot: String(parts[0]), nanoseconds: nanoseconds)
  }

  /// The boot ID and the nanoseconds, separated by a colon.
  package var text: String { "\(boot):\(nanoseconds)" }

  /// Returns the whole seconds since an earlier reading; nil if that one is later, or from another boot.
  package func seconds(since other: BootTime) -> Int64? {
    guard boot == other.boot, nanoseconds >= other.nanoseconds else { return nil }
    return Int64(clamping: (nanoseconds - other.nanoseconds) / 1_000_000_000)
  }

  /// Whether this reading is later than another one; false if they are from different boots.
  package func isAfter(_ other: BootTime) -> Bool {
    boot == other.boot && nanoseconds > other.nanoseconds
  }
}
