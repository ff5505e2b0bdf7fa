// SPDX-License-Identifier: MIT
// The asynchronous forms: hits at once, everything else on a few threads of the library's own.

extension PublicClientApplication {
  /// Returns a token without asking the user, without blocking; see ``acquireTokenSilent(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  public func acquireTokenSilent(_ request: SilentRequest) async throws(TesseraError) -> TokenResult
  {
    if Task.isCancelled { throw .cancelled() }
    if let result = remembered(request) { return result }
    return try await inBackground(surroundings.workers, request.homeAccountID) {
      cancellation throws(TesseraError) in
      try self.acquireTokenSilent(request, cancellation: cancellation)
    }
  }

  /// Returns a token with why it is this one, without blocking; see
  /// ``acquireTokenSilentExplained(_:cancellation:)``.
  ///
  /// Cancelling the task cancels the call.
  public func acquireTokenSilentExplained(
    _ request: SilentRequest
  ) async throws(TesseraError) -> TokenResult {
    if Task.isCancelled { throw .cancelled() }
    return try await inBackground(surroundings.workers, request.homeAccountID) {
      cancellation throws(TesseraError) in
      try self.acquireTokenSilentExplained(request, cancellation: cancellation)
    }
  }

  /// Signs a person in on another device, without blocking; see
  /// ``acquireTokenByDeviceCode(_:cancellation:prompt:)``.
  ///
  /// Cancelling the task cancels the call. The prompt is shown from a thread of the library's own.
  public func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, prompt: @escaping @Sendable (DeviceCodePrompt) -> Void
  ) async throws(TesseraError) -> TokenResult {
    // A turn of its own: two people may sign in at the same time.
    try await inBackground(
      surroundings.patientWorkers, surroundings.randomness.uuid()
    ) { cancellation throws(TesseraError) in
      try self.acquireTokenByDeviceCode(request, cancellation: cancellation, prompt: prompt)
    }
  }

  private func inBackground(
    _ workers: any Workers, _ turn: String,
    _ work: @escaping @Sendable (Cancellation) throws(TesseraError) -> TokenResult
  ) async throws(TesseraError) -> TokenResult {
    let cancellation = Cancellation()
    let delivery = Delivery()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        delivery.expect(continuation)
        workers.run(inTurnOf: turn) {
          do throws(TesseraError) {
            delivery.deliver(.success(try work(cancellation)))
          } catch {
            delivery.deliver(.failure(error))
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
      // What waits for its turn ends now; its work finds the cancellation when the turn comes.
      delivery.deliver(.failure(.cancelled()))
    }
    return try result.get()
  }
}

/// Hands over the first result, whoever has it.
private final class Delivery: Sendable {
  typealias Outcome = Result<TokenResult, TesseraError>

  private enum State {
    case idle
    case expected(CheckedContinuation<Outcome, Never>)
    case delivered(Outcome)
    case done
  }

  private let state = BriefLock(State.idle)

  func expect(_ continuation: CheckedContinuation<Outcome, Never>) {
    let early: Outcome? = state.withLock { state in
      guard case .delivered(let outcome) = state else {
        state = .expected(continuation)
        return nil
      }
      state = .done
      return outcome
    }
    if let early { continuation.resume(returning: early) }
  }

  func deliver(_ outcome: Outcome) {
    let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .idle:
        state = .delivered(outcome)
        return nil
      case .expected(let continuation):
        state = .done
        return continuation
      case .delivered, .done:
        return nil
      }
    }
    waiting?.resume(returning: outcome)
  }
}
