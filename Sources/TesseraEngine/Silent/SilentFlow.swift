// SPDX-License-Identifier: MIT
// The silent flow: a decision based on a snapshot, and a refresh under the credential lock if it is required.

import TesseraCache
import TesseraWire

/// A token request without user interaction.
struct SilentFlow {
  let context: FlowContext
  let request: SilentRequest
  var scopes: Scopes
  let authority: Authority
  /// The requested account; empty for a user known only by name, from the cache of an older library.
  var homeAccountID: String
  let environments: [String]
  /// The limits of the caller.
  ///
  /// An optional refresh has shorter limits.
  let limits: CallLimits
  /// The limits of an optional refresh after a broker request; `nil` if none was sent.
  var proactiveLimits: CallLimits?
  /// The limits of the broker: half of the time if a fallback exists; `nil` for the limits of the call.
  var brokerLimits: CallLimits?
  /// The error if user interaction is required regardless of the store; `nil` otherwise.
  let interactionError: TesseraError?
  /// The time at which a forced refresh was requested.
  private let forcedAt: BootTime?
  /// The additional parameters of the application.
  let extras: ExtraParameters
  var serverClient: ServerClient

  /// Checks the request and identifies the account.
  init(
    _ context: FlowContext, _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) {
    let request = try AccountDirectory(context, within: limits).identified(request)
    self.context = context
    self.request = request
    self.limits = limits
    let dependencies = context.dependencies
    authority = try context.authority(of: request, within: limits)
    scopes = try RequestRules.scopes(
      request.scopes, of: context.configuration.clientID, at: authority)
    try RequestRules.application(request)
    homeAccountID = authority.normalised(request.homeAccountID)
    try RequestRules.claims(request.claims, at: authority)
    try RequestRules.correlationID(request.correlationID)
    extras = try context.configuration.extras(
      request.extraTokenParameters, request.extraQueryParameters)
    forcedAt = request.forcesRefresh ? dependencies.time.bootTime : nil
    serverClient = ServerClient(dependencies, limits: limits, correlationID: request.correlationID)
    environments = context.resolver.environments(of: authority, within: limits)
    interactionError =
      request.isForApplication
      ? nil
      : try RequestRules.interactionError(
        of: homeAccountID, named: request.username, in: request.environment, at: authority,
        hosts: environments)
  }

  /// Acquires the token.
  func run() throws(TesseraError) -> SilentResult {
    // The deadline applies to waiting only: a cached token is returned even after the deadline.
    if limits.cancellation?.isCancelled == true { throw .cancelled() }
    if let interactionError { throw interactionError }
    let snapshot = try context.cache.snapshot(selection, within: limits)
    let inputs = inputs(snapshot)
    let plan = SilentPlan(inputs)
    if let admissionError = admissionError(from: plan, inputs) { throw admissionError }
    guard usesBroker(plan, inputs) else { return try act(on: plan, inputs, snapshot) }
    if let result = try validTokenOnSmallStack(plan, snapshot) { return result }
    return try acquireFromBroker(plan, inputs) { flow throws(TesseraError) in
      try flow.act(on: plan, inputs, snapshot)
    }
  }

  /// Executes the decision without a broker.
  private func act(
    on plan: SilentPlan, _ inputs: SilentInputs, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    switch plan {
    case .useCached(let token):
      if authority.type == .entra {
        context.telemetry?.countSilentSuccess(at: authority.address.authority)
      }
      return result(for: token, snapshot)
    case _ where request.isForApplication: throw missingApplicationTokenError(snapshot)
    case .requireSignIn(let reason):
      if let result = try tokenFromLegacyCache(inputs) { return result }
      throw TesseraError(absence: snapshot.condition, reason)
    case .backOff(let record, let fallback):
      if fallback == nil || request.forcesRefresh, let granted = grantedToken(record) {
        return granted
      }
      return try tokenFromLegacyCache { () throws(TesseraError) in
        try fallBack(
          on: fallback, snapshot, because: recordedError(record),
          forSeconds: record.backoffSeconds(at: time.clocks))
      }
    case .refresh(let tokens, let fallback, let reason):
      return try tokenFromLegacyCache { () throws(TesseraError) in
        try refresh(tokens, fallback, reason, snapshot)
      }
    }
  }

  /// Returns the error for requests that must not reach the network; `nil` if a cached token exists or a request may be
  /// sent.
  func admissionError(from plan: SilentPlan, _ inputs: SilentInputs) -> TesseraError? {
    if case .useCached = plan { return nil }
    return RequestRules.admissionError(of: homeAccountID, at: authority, realm: inputs.realm)
  }

  /// Returns the error for a missing app-only token, which this application cannot request.
  private func missingApplicationTokenError(_ snapshot: CacheSnapshot) -> TesseraError {
    TesseraError(
      absence: snapshot.condition,
      "The cache contains no valid app-only token: acquire one with the library that has the client credentials."
    )
  }

