// SPDX-License-Identifier: MIT
// The asynchronous forms: hits at once, everything else on a few threads of the library's own.

import TesseraWire

extension PublicClientApplication {
  /// Returns a token without asking the user, without blocking; see ``acquireTokenSilent(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenSilent(_ request: SilentRequest) async throws -> TokenResult {
    if Task.isCancelled { throw CancellationError() }
    if let result = remembered(request) { return result }
    return try await inBackground(
      surroundings.workers, inTurnOf: request.turn
    ) { cancellation throws(TesseraError) in
      try self.acquireTokenSilent(request, cancellation: cancellation)
    }
  }

  /// Returns a token with why it is this one, without blocking; see
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
      surroundings.workers, inTurnOf: request.turn
    ) { cancellation throws(TesseraError) in
      try self.acquireTokenSilentExplained(request, cancellation: cancellation)
    }
  }

  /// Signs a person in on another device, without blocking; see
  /// ``acquireTokenByDeviceCode(_:cancellation:prompt:)``.
  ///
  /// Cancelling the task cancels the call. The prompt is shown from a thread of the library's own.
  ///
  /// - Throws: ``TesseraError``, as the blocking form does; `retryLater` with code `too_many_threads` if the process cannot
  ///   start a thread. `CancellationError` if the task was cancelled.
  public func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, prompt: @escaping @Sendable (DeviceCodePrompt) -> Void
  ) async throws -> TokenResult {
    try await inBackground(surroundings.patientWorkers) { cancellation throws(TesseraError) in
      try self.acquireTokenByDeviceCode(request, cancellation: cancellation, prompt: prompt)
    }
  }
}

extension SilentRequest {
  /// Whose call it is: those for one account take turns, and one refresh serves them all.
  package var turn: String {
    guard homeAccountID.isEmpty, let name = username?.nonBlank else { return homeAccountID }
    return "name " + name.normalised
  }
}
