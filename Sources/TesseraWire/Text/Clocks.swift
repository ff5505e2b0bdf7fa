// SPDX-License-Identifier: MIT
// A simultaneous reading of the wall clock, which users can set, and the boot-time clock, which they cannot.

/// The current time on both clocks of this machine.
package struct Clocks: Sendable, Hashable {
  /// The wall-clock time.
  package let now: Instant
  /// The boot-time clock; nil if its readings are not comparable between processes.
  package let bootTime: BootTime?

  package init(now: Instant, bootTime: BootTime? = nil) {
    self.now = now
    self.bootTime = bootTime
  }
}
