// SPDX-License-Identifier: MIT
// The silent flow: a snapshot, a decision; if that is to refresh, exchanges under the credential's lock, and a commit.

import TesseraCache
import TesseraWire

/// One call for a token without asking the user.
struct SilentFlow {
  let application: PublicClientApplication
  let request: SilentRequest
  var scopes: Scopes
  let authority: Authority
  /// Whose token is wanted; empty for somebody whom only an older library's cache has, by a name.
  var homeAccountID: String
  let environments: [String]
  /// What the caller allowed; a refresh that nobody has to wait for gets less.
  let limits: CallLimits
  /// Until when a refresh may take that nobody has to wait for, where a broker was asked before; nil if none was.
  var proactiveLimits: CallLimits?
  /// Until when the broker may take: half of the time, where something else may come after it; nil for as long as the call.
  var brokerShare: CallLimits?
  /// Why only the person can continue, whatever the store has; nil if that is not so.
  let refusal: TesseraError?
  /// When a forced refresh was asked for.
  private let forcedAt: BootTime?
  /// What the program adds to the messages.
  let extras: ExtraParameters
  var exchange: Exchange

  /// Finds out who is meant, and checks the request.
  init(
    _ application: PublicClientApplication, _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) {
    let request = try application.identified(request, within: limits)
    self.application = application
    self.request = request
    self.limits = limits
    let surroundings = application.surroundings
    authority = try application.authority(of: request, within: limits)
    scopes = try RequestRules.scopes(
      request.scopes, of: application.configuration.clientID, at: authority)
    try RequestRules.application(request)
    homeAccountID = authority.normalised(request.homeAccountID)
    try RequestRules.claims(request.claims, at: authority)
    try RequestRules.correlationID(request.correlationID)
    extras = try application.configuration.extras(
      request.extraTokenParameters, request.extraQueryParameters)
    forcedAt = request.forcesRefresh ? surroundings.time.moment : nil
    exchange = Exchange(surroundings, limits: limits, correlationID: request.correlationID)
    environments = application.resolver.environments(of: authority, within: limits)
    refusal =
      request.isForApplication
      ? nil
      : try RequestRules.refusal(
        of: homeAccountID, named: request.username, in: request.environment, at: authority,
        hosts: environments)
  }

  /// Gets the token.
  func run() throws(TesseraError) -> SilentResult {
    // The deadline is for waiting: a token that is there is handed out without.
    if limits.cancellation?.isCancelled == true { throw .cancelled() }
    if let refusal { throw refusal }
    let snapshot = try application.cache.snapshot(selection, within: limits)
    let inputs = inputs(snapshot)
    let plan = SilentPlan(inputs)
    if let exclusion = exclusion(from: plan, inputs) { throw exclusion }
    guard asksBroker(plan, inputs) else { return try act(on: plan, inputs, snapshot) }
    if let answer = try answerOnSmallStack(plan, snapshot) { return answer }
    return try brokered(plan, inputs) { flow throws(TesseraError) in
      try flow.act(on: plan, inputs, snapshot)
    }
  }

