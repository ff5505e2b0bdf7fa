// SPDX-License-Identifier: MIT
// The port of the store, and the ports of the keys that protect it.

package import TesseraCache
import TesseraWire

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

/// Stores the data keys of stores.
///
/// A store has one data key, which is created once. The store records its location. If the source of the key is
/// unavailable, the call fails; another key is never created instead.
package protocol KeyProtection: Sendable {
  /// Checks that a source can satisfy the policy, before any file is created.
  ///
  /// No key is created. This happens under the lock of the store, so that two processes do not create two keys.
  ///
  /// - Throws: `encryptionUnavailable` if no source satisfies the policy.
  func prepare(within limits: CallLimits) throws(TesseraError)

  /// Creates the key of a new store, in the first available source that the policy allows.
  ///
  /// If the commit is retried, the same key is returned.
  ///
  /// - Throws: `encryptionUnavailable` if no source satisfies the policy.
  func createKey(within limits: CallLimits) throws(TesseraError) -> CreatedKey

  /// Creates a replacement for the key of a store.
  ///
  /// The old key stays in its source.
  ///
  /// If the commit is retried, the same key is returned.
  ///
  /// - Parameters:
  ///   - old: The location of the old key; `nil` for an unencrypted store.
  ///   - given: The new key, if the application provides it.
  /// - Throws: `encryptionUnavailable` if the new key would protect less than the old one.
  func replaceKey(
    at old: KeyLocation?, with given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> CreatedKey

  /// Returns the key at the location that a store recorded.
  ///
  /// - Throws: `keyUnavailable` if the source is unavailable or does not have the key; `encryptionUnavailable` if stores
  ///   with a key from this source are not trusted.
  func key(at location: KeyLocation, within limits: CallLimits) throws(TesseraError) -> KeyMaterial

  /// Removes the result of ``key(at:within:)`` from the cache, because it is not the key of the store.
  func invalidateCachedKey(_ location: KeyLocation)

  /// Checks that the policy allows a store with its key at a location; `nil` for an unencrypted store.
  ///
  /// - Throws: `encryptionUnavailable` if it does not.
  func check(_ location: KeyLocation?) throws(TesseraError)

  /// Checks that unencrypted records are trusted.
  ///
  /// An attacker with write access to the store's files could have replaced encrypted records with them.
  ///
  /// - Throws: `encryptionUnavailable` if they are not trusted.
  func checkUnencryptedAllowed() throws(TesseraError)

  /// Returns how the key of a new store would be stored.
  ///
  /// No key or file is created.
  ///
  /// - Throws: The error that ended the call.
  func availability(within limits: CallLimits) throws(TesseraError) -> KeyAvailability
}

extension KeyProtection {
  /// Accepts every store.
  package func prepare(within limits: CallLimits) throws(TesseraError) {}

  /// Creates a key as for a new store.
  package func replaceKey(
    at old: KeyLocation?, with given: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> CreatedKey {
    try createKey(within: limits)
  }

  /// Does nothing: there is no cache by default.
  package func invalidateCachedKey(_ location: KeyLocation) {}

  /// Accepts unencrypted records.
  package func checkUnencryptedAllowed() throws(TesseraError) {}

  /// Returns an empty value.
  package func availability(within limits: CallLimits) throws(TesseraError) -> KeyAvailability {
    KeyAvailability()
  }
}

/// A new key, or the reasons why none was created.
package struct CreatedKey: Sendable {
  /// The key and its location; `nil` if no source was available and the policy allows an unencrypted store.
  package var key: (location: KeyLocation, material: KeyMaterial)?
  /// The failed attempts with other sources.
  package var attempts: [KeyAttempt]

  package init(key: (location: KeyLocation, material: KeyMaterial)?, attempts: [KeyAttempt]) {
    self.key = key
    self.attempts = attempts
  }
}

/// The expected storage of a new store's key.
package struct KeyAvailability: Sendable {
  /// The expected protection; `nil` if it is unknown, or if no store could be created.
  package var protection: StoreInfo.Protection?
  /// The source that would store the key; `nil` for none.
  package var source: KeySource?
  /// The sources that are unavailable, with the reasons.
  package var attempts: [KeyAttempt] = []
  /// The reason why no store could be created; `nil` if one could.
  package var problem: TesseraError?

  package init() {}
}

/// The location of one key.
package struct KeyLocation: Sendable, Hashable {
  package let source: KeySource
  /// The name of the key in the source.
  ///
  /// Names are random, so that two stores never share one.
  package let name: String

  package init(source: KeySource, name: String) {
    self.source = source
    self.name = name
  }
}

/// Generates unpredictable bytes.
package protocol Randomness: Sendable {
  /// Returns random bytes that are suitable for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}

extension Randomness {
  /// Returns a random UUID (RFC 9562 section 5.4) in lower case, as used for correlation IDs.
  package func uuid() -> String {
    var bytes = bytes(16)
    guard bytes.count == 16 else { return "00000000-0000-4000-8000-000000000000" }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
      .map(Hexadecimal.text).joined(separator: "-")
  }
}
