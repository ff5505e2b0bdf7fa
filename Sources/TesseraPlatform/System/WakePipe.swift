// SPDX-License-Identifier: MIT
// A descriptor that another thread makes readable to end a wait.

import CLibrary
import CTesseraSystem

/// A descriptor with which another thread ends a poll.
package final class WakePipe: Sendable {
  /// The descriptor to poll.
  ///
  /// It is readable from ``wake()`` until ``reset()``.
  package let descriptor: Int32
  private let writeEnd: Int32

  /// Creates a pipe; nil if no descriptor is left.
  package init?() {
    var pair: [Int32] = [-1, -1]
    guard ctessera_wake_pipe(&pair) == 0 else { return nil }
    descriptor = pair[0]
    writeEnd = pair[1]
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Ends the current wait, and all later ones until ``reset()`` is called.
  package func wake() {
    _ = withUnsafeBytes(of: UInt8(1)) { write(writeEnd, $0.baseAddress, 1) }
  }

  /// Resets the pipe, so that later waits block again.
  package func reset() {
    var bytes: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &bytes) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }

  /// Waits until ``wake()`` is called or the timeout has passed.
  package func wait(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}
