// SPDX-License-Identifier: MIT
// The flow of a silent call.

import TesseraCache
import TesseraWire

/// A token request without user interaction.
struct SilentFlow {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Acquires the token.
  func run() throws(TesseraError) -> SilentResult {
    // The deadline applies to waiting only: a cached token is returned even after the deadline.
    if call.limits.cancellation?.isCancelled == true { throw .cancelled() }
    if let interactionError = call.interactionError { throw interactionError }
    let (snapshot, inputs, plan) = try decide()
    if let admissionError = admissionError(from: plan, inputs) { throw admissionError }
    guard usesBroker(plan, inputs) else { return try act(on: plan, inputs, snapshot) }
    if let result = try SilentFallback(call).validTokenOnSmallStack(plan, snapshot) {
      return result
    }
    return try SilentBrokerRequest(call).acquire(plan, inputs) { call throws(TesseraError) in
      try SilentFlow(call).act(on: plan, inputs, snapshot)
    }
  }

  /// Reads the records of the call and decides the next step.
  ///
  /// The refresh tokens and the token family are read only if they affect the decision.
  private func decide() throws(TesseraError) -> (CacheSnapshot, SilentInputs, SilentPlan) {
    var selection = call.selection
    let early = EarlyDecision(call)
    if !call.needsRefreshTokens {
      selection.isSufficient = { early.decide($0, hasRefreshTokens: $1) }
    }
    let snapshot = try call.context.cache.snapshot(selection, within: call.limits)
    if let (inputs, plan) = early.result { return (snapshot, inputs, plan) }
    let inputs = call.inputs(snapshot)
    return (snapshot, inputs, SilentPlan(inputs))
  }

  /// Executes the decision without a broker.
  private func act(
    on plan: SilentPlan, _ inputs: SilentInputs, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    switch plan {
    case .useCached(let token):
      if call.authority.type == .entra {
        call.context.telemetry?.countSilentSuccess(at: call.authority.address.authority)
      }
      return call.result(for: token, snapshot)
    case _ where call.request.isForApplication: throw missingApplicationTokenError(snapshot)
    case .requireSignIn(let reason):
      if let result = try LegacyTokens(call).token(inputs) { return result }
      throw TesseraError(absence: snapshot.condition, reason)
    case .backOff(let record, let fallback):
      if fallback == nil || call.request.forcesRefresh,
        let granted = SilentFallback(call).grantedToken(record)
      {
        return granted
      }
      return try LegacyTokens(call).token { () throws(TesseraError) in
        try SilentFallback(call).fallBack(
          on: fallback, snapshot, because: call.recordedError(record),
          forSeconds: record.backoffSeconds(at: call.time.clocks))
      }
    case .refresh(let tokens, let fallback, let reason):
      return try LegacyTokens(call).token { () throws(TesseraError) in
        try SilentRefresh(call).refresh(tokens, fallback, reason, snapshot)
      }
    }
  }

  /// Whether the broker is used after a cache miss.
  func usesBroker(_ plan: SilentPlan, _ inputs: SilentInputs) -> Bool {
    guard call.context.configuration.broker != .never, !call.request.isForApplication,
      !inputs.isSignedOut
    else { return false }
    if case .useCached = plan { return false }
    return true
  }

  /// Returns the error for requests that must not reach the network; `nil` if a cached token exists or a request may be
  /// sent.
  func admissionError(from plan: SilentPlan, _ inputs: SilentInputs) -> TesseraError? {
    if case .useCached = plan { return nil }
    return RequestRules.admissionError(
      of: call.homeAccountID, at: call.authority, realm: inputs.realm)
  }

  /// Returns the error for a missing app-only token, which this application cannot request.
  private func missingApplicationTokenError(_ snapshot: CacheSnapshot) -> TesseraError {
    TesseraError(
      absence: snapshot.condition,
      "The cache contains no valid app-only token: acquire one with the library that has the client credentials."
    )
  }
}

/// The decision of a silent call while its records are read.
///
/// Only the thread of the call uses it.
private final class EarlyDecision: @unchecked Sendable {
  private let call: SilentContext
  /// The decision with its inputs; `nil` if it depends on records that were not read yet.
  private(set) var result: (inputs: SilentInputs, plan: SilentPlan)?

  init(_ call: SilentContext) { self.call = call }

  /// Returns whether some records of the account suffice for the decision.
  func decide(_ records: [CacheRecord], hasRefreshTokens: Bool) -> Bool {
    let inputs = call.inputs(CacheSnapshot(records: records, version: nil))
    let plan = SilentPlan(withoutRefreshTokens: inputs, hasOthers: hasRefreshTokens)
    result = plan.map { (inputs, $0) }
    return plan != nil
  }
}

/// A silent call of the application.
struct SilentCall {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Runs the flow, and caches its result.
  func run(_ request: SilentRequest) throws(TesseraError) -> TokenResult {
    let silent = try result(of: request)
    context.results.store(silent, for: request)
    return silent.result
  }

