// SPDX-License-Identifier: MIT
// The stack space that calls need, compared with the remaining stack of the calling thread.

/// The bytes of stack that a call needs, counted from the function that checks it.
///
/// `Tests/Stacks/run --measure` prints what each call uses, with the first use of every type in a process. The rest is a margin.
package enum StackRequirement: Int, Sendable {
  /// A call that redeems no credential, from its first function: 30 KiB were measured.
  case call = 40_960
  /// A token request, with the check and the commit of its response: 27 KiB were measured.
  case credential = 49_152
  /// A sign-in before the user sees the page, so that the token request passes its own check later.
  case signIn = 73_728
}

/// The remaining stack of the calling thread.
package struct StackSpace: Sendable {
  /// Returns the number of bytes that are left; `nil` if it is unknown.
  package let bytesLeft: @Sendable () -> Int?

  /// Creates a value from a function that measures the remaining stack.
  package init(bytesLeft: @escaping @Sendable () -> Int?) {
    self.bytesLeft = bytesLeft
  }

  /// A stack of unknown size, for which every check passes.
  package static let unknown = StackSpace { nil }

  /// Throws `stack_too_small` if less is left than the work needs.
  ///
  /// Coroutines and fibers have stacks of unknown size, for which the check passes.
  package func check(_ need: StackRequirement) throws(TesseraError) {
    guard let left = bytesLeft(), left < need.rawValue else { return }
    throw TesseraError(
      .fixRequest, .stackTooSmall,
      "The stack of this thread has \(left / 1024) KiB left, but the call needs \(need.rawValue / 1024) KiB: "
        + "make the call on a thread with at least 128 KiB of stack. No credential was sent.")
  }
}
