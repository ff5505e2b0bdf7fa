// SPDX-License-Identifier: MIT
// The store, described, and sealed with a new key.

extension PublicClientApplication {
  /// What the store is like now: where it lies, what protects it, what was tried for its key and why that failed.
  ///
  /// Makes and changes nothing, and asks no server. It waits ten seconds at most for a store that another process holds,
  /// and three for each source of its key. What is wrong is told in ``StoreInfo/problem``, as a call would report it.
  ///
  /// - Parameter timeoutMilliseconds: how long all of that may take; nil for these times.
  /// - Returns: the store as it is, or as the first sign-in would make it.
  public func storeInfo(timeoutMilliseconds: Int64? = nil) -> StoreInfo {
    surroundings.store.info(configuration.storagePolicy, within: limits(timeoutMilliseconds))
  }

  /// Throws unless a sign-in could be stored now.
  ///
  /// For programs that sign in only to store the tokens: they check before they ask the user for anything. The check
  /// creates the store if there is none. A damaged store is no failure, because storing the sign-in replaces it.
  package func checkWritable(timeoutMilliseconds: Int64? = nil) throws(TesseraError) {
    do throws(TesseraError) {
      try surroundings.store.prove(within: limits(timeoutMilliseconds))
    } catch {
      guard error.code == .cacheDamaged else { throw error }
    }
  }

  /// Gives the store a new key and seals every record with it; asks no server.
  ///
  /// Programs that have the store open go on, unless they keep the key themselves. Whoever kept the old key keeps it, for
  /// copies of the store. Nothing is changed unless all of it is. See "Rotating the key" in docs/protection.md.
  ///
  /// - Parameters:
  ///   - newKey: the new key, if the program keeps it itself: wanted where the store has such a key now, and refused of a
  ///     program without one. Without it, a store that is sealed otherwise gets the program's key.
  ///   - timeoutMilliseconds: how long all of that may take; nil for ten seconds.
  /// - Returns: false if there is no store that could be sealed, or if it stays in clear.
  /// - Throws: `fixRequest` for a new key that is missing, unwanted or the old one, `retryLater` when the store is busy,
  ///   `fixStorage` when the old key cannot be had, or the new one would protect less (`encryption_unavailable`).
  @discardableResult
  public func rotateStoreKey(
    to newKey: StoreKey? = nil, timeoutMilliseconds: Int64? = nil
  ) throws(TesseraError) -> Bool {
    if let newKey {
      guard configuration.storeKey != nil else { throw .newKeyNotWanted }
      guard newKey.isUsable else {
        throw TesseraError(
          .fixRequest, .invalidMember, "new_store_key must have \(StoreKey.byteCount) bytes.")
      }
    }
    return try surroundings.store.rotateKey(to: newKey, within: limits(timeoutMilliseconds))
  }
}
