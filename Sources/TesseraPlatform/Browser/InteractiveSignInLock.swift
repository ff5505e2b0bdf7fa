// SPDX-License-Identifier: MIT
// A lock that limits an application to one interactive sign-in at a time, in a browser or in the broker's window.

import CLibrary
package import TesseraEngine

/// The lock for the one interactive sign-in of an application object.
package final class InteractiveSignInLock: Sendable {
  /// The holder of the lock.
  ///
  /// A child of fork() ignores the holder of its parent.
  private struct Holder {
    let process: Int32
    let cancellation: Cancellation?
  }

  private let time: any TimeSource
  private let holder = SpinLock<Holder?>(nil)

  /// Creates an unlocked lock.
  package init(time: any TimeSource) {
    self.time = time
  }

  /// Acquires the lock; ``release()`` releases it.
  ///
  /// - Throws: `interactionInProgress` while another sign-in holds the lock; `cancelled` at the limits.
  package func acquire(within limits: CallLimits) throws(TesseraError) {
    // A cancelled sign-in releases the lock soon. Its caller may start another one before the listener is closed.
    for _ in 0..<200 {
      guard let other = other(than: limits.cancellation) else { return }
      guard other.cancellation?.isCancelled == true else { break }
      try time.wait(nanoseconds: 5_000_000, within: limits)
    }
    throw TesseraError(
      .fixRequest, .interactionInProgress,
      "Another sign-in of this application is in progress: wait until that call ends, or cancel it."
    )
  }

  /// Releases the lock.
  package func release() {
    holder.withLock { $0 = nil }
  }

  /// Acquires the lock if it is free.
  ///
  /// - Returns: The current holder, or nil if the lock was acquired.
  private func other(than cancellation: Cancellation?) -> Holder? {
    holder.withLock { holder in
      if let holder, holder.process == getpid() { return holder }
      holder = Holder(process: getpid(), cancellation: cancellation)
      return nil
    }
  }
}