  /// Returns the result for a cached token.
  func result(for token: CachedToken, _ snapshot: CacheSnapshot) -> SilentResult {
    let record = token.accessToken
    let account =
      account(record.homeAccountID, in: snapshot)
      ?? Account(
        homeAccountID: record.homeAccountID, environment: record.environment, username: nil,
        name: nil, tenantProfiles: [], isEntra: authority.isEntra)
    let realm = record.realm ?? ""
    var result = TokenResult(
      accessToken: record, idToken: token.idToken, account: account,
      authority: authority.resultText(realm: realm), source: .cache)
    if let unstored = snapshot.unstored, unstored.records.contains(.credential(record)) {
      result.isPersisted = false
      result.warnings.append(unstored.reason)
    }
    return SilentResult(result: result, validity: validity(snapshot, forSeconds: token.secondsLeft))
  }

  /// Returns the Intune app-protection enrollment ID of the user, if any.
  func enrollmentID(in snapshot: CacheSnapshot) -> String? {
    guard context.configuration.intune.enrollments != nil else { return nil }
    return context.configuration.enrollmentID(
      at: authority, homeAccountID: homeAccountID.nonBlank,
      username: account(homeAccountID, in: snapshot)?.username ?? request.username)
  }

  /// Returns the account from a snapshot; `nil` if it has no record in the authority's cloud.
  func account(_ homeAccountID: String, in snapshot: CacheSnapshot) -> Account? {
    let records = snapshot.accounts.filter {
      ($0.homeAccountID == homeAccountID
        || authority.normalised($0.homeAccountID) == authority.normalised(homeAccountID))
        && environments.contains(authority.isEntra ? $0.environment.normalised : $0.environment)
    }
    return AccountList.merged(records).first
  }

  /// Returns the validity of a new response; `nil` if it must not be cached.
  private func validity(_ snapshot: CacheSnapshot, forSeconds seconds: Int64) -> ResponseValidity? {
    // Cached responses are not counted by telemetry. With telemetry, therefore, no response is cached.
    guard seconds > 0, context.telemetry == nil, let version = snapshot.version else {
      return nil
    }
    let now = time.now
    return ResponseValidity(
      version, from: now.adding(seconds: -60), until: now.adding(seconds: seconds),
      monotonicUntil: time.monotonicNanoseconds(inSeconds: seconds))
  }

  /// Returns a token that is still valid, with the error as a warning; throws the error if there is none.
  ///
  /// - Parameter seconds: The time for which the result may be cached, in seconds.
  func fallBack(
    on token: CachedToken?, _ snapshot: CacheSnapshot, because error: TesseraError,
    forSeconds seconds: Int64 = 0
  ) throws(TesseraError) -> SilentResult {
    // A forced refresh never falls back. A cancellation by the caller ends the call; one by the broker does not.
    let isStopped = error.code == .cancelled && limits.cancellation?.isCancelled == true
    guard !request.forcesRefresh, !isStopped else { throw error }
    let outage = token == nil && error.isOutage ? inputs(snapshot).outageToken : nil
    guard let token = token ?? outage else { throw error }
    var fallback = result(for: token, snapshot)
    fallback.result.hasExtendedLifetime = outage != nil
    fallback.validity = validity(snapshot, forSeconds: min(seconds, token.secondsLeft))
    fallback.result.refreshError = error
    return fallback
  }
}

extension SilentFlow {
  /// The `claims` parameter; `nil` for none.
  var claims: String? {
    ClaimsRequest.parameter(
      request.claims, capabilities: context.configuration.sortedCapabilities)
  }

  /// The records that a call reads from the store.
  var selection: SnapshotSelection {
    let clientID = context.configuration.clientID
    var selection = SnapshotSelection()
    selection.owner = request.isForApplication ? "" : throttleOwner
    selection.scope = scopes.significant.min()?.text
    if authority.isEntra {
      selection.keys = Set(environments).map {
        AppMetadataRecord(clientID: clientID, environment: $0, familyID: "").key
      }
    }
    return selection
  }

  /// Returns the inputs of the decision.
  func inputs(_ snapshot: CacheSnapshot) -> SilentInputs {
    let configuration = context.configuration
    var inputs = SilentInputs(
      homeAccountID: homeAccountID, scopes: scopes, clientID: configuration.clientID,
      environments: environments, isEntra: authority.isEntra,
      realm: authority.realm(
        of: homeAccountID, snapshot.accountMetadata(of: configuration.clientID),
        hosts: environments, isInstanceAware: configuration.supportsMultipleClouds),
      snapshot: snapshot, clocks: time.clocks,
      marginSeconds: configuration.expiryMargin.wholeSeconds, throttleKey: throttleKey)
    inputs.throttles = throttles(snapshot)
    inputs.forcesRefresh = request.forcesRefresh
    inputs.forcedAt = forcedAt
    inputs.hasClaims = ClaimsRequest.isRequest(request.claims)
    inputs.requestedClaims = context.capabilityClaims
    // An app-only token is not subject to app protection.
    inputs.partition = request.isForApplication ? nil : configuration.partition(at: authority)
    inputs.enrollmentID = enrollmentID(in: snapshot)
    inputs.usesExtendedLifetime = configuration.usesExtendedLifetime
    return inputs
  }
}
