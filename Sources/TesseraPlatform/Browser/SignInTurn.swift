// SPDX-License-Identifier: MIT
// One sign-in of an application at a time, whether in a browser or in the broker's window.

package import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The turn of the only sign-in of an application object that waits for a person.
package final class SignInTurn: Sendable {
  /// Whose sign-in waits: a child of fork() waits for nothing.
  private struct Holder {
    let process: Int32
    let cancellation: Cancellation?
  }

  private let time: any TimeSource
  private let holder = SpinLock<Holder?>(nil)

  /// A turn that nobody has.
  package init(time: any TimeSource) {
    self.time = time
  }

  /// Takes the turn; ``end()`` gives it back.
  ///
  /// - Throws: `interactionInProgress` while another sign-in has it; `cancelled` at the limits.
  func begin(within limits: CallLimits) throws(TesseraError) {
    // One that was cancelled is about to end: who awaited it may know before its listener is closed.
    for _ in 0..<200 {
      guard let other = other(than: limits.cancellation) else { return }
      guard other.cancellation?.isCancelled == true else { break }
      try time.wait(nanoseconds: 5_000_000, within: limits)
    }
    throw TesseraError(
      .fixRequest, .interactionInProgress,
      "This application is signing somebody in already: wait until that call has ended, or cancel it."
    )
  }

  /// Gives the turn back.
  func end() {
    holder.withLock { $0 = nil }
  }

  /// Whose sign-in waits; nil for this one, if there is no other.
  private func other(than cancellation: Cancellation?) -> Holder? {
    holder.withLock { holder in
      if let holder, holder.process == getpid() { return holder }
      holder = Holder(process: getpid(), cancellation: cancellation)
      return nil
    }
  }
}
