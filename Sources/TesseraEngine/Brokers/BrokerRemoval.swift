// SPDX-License-Identifier: MIT
// The result of a sign-out at the broker.

/// The result of a sign-out at the broker.
public struct BrokerRemoval: Sendable {
  /// The number of accounts that the broker removed for the application.
  public var removed = 0
  /// The error that prevented further removals; `nil` if there was none.
  public var error: TesseraError?

  /// Creates the result of a sign-out.
  public init(removed: Int = 0, error: TesseraError? = nil) {
    self.removed = removed
    self.error = error
  }
}
