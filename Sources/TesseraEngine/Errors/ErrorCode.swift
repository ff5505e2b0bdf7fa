// SPDX-License-Identifier: MIT
// The name of a situation: open, stable, documented in docs/errors.md.

/// The name of a situation, such as `interaction_required`.
///
/// The set is open: new names may be added, none changes its meaning. Switch over ``Remedy``, and use the code where
/// one situation needs something special.
public struct ErrorCode: RawRepresentable, Sendable, Hashable {
  /// The name, in snake case.
  public let rawValue: String

  /// A code with this name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A code of the table.
  init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}
