// SPDX-License-Identifier: MIT
// Which few records one call needs to see.

/// The records that one call needs: a store reads these and no others, whatever its size.
package struct SnapshotSelection: Sendable {
  /// The home account id whose tokens and profiles are needed.
  package var owner: String?
  /// A scope that the owner's access tokens must have; nil for all of them.
  package var scope: String?
  /// Whether all accounts are needed, with the refresh tokens and ID tokens that say who may use them.
  ///
  /// A version of it may stay the same when such a token takes the place of an older one.
  package var everyAccount = false
  /// The application that asks for all accounts; nil for any.
  ///
  /// What it remembers of an account decides whether it may use it; then a store may leave out the account's tokens.
  package var clientID: String?
  /// The list of all accounts that the caller has; a store may then give only what has changed since.
  package var since: ListState?
  /// The ranges of people of whom all accounts are needed; nil for all of them.
  package var ranges: [Int]?
  /// Whether all records are needed, whatever else is said.
  ///
  /// A snapshot of them has no version.
  package var everything = false
  /// Single records that are needed.
  package var keys: [RecordKey] = []

  /// Nothing yet.
  package init() {}
}
