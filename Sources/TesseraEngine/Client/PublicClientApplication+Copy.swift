// SPDX-License-Identifier: MIT
// Copying between stores of different groups, directories or kinds.

extension PublicClientApplication {
  /// Copies all accounts and tokens of another application's store into the store of this one.
  ///
  /// Works offline.
  ///
  /// The records of all applications that share the stores are copied. Of two tokens with the same key, the newer one wins.
  /// Nothing is deleted, and the copy is idempotent. Records are stored in batches of 500.
  ///
  /// - Parameters:
  ///   - other: The application whose store is the source.
  ///   - request: The accounts to copy.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``: an error of one of the stores. Some records may have been stored already.
  @discardableResult
  public func copy(
    from other: PublicClientApplication, _ request: CopyRequest = CopyRequest(),
    cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CopyReport {
    try copy(from: other, request, within: startedLimits(request.timeout, cancellation))
  }

  /// Copies all accounts and tokens of another application's store, within the limits of a call.
  package func copy(
    from other: PublicClientApplication, _ request: CopyRequest, within limits: CallLimits
  ) throws(TesseraError) -> CopyReport {
    let source = StoreContents(other.context, within: limits)
    return try StoreContents(context, within: limits).copy(from: source, request)
  }
}
