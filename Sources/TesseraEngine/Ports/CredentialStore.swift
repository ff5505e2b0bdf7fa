// SPDX-License-Identifier: MIT
// The port behind which credentials are kept.

package import TesseraCache

/// Keeps credentials for every process that uses it.
///
/// A call takes one snapshot, decides, and commits one change; the change is applied to what is there then. Every store
/// passes the same contract test, whatever it is made of.
package protocol CredentialStore: Sendable {
  /// Whether nobody has committed to what a snapshot of a version shows, told without a lock, a write or a wait.
  ///
  /// False also when that cannot be told now.
  func isCurrent(_ version: StoreVersion) -> Bool

  /// Whether what was made from a version may be of use once that is not current.
  func isRenewable(_ version: StoreVersion) -> Bool

  /// The version of what is there now, if a snapshot of an older version would show the same; told without a wait.
  ///
  /// Asked once a version is not current. The older version itself comes back where the next state cannot be told from this
  /// one yet. Nil also when nothing can be told.
  func renewed(_ version: StoreVersion) -> StoreVersion?

  /// The records that a call needs, all of one moment. A store that does not exist yet has none.
  func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot

  /// Throws unless a change could be committed now: asked before a refresh token is spent.
  func prove(within limits: CallLimits) throws(TesseraError)

  /// Applies a change durably: all of it or nothing.
  func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError)

  /// What the store says about itself; nothing is made or changed for that.
  ///
  /// - Parameter policy: what the application asked for.
  func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo

  /// Makes a new key and seals every record with it; programs that have the store open go on.
  ///
  /// - Parameter given: the new key, if the program keeps it itself.
  /// - Returns: false if nothing is kept that could be sealed.
  func rotateKey(to given: StoreKey?, within limits: CallLimits) throws(TesseraError) -> Bool

  /// Removes what was set aside because it was damaged: it may hold tokens.
  ///
  /// - Returns: whether nothing of it is left.
  func removeSetAside(within limits: CallLimits) throws(TesseraError) -> Bool

  /// The databases of other groups beside it, which a sign-out of the machine leaves alone.
  var neighbours: [String] { get }

  /// Does something while nobody else, in any process, does it for the same credential.
  ///
  /// - Throws: what the body throws; `storeBusy` when somebody else holds the lock until the deadline.
  func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value
}

extension CredentialStore {
  /// What is not current has changed, as far as anybody knows.
  package func isRenewable(_ version: StoreVersion) -> Bool { false }

  /// There is nothing to renew.
  package func renewed(_ version: StoreVersion) -> StoreVersion? { nil }

  /// Nothing is set aside.
  package func removeSetAside(within limits: CallLimits) throws(TesseraError) -> Bool { true }

  /// There are none.
  package var neighbours: [String] { [] }

  /// There is no key.
  package func rotateKey(
    to given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    false
  }
}

/// The credential that is refreshed by one process at a time.
package struct CredentialLock: Sendable, Hashable {
  /// Issuer or cloud, application and account, as one text.
  package let name: String

  /// The lock of an account's refresh token.
  ///
  /// - Parameter owner: the application, or the family that shares the token.
  package init(environment: String, owner: String, homeAccountID: String) {
    name = "\(environment)\n\(owner)\n\(homeAccountID)"
  }
}
