// SPDX-License-Identifier: MIT
// The dry run of a silent call, and a silent call that says why it did what it did.

import TesseraCache
import TesseraWire

extension PublicClientApplication {
  /// Says what ``acquireTokenSilent(_:cancellation:)`` would do with a request now, and why.
  ///
  /// Looks at every token that the store has of the account, asks no server and redeems nothing. What it says is true for
  /// the moment only: the next program may store another token.
  ///
  /// - Parameter request: as for ``acquireTokenSilent(_:cancellation:)``; its timeout is for a store that is busy.
  /// - Throws: ``TesseraError``; `fixRequest` for a request that is not valid, `fixStorage` or `retryLater` when the
  ///   store could not be read. What would end the call itself is in ``Explanation/error``.
  public func explain(_ request: SilentRequest) throws(TesseraError) -> Explanation {
    try explain(request, within: limits(request.timeoutMilliseconds))
  }

  private func explain(
    _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) -> Explanation {
    let began = surroundings.time.monotonicNanoseconds
    let flow = try SilentFlow(self, request, within: limits)
    var selection = flow.selection
    // Tokens with other scopes are of interest here: they say what is missing.
    selection.scope = nil
    var inputs = flow.inputs(try cache.snapshot(selection, within: flow.limits))
    var plan = SilentPlan(inputs)
    if flow.endsInSignIn(plan), try flow.canUpgrade(inputs) {
      let pause = inputs.pause(.missing).map { SilentPlan.pause($0, fallback: nil) }
      plan = pause ?? .refresh([], fallback: nil, .missing)
    }
    let refusal = flow.refusal ?? flow.exclusion(from: plan, inputs)
    inputs.isElsewhere = refusal != nil
    return Explanation(
      inputs, refusal.map { .signIn($0.message) } ?? plan, refusal: refusal,
      authority: flow.authority,
      store: configuration.storeInUse,
      asksBroker: refusal == nil && flow.authority.type == .entra && flow.asksBroker(plan, inputs),
      readMicroseconds: Stopwatch.microseconds(since: began, surroundings.time))
  }

  /// Returns a token without asking the user, with why it is this one and what took how long.
  ///
  /// The same as ``acquireTokenSilent(_:cancellation:)``, but slower: the store is read each time.
  ///
  /// Blocks the calling thread. Without `cancellation` the call is the `async` form, at top level as well.
  ///
  /// - Parameter cancellation: stops the call from another thread; nil for none.
  /// - Returns: a token with its ``TokenResult/explanation``.
  /// - Throws: ``TesseraError``, as ``acquireTokenSilent(_:cancellation:)`` does.
  @available(*, noasync, message: "blocks the thread; leave out cancellation and use await")
  public func acquireTokenSilentExplained(
    _ request: SilentRequest, cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult {
    if cancellation?.isCancelled == true { throw .cancelled() }
    let time = surroundings.time
    let began = time.monotonicNanoseconds
    let limits = limits(request.timeoutMilliseconds, cancellation)
    var explanation = try explain(request, within: limits)
    let stopwatch = Stopwatch(surroundings.transport, time)
    var flow = try SilentFlow(self, request, within: limits)
    flow.measure(with: stopwatch)
    var result = try namingUserName(request, limits) { () throws(TesseraError) in
      try flow.run().result
    }
    explanation.networkMicroseconds = stopwatch.microseconds
    explanation.totalMicroseconds = Stopwatch.microseconds(since: began, time)
    explanation.brokers = result.brokers
    result.explanation = explanation
    return result
  }
}

extension ApplicationConfiguration {
  /// Where tokens are kept.
  var storeInUse: StoreKind { storagePolicy == .memoryOnly ? .memory : store }
}

extension SilentFlow {
  /// Whether nothing but a sign-in helps, as far as the unified cache goes.
  fileprivate func endsInSignIn(_ plan: SilentPlan) -> Bool {
    switch plan {
    case .signIn: true
    case .pause(let record, let fallback):
      (fallback == nil || request.forcesRefresh) && remembered(record).remedy == .signIn
    default: false
    }
  }

  /// Asks servers through a transport that measures it.
  fileprivate mutating func measure(with stopwatch: Stopwatch) {
    var surroundings = application.surroundings
    surroundings.transport = stopwatch
    exchange = Exchange(surroundings, limits: limits, correlationID: request.correlationID)
  }
}
