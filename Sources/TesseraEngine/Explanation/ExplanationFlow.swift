// SPDX-License-Identifier: MIT
// The dry run of a silent call, and the silent call with an explanation.

import TesseraCache
import TesseraWire

/// Explains a silent call.
struct ExplanationFlow {
  private let context: FlowContext
  private let request: SilentRequest
  private let limits: CallLimits

  init(_ context: FlowContext, _ request: SilentRequest, within limits: CallLimits) {
    self.context = context
    self.request = request
    self.limits = limits
  }

  /// Explains the result that the call would have now.
  func explain() throws(TesseraError) -> Explanation {
    let start = context.dependencies.time.monotonicNanoseconds
    let call = try SilentContext(context, request, within: limits)
    let flow = SilentFlow(call)
    var selection = call.selection
    // Tokens with other scopes are included here, to report the missing scopes.
    selection.scope = nil
    var inputs = call.inputs(try context.cache.snapshot(selection, within: call.limits))
    var plan = SilentPlan(inputs)
    if call.requiresSignIn(plan), try LegacyTokens(call).exist(inputs) {
      let backOff = inputs.activeThrottle(.missing).map { SilentPlan.backOff($0, fallback: nil) }
      plan = backOff ?? .refresh([], fallback: nil, .missing)
    }
    let requestError = call.interactionError ?? flow.admissionError(from: plan, inputs)
    inputs.isForeignAccount = requestError != nil
    return Explanation(
      inputs, requestError.map { .requireSignIn($0.message) } ?? plan, requestError: requestError,
      authority: call.authority,
      store: context.configuration.store.kind,
      usesBroker: requestError == nil && call.authority.type == .entra
        && flow.usesBroker(plan, inputs),
      readMicroseconds: Stopwatch.microseconds(since: start, context.dependencies.time))
  }

  /// Runs the call, and returns its result with the explanation.
  func run() throws(TesseraError) -> TokenResult {
    let time = context.dependencies.time
    let start = time.monotonicNanoseconds
    var explanation = try explain()
    let stopwatch = Stopwatch(context.dependencies.transport, time)
    let call = try SilentContext(context, request, within: limits).measured(by: stopwatch)
    let silent = SilentTokenCall(context, within: limits)
    var result = try silent.measured({ (result: TokenResult) in result }, request) {
      () throws(TesseraError) in
      try SilentFlow(call).run().result
    }
    explanation.networkMicroseconds = stopwatch.microseconds
    explanation.totalMicroseconds = Stopwatch.microseconds(since: start, time)
    explanation.brokers = result.brokers
    result.explanation = explanation
    return result
  }
}

extension SilentContext {
  /// Whether a plan requires a sign-in, considering the unified cache only.
  fileprivate func requiresSignIn(_ plan: SilentPlan) -> Bool {
    switch plan {
    case .requireSignIn: true
    case .backOff(let record, let fallback):
      (fallback == nil || request.forcesRefresh) && recordedError(record).permitsLegacyTokens
    default: false
    }
  }

  /// Returns a copy that measures the time of its HTTP requests.
  fileprivate func measured(by stopwatch: Stopwatch) -> SilentContext {
    var dependencies = context.dependencies
    dependencies.transport = stopwatch
    return changing {
      let traceContext = $0.serverClient.traceContext
      $0.serverClient = ServerClient(
        dependencies, limits: limits, correlationID: request.correlationID)
      $0.serverClient.traceContext = traceContext
    }
  }
}
