// SPDX-License-Identifier: MIT
// The outcome of a commit, determined inside its transaction.

/// The outcome of a change that stores the result of redeeming a refresh token, or that migrates an older cache.
///
/// Every other change is applied.
package enum CommitOutcome: Sendable, Hashable {
  /// The change was applied.
  case applied
  /// The redeemed refresh token was no longer in the store, so the result was not stored.
  case superseded(Removal)
  /// The tokens and records of an older cache were merged with those of the store.
  case migrated(MigrationOutcome)

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
