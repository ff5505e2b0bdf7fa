// SPDX-License-Identifier: MIT
// The selection of the records that a call reads from the store.

/// The records to read for one call.
///
/// Unless all accounts or all records are selected, the cost does not depend on the size of the store.
package struct SnapshotSelection: Sendable {
  /// The home account ID of the tokens and accounts to read.
  package var owner: String?
  /// A scope that the owner's access tokens must have, or `nil` for all access tokens.
  package var scope: String?
  /// Whether to read all accounts, with the refresh tokens and ID tokens that determine which applications may use them.
  ///
  /// The version of such a snapshot may stay the same when a refresh replaces one of these tokens.
  package var allAccounts = false
  /// The application that requests all accounts, or `nil` for any application.
  ///
  /// The sign-in state that the application has recorded for an account takes precedence over tokens. A store may
  /// therefore omit the tokens of such accounts.
  package var clientID: String?
  /// The version of the account list that the caller has cached.
  ///
  /// A store may then return only the changes.
  package var since: AccountListVersion?
  /// The account ranges to read, or `nil` for all of them.
  package var ranges: [Int]?
  /// Whether to read all records.
  ///
  /// It overrides all other options.
  ///
  /// The snapshot then has no version.
  package var everything = false
  /// The keys of individual records to read.
  package var keys: [RecordKey] = []

  /// Creates an empty selection.
  package init() {}

  /// Whether no record is needed.
  package var isEmpty: Bool { owner == nil && !allAccounts && !everything && keys.isEmpty }
}
