// SPDX-License-Identifier: MIT
// The tokens of the application itself.

public import TesseraEngine

extension ConfidentialClientApplication {
  /// Returns a token of the application itself, from the cache or with its credential (RFC 6749 section 4.4).
  ///
  /// Call this function for each use: it returns the cached token until it is due for renewal. However many threads and
  /// processes call it, one request is sent for each tenant and scope.
  ///
  /// Blocks the calling thread. If you omit `cancellation`, you call the `async` form, even at top level.
  ///
  /// - Parameters:
  ///   - request: The scopes and the tenant.
  ///   - cancellation: Cancels the call from another thread; `nil` for none.
  /// - Returns: A token that is valid for at least ``ApplicationConfiguration/expiryMargin``, or for half of its
  ///   lifetime if that is less.
  /// - Throws: ``TesseraError`` with remedy `retryLater`, `fixRequest`, `fixConfiguration`, `fixStorage` or `cancelled`; never
  ///   `signIn`.
  @available(*, noasync, message: "blocks the thread; omit cancellation and use await")
  public func acquireTokenForClient(
    _ request: ClientTokenRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    try application.acquireTokenForClient(request, cancellation)
  }

  /// Returns a token of the application itself, without blocking; see ``acquireTokenForClient(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenForClient(
    _ request: ClientTokenRequest
  ) async throws -> TokenResult {
    if Task.isCancelled { throw CancellationError() }
    if let result = application.cachedResult(request) { return result }
    return try await application.inBackground(
      application.dependencies.workers, serialKey: request.serialKey
    ) { cancellation throws(TesseraError) in
      try self.application.acquireTokenForClient(request, cancellation)
    }
  }
}

extension PublicClientApplication {
  /// Returns the cached result of an equal request; `nil` on a cache miss.
  package func cachedResult(_ request: ClientTokenRequest) -> TokenResult? {
    cachedClientResult(request)?.result
  }

  /// Returns the cached result of an equal request, with its validity; `nil` on a cache miss.
  package func cachedClientResult(_ request: ClientTokenRequest) -> SilentResult? {
    request.isCacheable ? context.results.result(for: request.cacheKey) : nil
  }

  /// Runs the client credentials flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  package func clientResult(
    to request: ClientTokenRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentResult {
    try context.metrics.measure(.acquireTokenForClient, within: limits, token: { $0.result }) {
      () throws(TesseraError) in
      try ClientTokenFlow(ClientTokenCall(context, request, within: limits)).run()
    }
  }

  /// Returns a token of the application itself.
  package func acquireTokenForClient(
    _ request: ClientTokenRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if let result = cachedResult(request) { return result }
    let silent = try clientResult(to: request, within: limits(request.timeout, cancellation))
    if request.isCacheable { context.results.store(silent, for: request.cacheKey) }
    return silent.result
  }
}
