// SPDX-License-Identifier: MIT
// The port to the credential store.

package import TesseraCache

/// Stores credentials for all processes that use it.
///
/// A call reads one snapshot, decides, and commits one change. The change is applied to the contents at the time of the
/// commit. All stores pass the same contract test.
package protocol CredentialStore: Sendable {
  /// Whether a snapshot of a version is still current, determined without a lock, a write or a wait.
  ///
  /// `false` also if this cannot be determined now.
  func isCurrent(_ version: StoreVersion) -> Bool

  /// Whether cached data of a stale version may be revalidated with ``revalidated(_:)``.
  func mayRevalidate(_ version: StoreVersion) -> Bool

  /// Returns the present version if a snapshot of a stale version would have the same contents, without waiting.
  ///
  /// Called when a version is not current. Returns the given version if the contents are the same but the store was changed
  /// so recently that the next change might go unnoticed. Returns `nil` if the contents differ or cannot be compared.
  func revalidated(_ version: StoreVersion) -> StoreVersion?

  /// Returns the selected records, all of one transaction.
  ///
  /// A store that does not exist yet has none.
  func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot

  /// Checks that a token response could be committed now, and reserves space for it, without a commit.
  ///
  /// Called under the lock of a refresh token before it is redeemed, and before a sign-in.
  func checkWritable(within limits: CallLimits) throws(TesseraError)

  /// Applies a change durably and atomically.
  ///
  /// - Returns: The outcome, determined inside the transaction.
  @discardableResult
  func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError)
    -> CommitOutcome

  /// Returns information about the store.
  ///
  /// Nothing is created or changed.
  ///
  /// - Parameter policy: The storage policy of the application.
  func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo

  /// Creates a new key and re-encrypts every record with it.
  ///
  /// Other processes can keep the store open.
  ///
  /// - Parameter given: The new key, if the application provides it.
  /// - Returns: `false` if the store contains nothing to encrypt.
  func rotateKey(to given: StoreKey?, within limits: CallLimits) throws(TesseraError) -> Bool

  /// Deletes quarantined data, which may contain tokens.
  ///
  /// - Returns: Whether all of it was deleted.
  func deleteQuarantined(within limits: CallLimits) throws(TesseraError) -> Bool

  /// The databases of other groups in the same directory.
  ///
  /// A sign-out of the whole machine leaves them unchanged.
  var otherGroupDatabases: [String] { get }

  /// Runs `body` with an exclusive lock on a credential, across all processes.
  ///
  /// - Throws: The errors of `body`; `storeBusy` if another process or thread holds the lock until the deadline.
  func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value
}

extension CredentialStore {
  /// Returns `false`: stale data is not revalidated by default.
  package func mayRevalidate(_ version: StoreVersion) -> Bool { false }

  /// Returns `nil`: stale data is not revalidated by default.
  package func revalidated(_ version: StoreVersion) -> StoreVersion? { nil }

  /// Returns `true`: there is no quarantined data by default.
  package func deleteQuarantined(within limits: CallLimits) throws(TesseraError) -> Bool { true }

  /// An empty list by default.
  package var otherGroupDatabases: [String] { [] }

  /// Returns `false`: there is no key by default.
  package func rotateKey(
    to given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    false
  }
}

/// The name of a lock that allows one process at a time to refresh a credential.
package struct CredentialLock: Sendable, Hashable {
  /// The environment, the client or family, and the account, as one text.
  package let name: String

  /// Creates the lock of an account's refresh token.
  ///
  /// - Parameter owner: The client ID, or the family that shares the token.
  package init(environment: String, owner: String, homeAccountID: String) {
    name = "\(environment)\n\(owner)\n\(homeAccountID)"
  }
}
