// SPDX-License-Identifier: MIT
// The codes of errors: open, stable, documented in docs/errors.md.

extension TesseraError {
  /// The code of an error, such as `interaction_required`.
  ///
  /// The set is open: new codes may be added, and existing ones keep their meaning. Switch over ``TesseraError/Remedy``,
  /// and use the code only where one error needs special handling.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code, in snake case.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a code of the table.
    init(_ rawValue: String) {
      self.rawValue = rawValue
    }
  }
}
