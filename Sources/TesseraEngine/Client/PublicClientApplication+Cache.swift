// SPDX-License-Identifier: MIT
// Reading and writing the store as the JSON document of MSAL libraries.

extension PublicClientApplication {
  /// Returns the whole store as the JSON document of MSAL libraries, for all accounts and applications.
  ///
  /// Works offline.
  ///
  /// The document contains tokens. Entries have the format of MSAL Python, with the network host of each cloud. Tessera's
  /// internal records are omitted. So are tokens for other client capabilities, which other libraries do not distinguish.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: a storage error.
  public func readCache(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> String {
    try readCache(within: startedLimits(timeout, cancellation))
  }

  /// Writes the differences between two documents of ``readCache(timeout:cancellation:)``, in one commit.
  ///
  /// Changes by others since the first document was read are kept. An entry is stored unless the store has a newer one. It
  /// is removed if the store still has the same token. Refresh tokens and accounts are removed in any case, because other
  /// libraries sign out in this way. Entries that are equal in both documents may be omitted from both.
  ///
  /// - Parameters:
  ///   - before: The document before the changes.
  ///   - after: The document with the changes.
  ///   - timeout: The timeout of the whole call; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: `fixRequest` with code `invalid_member` for a text that is not such a document; a storage
  ///   error. Then nothing is changed.
  @discardableResult
  public func writeCache(
    before: String, after: String, timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CacheWriteReport {
    try writeCache(before: before, after: after, within: startedLimits(timeout, cancellation))
  }

  /// Returns the whole store as a document, within the limits of a call.
  package func readCache(within limits: CallLimits) throws(TesseraError) -> String {
    try StoreContents(context, within: limits).document()
  }

  /// Writes the differences between two documents, within the limits of a call.
  package func writeCache(
    before: String, after: String, within limits: CallLimits
  ) throws(TesseraError) -> CacheWriteReport {
    try StoreContents(context, within: limits).write(before: before, after: after)
  }
}
