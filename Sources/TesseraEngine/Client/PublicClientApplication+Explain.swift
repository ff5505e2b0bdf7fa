// SPDX-License-Identifier: MIT
// The dry run of a silent call, and the silent call with an explanation.

extension PublicClientApplication {
  /// Explains the result that ``acquireTokenSilent(_:cancellation:)`` would have for a request now.
  ///
  /// Reads all tokens of the account in the store. It works offline and redeems nothing. The result is a snapshot: another
  /// process may store a token at any time.
  ///
  /// - Parameters:
  ///   - request: As for ``acquireTokenSilent(_:cancellation:)``. Its timeout limits the wait for a busy store.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: ``TesseraError``; `fixRequest` for an invalid request, `fixStorage` or `retryLater` if the store could not
  ///   be read. The error that the call itself would throw is in ``Explanation/error``.
  public func explain(
    _ request: SilentRequest, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> Explanation {
    try explain(request, within: startedLimits(request.timeout, cancellation))
  }

  /// Returns a token without user interaction, with an explanation of how it was selected and timings.
  ///
  /// The same as ``acquireTokenSilent(_:cancellation:)``, but slower: the store is read by each call.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameter cancellation: Cancels the call from another thread; `nil` for none.
  /// - Returns: A token with its ``TokenResult/explanation``.
  /// - Throws: ``TesseraError``, as ``acquireTokenSilent(_:cancellation:)``.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenSilentExplained(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    return try ExplanationFlow(context, request, within: limits(request.timeout, cancellation))
      .run()
  }

  /// Explains the result of a silent call, within the limits of a call.
  package func explain(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Explanation {
    try ExplanationFlow(context, request, within: limits).explain()
  }
}