  /// Runs the flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  func result(of request: SilentRequest) throws(TesseraError) -> SilentResult {
    var silent = try explainingUserName(request) { () throws(TesseraError) in
      try SilentFlow(SilentContext(context, request, within: limits)).run()
    }
    // Any sign-in may change the account of a user name. Such a result is not cached.
    if request.homeAccountID.isEmpty { silent.validity = nil }
    return silent
  }

  /// Runs a silent call, and explains its error if the home account ID is the user name of an account.
  ///
  /// The accounts are read only after the call has failed, because an issuer may use email addresses as identifiers.
  ///
  /// - Throws: The error of the call; `fixRequest` with code `invalid_member` for a user name.
  func explainingUserName<Value>(
    _ request: SilentRequest, _ call: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(TesseraError) {
      return try call()
    } catch {
      guard error.remedy == .signIn, request.homeAccountID.contains("@"),
        isUserName(request.homeAccountID)
      else { throw error }
      throw TesseraError(
        .fixRequest, .invalidMember,
        """
        home_account_id is "\(request.homeAccountID)", which is a user name: look up the account by \
        username, and pass the account or its home_account_id.
        """)
    }
  }

  private func isUserName(_ name: String) -> Bool {
    var named = AccountsRequest()
    named.username = name
    guard let accounts = try? AccountDirectory(context, within: limits).accounts(named) else {
      return false
    }
    return !accounts.isEmpty && accounts.allSatisfy { $0.homeAccountID != name }
  }
}

/// The tokens that a silent call returns if it cannot acquire the requested one.
struct SilentFallback {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Returns a token that is still valid, with the error as a warning; throws the error if there is none.
  ///
  /// - Parameter seconds: The time for which the result may be cached, in seconds.
  func fallBack(
    on token: CachedToken?, _ snapshot: CacheSnapshot, because error: TesseraError,
    forSeconds seconds: Int64 = 0
  ) throws(TesseraError) -> SilentResult {
    // A forced refresh never falls back. A cancellation by the caller ends the call; one by the broker does not.
    let isStopped = error.code == .cancelled && call.limits.cancellation?.isCancelled == true
    guard !call.request.forcesRefresh, !isStopped else { throw error }
    let outage = token == nil && error.isOutage ? call.inputs(snapshot).outageToken : nil
    guard let token = token ?? outage else { throw error }
    var fallback = call.result(for: token, snapshot)
    fallback.result.hasExtendedLifetime = outage != nil
    fallback.validity = call.validity(snapshot, forSeconds: min(seconds, token.secondsLeft))
    fallback.result.refreshError = error
    return fallback
  }

  /// Returns a new result, or a cached token for all scopes that is still valid if the server declined some of them.
  func preferring(
    _ fallback: CachedToken?, over silentResult: SilentResult, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    guard !silentResult.result.declinedScopes.isEmpty, let fallback, !call.request.forcesRefresh
    else {
      return silentResult
    }
    var preferred = try fallBack(
      on: fallback, snapshot, because: TesseraError(declinedScopesOf: silentResult.result))
    preferred.result.brokers = silentResult.result.brokers
    return preferred
  }

  /// Returns the result of a throttled request whose scopes the server declined: the token for the granted ones.
  ///
  /// It must not be cached, because the next sign-in removes the record.
  ///
  /// - Returns: `nil` if the request is throttled for another reason, or if the token has expired or was removed.
  func grantedToken(_ record: ThrottleRecord) -> SilentResult? {
    let error = call.recordedError(record)
    guard error.code == .serverDeclinedScopes, !error.declinedScopes.isEmpty else { return nil }
    let granted = Scopes(error.grantedScopes)
    let call = self.call.changing { $0.scopes = granted }
    guard let snapshot = try? call.context.cache.snapshot(call.selection, within: call.limits)
    else {
      return nil
    }
    let inputs = call.inputs(snapshot)
    let tokens = inputs.accessTokens.filter {
      Scopes(parsing: $0.target ?? "").minus(.reserved) == granted
    }
    for token in tokens {
      let times = TokenExpiry(token, at: inputs.clocks, marginSeconds: inputs.marginSeconds)
      guard times.verdict != .expired else { continue }
      let cached = CachedToken(
        accessToken: token, idToken: inputs.idToken(accompanying: token),
        secondsLeft: times.secondsLeft)
      var silentResult = call.result(for: cached, snapshot)
      silentResult.result.declinedScopes = error.declinedScopes
      silentResult.validity = nil
      return silentResult
    }
    return nil
  }

  /// Returns the valid cached token if the stack is too small to contact the broker; `nil` if it is large enough.
  ///
  /// - Throws: `stackTooSmall` if there is no valid cached token.
  func validTokenOnSmallStack(
    _ plan: SilentPlan, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult? {
    do throws(TesseraError) {
      try call.context.dependencies.stack.check(.credential)
      return nil
    } catch {
      guard case .refresh(_, let valid, _) = plan else { throw error }
      return try fallBack(on: valid, snapshot, because: error)
    }
  }
}

/// A silent call for an account with a user name, or for the only account.
struct NamedAccountCall {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Returns a token for scopes separated by spaces.
  func token(scope: String, username: String?) throws(TesseraError) -> TokenResult {
    var wanted = AccountsRequest()
    wanted.username = username
    try limits.check(context.dependencies.time)
    let account = try namedAccount(wanted)
    let request = SilentRequest(account: account, scopes: Scopes(parsing: scope).list)
    return try SilentCall(context, within: limits).result(of: request).result
  }

  private func namedAccount(_ wanted: AccountsRequest) throws(TesseraError) -> Account {
    do throws(TesseraError) {
      return try AccountDirectory(context, within: limits).account(wanted)
    } catch {
      if error.code == .accountNotFound, wanted.username == nil { throw .noAccount() }
      guard error.code == .ambiguousAccount else { throw error }
      var ambiguous = error
      ambiguous.message =
        wanted.username == nil
        ? "Several accounts are signed in: pass the user name of one of accounts."
        : "Several accounts have this user name: acquire the token with the home_account_id and environment of one of accounts."
      throw ambiguous
    }
  }
}
