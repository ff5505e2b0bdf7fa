// SPDX-License-Identifier: MIT
// The asynchronous forms of signing in on the provider's page.

extension PublicClientApplication {
  /// Signs a person in in a browser, without blocking; see ``acquireTokenInteractive(_:cancellation:prompt:)``.
  ///
  /// Cancelling the task cancels the call. The prompt is called on a thread of the library's own.
  ///
  /// - Throws: what the call that blocks throws; `retryLater` with code `too_many_threads` where the process may start
  ///   no thread.
  public func acquireTokenInteractive(
    _ request: InteractiveRequest, prompt: (@Sendable (SignInPrompt) -> Void)? = nil
  ) async throws(TesseraError) -> TokenResult {
    if Task.isCancelled { throw .cancelled() }
    if let result = remembered(request) { return result }
    return try await inBackground(surroundings.patientWorkers) {
      cancellation throws(TesseraError) in
      try self.acquireTokenInteractive(request, cancellation: cancellation, prompt: prompt)
    }
  }

  /// Begins a sign-in whose page the host opens itself, without blocking; see ``beginSignIn(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  ///
  /// - Throws: what the call that blocks throws; `retryLater` with code `too_many_threads` where the process may start
  ///   no thread.
  public func beginSignIn(
    _ request: InteractiveRequest
  ) async throws(TesseraError) -> BegunSignIn {
    try await inBackground(surroundings.workers) { cancellation throws(TesseraError) in
      try self.beginSignIn(request, cancellation: cancellation)
    }
  }

  /// Completes a sign-in that was begun, without blocking; see ``completeSignIn(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call; a code that was sent by then is spent.
  ///
  /// - Throws: what the call that blocks throws; `retryLater` with code `too_many_threads` where the process may start
  ///   no thread.
  public func completeSignIn(
    _ completion: SignInCompletion
  ) async throws(TesseraError) -> TokenResult {
    try await inBackground(surroundings.workers) { cancellation throws(TesseraError) in
      try self.completeSignIn(completion, cancellation: cancellation)
    }
  }
}