  /// Does what was decided, without a broker.
  private func act(
    on plan: SilentPlan, _ inputs: SilentInputs, _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> SilentResult {
    switch plan {
    case .use(let token):
      if authority.type == .entra {
        application.telemetry?.countSilentSuccess(at: authority.address.authority)
      }
      return answer(token, snapshot)
    case _ where request.isForApplication: throw absenceOfApplicationToken(snapshot)
    case .signIn(let reason):
      if let answer = try upgraded(inputs) { return answer }
      throw TesseraError(absence: snapshot.condition, reason)
    case .pause(let record, let fallback):
      return try upgraded { () throws(TesseraError) in
        try fallBack(
          on: fallback, snapshot, because: remembered(record),
          forSeconds: record.restingSeconds(at: time.clocks))
      }
    case .refresh(let tokens, let fallback, let reason):
      return try upgraded { () throws(TesseraError) in
        try refresh(tokens, fallback, reason, snapshot)
      }
    }
  }

  /// Why nobody is asked, although the store has no token; nil if somebody is, or it has one.
  func exclusion(from plan: SilentPlan, _ inputs: SilentInputs) -> TesseraError? {
    if case .use = plan { return nil }
    return RequestRules.exclusion(of: homeAccountID, at: authority, realm: inputs.realm)
  }

  /// The application has no token of its own: nobody here can get one.
  private func absenceOfApplicationToken(_ snapshot: CacheSnapshot) -> TesseraError {
    TesseraError(
      absence: snapshot.condition,
      "The cache holds no valid token of the application itself: get one with the library that has its secret."
    )
  }

  /// The answer that is a cached token.
  func answer(_ token: CachedToken, _ snapshot: CacheSnapshot) -> SilentResult {
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
    return SilentResult(result: result, truth: truth(snapshot, forSeconds: token.secondsLeft))
  }

  /// The person's enrolment in Intune's app protection; nil for none.
  func enrollmentID(in snapshot: CacheSnapshot) -> String? {
    guard application.configuration.intune.enrollments != nil else { return nil }
    return application.configuration.enrollmentID(
      at: authority, homeAccountID: homeAccountID.nonBlank,
      username: account(homeAccountID, in: snapshot)?.username ?? request.username)
  }

  /// What a snapshot says of a person at the authority's cloud; nil for nothing.
  func account(_ homeAccountID: String, in snapshot: CacheSnapshot) -> Account? {
    let records = snapshot.accounts.filter {
      ($0.homeAccountID == homeAccountID
        || authority.normalised($0.homeAccountID) == authority.normalised(homeAccountID))
        && environments.contains(authority.isEntra ? $0.environment.normalised : $0.environment)
    }
    return AccountList.merged(records).first
  }

  /// The truth of an answer that is made now; nil for none.
  private func truth(_ snapshot: CacheSnapshot, forSeconds seconds: Int64) -> AnswerTruth? {
    // What is handed out from memory is not counted: where it is to be, nothing is kept there.
    guard seconds > 0, application.telemetry == nil, let version = snapshot.version else {
      return nil
    }
    let now = time.now
    return AnswerTruth(
      version, from: now.adding(seconds: -60), until: now.adding(seconds: seconds),
      monotonicUntil: time.monotonicNanoseconds(inSeconds: seconds))
  }

  /// A token that is still valid is better than an error that has nothing to do with it.
  ///
  /// - Parameter seconds: for how long nobody needs to try again.
  func fallBack(
    on token: CachedToken?, _ snapshot: CacheSnapshot, because error: TesseraError,
    forSeconds seconds: Int64 = 0
  ) throws(TesseraError) -> SilentResult {
    // A forced refresh was asked for in so many words, and a stop is a stop, unless it is the broker's word.
    let isStopped = error.code == .cancelled && limits.cancellation?.isCancelled == true
    guard !request.forcesRefresh, !isStopped else { throw error }
    let outage = token == nil && error.isOutage ? inputs(snapshot).outageToken : nil
    guard let token = token ?? outage else { throw error }
    var answer = answer(token, snapshot)
    answer.result.hasExtendedLifetime = outage != nil
    answer.truth = truth(snapshot, forSeconds: min(seconds, token.secondsLeft))
    var error = error
    error.result = nil
    answer.result.refreshError = error
    return answer
  }
}

extension SilentFlow {
  /// What the server is asked for in a claims parameter; nil for nothing.
  var claims: String? {
    ClaimsRequest.parameter(
      request.claims, capabilities: application.configuration.sortedCapabilities)
  }

  /// What a call reads of the store.
  var selection: SnapshotSelection {
    let clientID = application.configuration.clientID
    var selection = SnapshotSelection()
    selection.owner = request.isForApplication ? "" : person
    selection.scope = scopes.significant.min()
    if authority.isEntra {
      selection.keys = Set(environments).map {
        AppMetadataRecord(clientID: clientID, environment: $0, familyID: "").key
      }
    }
    return selection
  }

  /// What the decision depends on.
  func inputs(_ snapshot: CacheSnapshot) -> SilentInputs {
    let configuration = application.configuration
    var inputs = SilentInputs(
      homeAccountID: homeAccountID, scopes: scopes, clientID: configuration.clientID,
      environments: environments, isEntra: authority.isEntra,
      realm: authority.realm(
        of: homeAccountID, snapshot.accountMetadata(of: configuration.clientID),
        hosts: environments, isInstanceAware: configuration.supportsMultipleClouds),
      snapshot: snapshot, clocks: time.clocks,
      marginSeconds: configuration.expiryMarginSeconds, subject: subject)
    inputs.throttles = throttles(snapshot)
    inputs.forcesRefresh = request.forcesRefresh
    inputs.forcedAt = forcedAt
    inputs.hasClaims = ClaimsRequest.isRequest(request.claims)
    inputs.requestedClaims = application.capabilityClaims
    // What is the application's own is nobody's to protect.
    inputs.partition = request.isForApplication ? nil : configuration.partition(at: authority)
    inputs.enrollmentID = enrollmentID(in: snapshot)
    inputs.usesExtendedLifetime = configuration.usesExtendedLifetime
    return inputs
  }
}
