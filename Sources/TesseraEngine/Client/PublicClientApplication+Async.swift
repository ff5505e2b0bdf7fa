// SPDX-License-Identifier: MIT
// Async functions.

import TesseraWire

extension PublicClientApplication {
  /// Returns an access token without user interaction and without blocking; see ``acquireTokenSilent(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenSilent(_ request: SilentRequest) async throws -> TokenResult {
    if Task.isCancelled { throw CancellationError() }
    if let result = cachedResult(request) { return result }
    return try await inBackground(
      dependencies.workers, serialKey: request.serialKey
    ) { cancellation throws(TesseraError) in
      try self.acquireTokenSilent(request, cancellation: cancellation)
    }
  }

  /// Returns a token with an explanation of how it was selected, without blocking; see
  /// ``acquireTokenSilentExplained(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenSilentExplained(
    _ request: SilentRequest
  ) async throws -> TokenResult {
    try await inBackground(
      dependencies.workers, serialKey: request.serialKey
    ) { cancellation throws(TesseraError) in
      try self.acquireTokenSilentExplained(request, cancellation: cancellation)
    }
  }

  /// Signs in a user on another device, without blocking; see ``acquireTokenByDeviceCode(_:cancellation:prompt:)``.
  ///
  /// Cancelling the task cancels the call. The prompt is called on a thread of the library.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, prompt: @escaping @Sendable (DeviceCodePrompt) -> Void
  ) async throws -> TokenResult {
    try await inBackground(dependencies.interactiveWorkers) { cancellation throws(TesseraError) in
      try self.acquireTokenByDeviceCode(request, cancellation: cancellation, prompt: prompt)
    }
  }
}

extension PublicClientApplication {
  /// Runs blocking work that is independent of other work on a thread pool.
  package func inBackground<Value: Sendable>(
    _ workers: any Workers, serialKey: String? = nil,
    _ work: @escaping @Sendable (Cancellation) throws(TesseraError) -> Value
  ) async throws -> Value {
    try await workers.result(serialKey: serialKey ?? dependencies.randomness.uuid(), of: work)
  }
}

extension PublicClientApplication {
  /// Signs in a user in a browser, without blocking; see ``acquireTokenInteractive(_:cancellation:prompt:)``.
  ///
  /// Cancelling the task cancels the call. The prompt is called on a thread of the library.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenInteractive(
    _ request: InteractiveRequest, prompt: (@Sendable (SignInPrompt) -> Void)? = nil
  ) async throws -> TokenResult {
    if Task.isCancelled { throw CancellationError() }
    if let result = cachedResult(request) { return result }
    return try await inBackground(dependencies.interactiveWorkers) {
      cancellation throws(TesseraError) in
      try self.acquireTokenInteractive(request, cancellation: cancellation, prompt: prompt)
    }
  }

  /// Begins a sign-in on a page that the host application opens, without blocking; see ``beginSignIn(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func beginSignIn(
    _ request: SignInRequest
  ) async throws -> SignInSession {
    try await inBackground(dependencies.workers) { cancellation throws(TesseraError) in
      try self.beginSignIn(request, cancellation: cancellation)
    }
  }

  /// Completes a sign-in, without blocking; see ``completeSignIn(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call. An authorization code that was already sent to the server is spent.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func completeSignIn(
    _ completion: RedirectResponse
  ) async throws -> TokenResult {
    try await inBackground(dependencies.workers) { cancellation throws(TesseraError) in
      try self.completeSignIn(completion, cancellation: cancellation)
    }
  }
}
