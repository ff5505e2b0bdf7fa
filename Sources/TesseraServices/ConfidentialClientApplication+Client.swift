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
    try ClientTokens(of: application).token(request, cancellation)
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
    let tokens = ClientTokens(of: application)
    if let cached = tokens.cachedResult(request) { return cached.result }
    return try await application.inBackground(
      application.dependencies.workers, serialKey: request.serialKey
    ) { cancellation throws(TesseraError) in
      try tokens.token(request, cancellation)
    }
  }
}

/// The requests of an application for its own tokens.
package struct ClientTokens: Sendable {
  private let application: PublicClientApplication

  package init(of application: PublicClientApplication) {
    self.application = application
  }

  /// Returns the cached result of an equal request, with its validity; `nil` on a cache miss.
  package func cachedResult(_ request: ClientTokenRequest) -> SilentResult? {
    request.isCacheable ? application.context.results.result(for: request.cacheKey) : nil
  }

  /// Runs the client credentials flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  package func result(
    of request: ClientTokenRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentResult {
    let context = application.context
    return try context.metrics.measure(
      .acquireTokenForClient, within: limits, token: { $0.result }
    ) { () throws(TesseraError) in
      try ClientTokenFlow(ClientTokenCall(context, request, within: limits)).run()
    }
  }

  /// Returns the cached token, or runs the flow and caches its result.
  package func token(
    _ request: ClientTokenRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if let cached = cachedResult(request) { return cached.result }
    let silent = try result(
      of: request, within: application.limits(request.timeout, cancellation))
    if request.isCacheable { application.context.results.store(silent, for: request.cacheKey) }
    return silent.result
  }
}
