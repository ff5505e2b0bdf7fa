// SPDX-License-Identifier: MIT
// Information about the store, and rotation of its key.

extension PublicClientApplication {
  /// Returns the state of the store: its location, its protection, and the key sources that were tried with their errors.
  ///
  /// Changes nothing and works offline. Waits at most ten seconds for another process that holds the store, and three
  /// seconds for each key source. ``StoreInfo/problem`` is the error that a call would throw.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of the whole call; `nil` for these times.
  ///   - cancellation: Cancels the waits from another thread. A cancelled wait is reported in ``StoreInfo/problem``.
  /// - Returns: The present store, or the one that the first sign-in would create.
  public func storeInfo(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) -> StoreInfo {
    storeInfo(within: limits(timeout, cancellation))
  }

  /// Returns the state of the store, within the limits of a call.
  package func storeInfo(within limits: CallLimits) -> StoreInfo {
    dependencies.store.info(configuration.store.policy, within: limits)
  }

  /// Checks whether a sign-in could be stored now.
  ///
  /// For applications that sign in only to store the tokens: they check before they ask the user for anything. The check
  /// creates the store if there is none. A damaged store passes the check, because storing the sign-in replaces it.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError`` with the reason why the store cannot be written.
  public func checkStoreIsWritable(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) {
    do throws(TesseraError) {
      try dependencies.store.checkWritable(within: startedLimits(timeout, cancellation))
    } catch {
      guard error.code == .cacheDamaged else { throw error }
    }
  }

  /// Creates a new key for the store and re-encrypts every record with it.
  ///
  /// Works offline and is atomic.
  ///
  /// Applications that have the store open continue to work, unless they provide the key themselves. Key sources keep the
  /// old key, for copies of the store. See "Key rotation" in docs/protection.md.
  ///
  /// - Parameters:
  ///   - newKey: The new key, if the application provides it. Required if the store is encrypted with such a key. Rejected
  ///     if the application has no ``StoreConfiguration/SQLiteOptions/key``. Without it, a store encrypted with another key is
  ///     re-encrypted with the application's key.
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Returns: `false` if there is no store to encrypt, or if it remains unencrypted.
  /// - Throws: `fixRequest` if the new key is missing, not accepted or equal to the old one. `retryLater` if the store is
  ///   busy. `fixStorage` if the old key is unavailable, or if the new key would protect less (`encryption_unavailable`).
  @discardableResult
  public func rotateStoreKey(
    to newKey: StoreKey? = nil, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Bool {
    try rotateStoreKey(to: newKey, within: startedLimits(timeout, cancellation))
  }

  /// Rotates the key of the store, within the limits of a call.
  package func rotateStoreKey(
    to newKey: StoreKey?, within limits: CallLimits
  ) throws(TesseraError) -> Bool {
    if let newKey {
      guard configuration.store.sqliteOptions.key != nil else { throw .newKeyNotWanted }
      guard newKey.isUsable else {
        throw TesseraError(
          .fixRequest, .invalidMember, "new_store_key must have \(StoreKey.byteCount) bytes.")
      }
    }
    return try dependencies.store.rotateKey(to: newKey, within: limits)
  }
}
