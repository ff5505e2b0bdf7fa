// SPDX-License-Identifier: MIT
// A descriptor that becomes readable when another thread ends a wait.

import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ends a wait for descriptors from another thread.
package final class WakePipe: Sendable {
  /// Becomes readable when the wait has to end.
  package let descriptor: Int32
  private let other: Int32

  /// A pipe; nil when there is no descriptor left.
  package init?() {
    var pair: [Int32] = [-1, -1]
    guard ctessera_wake_pipe(&pair) == 0 else { return nil }
    descriptor = pair[0]
    other = pair[1]
  }

  deinit {
    close(descriptor)
    close(other)
  }

  /// Ends the wait that is under way, and all later ones until it is quietened.
  package func wake() {
    _ = withUnsafeBytes(of: UInt8(1)) { write(other, $0.baseAddress, 1) }
  }

  /// Lets later waits wait again.
  package func quieten() {
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }

  /// Waits until it is woken, or for some milliseconds.
  package func wait(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}
