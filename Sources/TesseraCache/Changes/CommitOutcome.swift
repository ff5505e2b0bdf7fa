// SPDX-License-Identifier: MIT
// The outcome of a commit, determined inside its transaction.

/// The outcome of a change that stores the result of redeeming a refresh token, or that has a step of a feature.
///
/// Every other change is applied.
package enum CommitOutcome: Sendable {
  /// The change was applied.
  case applied
  /// The redeemed refresh token was no longer in the store, so the result was not stored.
  case superseded(Removal)
  /// A step of a feature was applied, with its own outcome.
  case completed(any FeatureOutcome)

  /// A removal of a refresh token while it was being redeemed.
  package enum Removal: Sendable, Hashable {
    /// The account signed out.
    case signOut
    /// The refresh token was removed, but the account is still signed in.
    case refreshToken
    /// The refresh token of an older library was removed.
    case importedToken
  }
}

/// The outcome of a step of a feature.
package protocol FeatureOutcome: Sendable, Equatable {}

extension CommitOutcome: Equatable {
  package static func == (one: CommitOutcome, other: CommitOutcome) -> Bool {
    switch (one, other) {
    case (.applied, .applied): true
    case (.superseded(let one), .superseded(let other)): one == other
    case (.completed(let one), .completed(let other)): one.isEqual(to: other)
    default: false
    }
  }
}

extension FeatureOutcome {
  fileprivate func isEqual(to other: any FeatureOutcome) -> Bool { other as? Self == self }
}
