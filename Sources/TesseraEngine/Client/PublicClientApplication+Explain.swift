// SPDX-License-Identifier: MIT
// The dry run of a silent call, and the silent call with an explanation.

import TesseraCache
import TesseraWire

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

  /// Explains the result of a silent call, within the limits of a call.
  package func explain(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Explanation {
    let start = dependencies.time.monotonicNanoseconds
    let flow = try SilentFlow(self, request, within: limits)
    var selection = flow.selection
    // Tokens with other scopes are included here, to report the missing scopes.
    selection.scope = nil
    var inputs = flow.inputs(try cache.snapshot(selection, within: flow.limits))
    var plan = SilentPlan(inputs)
    if flow.requiresSignIn(plan), try flow.canUseLegacyCache(inputs) {
      let backOff = inputs.activeThrottle(.missing).map { SilentPlan.backOff($0, fallback: nil) }
      plan = backOff ?? .refresh([], fallback: nil, .missing)
    }
    let requestError = flow.interactionError ?? flow.admissionError(from: plan, inputs)
    inputs.isForeignAccount = requestError != nil
    return Explanation(
      inputs, requestError.map { .requireSignIn($0.message) } ?? plan, requestError: requestError,
      authority: flow.authority,
      store: configuration.store.kind,
      usesBroker: requestError == nil && flow.authority.type == .entra
        && flow.usesBroker(plan, inputs),
      readMicroseconds: Stopwatch.microseconds(since: start, dependencies.time))
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
    let time = dependencies.time
    let start = time.monotonicNanoseconds
    let limits = limits(request.timeout, cancellation)
    var explanation = try explain(request, within: limits)
    let stopwatch = Stopwatch(dependencies.transport, time)
    var flow = try SilentFlow(self, request, within: limits)
    flow.measure(with: stopwatch)
    var result = try explainingUserName(request, limits) { () throws(TesseraError) in
      try flow.run().result
    }
    explanation.networkMicroseconds = stopwatch.microseconds
    explanation.totalMicroseconds = Stopwatch.microseconds(since: start, time)
    explanation.brokers = result.brokers
    result.explanation = explanation
    return result
  }
}

extension SilentFlow {
  /// Whether a plan requires a sign-in, considering the unified cache only.
  fileprivate func requiresSignIn(_ plan: SilentPlan) -> Bool {
    switch plan {
    case .requireSignIn: true
    case .backOff(let record, let fallback):
      (fallback == nil || request.forcesRefresh) && recordedError(record).remedy == .signIn
    default: false
    }
  }

  /// Measures the time of the HTTP requests of the flow.
  fileprivate mutating func measure(with stopwatch: Stopwatch) {
    var dependencies = application.dependencies
    dependencies.transport = stopwatch
    serverClient = ServerClient(dependencies, limits: limits, correlationID: request.correlationID)
  }
}
