// SPDX-License-Identifier: MIT
// The stack space that calls need, compared with what is left of the calling thread's stack.

/// The bytes of stack that a call needs, counted from the place that checks it.
///
/// `Tests/Stacks/run --measure` prints what each call uses, with the first use of every type in a process.
package enum StackNeed: Int, Sendable {
  /// A call that spends no credential, from its first function: 50 KiB were measured.
  case call = 55_296
  /// A token request, with the check and the commit of its response: 59 KiB were measured.
  case credential = 71_680
  /// A sign-in before the user is asked, so that the token request passes its own check later.
  case signIn = 92_160
}

/// The remaining stack of the calling thread.
package struct StackSpace: Sendable {
  /// Returns the number of bytes that are left; nil if it is not known.
  package let bytesLeft: @Sendable () -> Int?

  /// The stack as a function measures it.
  package init(bytesLeft: @escaping @Sendable () -> Int?) {
    self.bytesLeft = bytesLeft
  }

  /// A stack of unknown size, which is never refused.
  package static let unknown = StackSpace { nil }

  /// Throws `stack_too_small` if less is left than the work needs.
  ///
  /// Coroutines and fibers have stacks whose size is not known; they pass.
  package func check(_ need: StackNeed) throws(TesseraError) {
    guard let left = bytesLeft(), left < need.rawValue else { return }
    throw TesseraError(
      .fixRequest, .stackTooSmall,
      "The stack of this thread has \(left / 1024) KiB left, and this call needs \(need.rawValue / 1024) KiB: make it "
        + "on a thread with a larger stack, of at least 128 KiB. No credential was sent.")
  }
}
