// SPDX-License-Identifier: MIT
// The silent flow: its inputs, the decision, and what it does.

package import TesseraCache
package import TesseraWire

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
  ///
  /// Only a cached token does. The error for a missing one depends on the other records.
  func decide(_ records: [CacheRecord], hasRefreshTokens: Bool) -> Bool {
    let inputs = call.inputs(CacheSnapshot(records: records, version: nil))
    guard let plan = SilentPlan(withoutRefreshTokens: inputs, hasOthers: hasRefreshTokens),
      case .useCached = plan
    else { return false }
    result = (inputs, plan)
    return true
  }
}

/// A silent call of the application.
struct SilentTokenCall {
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
    var silent = try measured({ (silent: SilentResult) in silent.result }, request) {
      () throws(TesseraError) in
      try SilentFlow(SilentContext(context, request, within: limits)).run()
    }
    // Any sign-in may change the account of a user name. Such a result is not cached.
    if request.homeAccountID.isEmpty { silent.validity = nil }
    return silent
  }

  /// Runs a silent call, explains its error, and records its metrics.
  func measured<Value>(
    _ token: (Value) -> TokenResult?, _ request: SilentRequest,
    _ call: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try context.metrics.measure(.acquireTokenSilent, within: limits, token: token) {
      () throws(TesseraError) in try explainingUserName(request, call)
    }
  }

  /// Runs a silent call, and explains its error if the home account ID is the user name of an account.
  ///
  /// The accounts are read only after the call has failed, because an issuer may use email addresses as identifiers.
  ///
  /// - Throws: The error of the call; `fixRequest` with code `invalid_member` for a user name.
  private func explainingUserName<Value>(
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
    if let cached = context.results.result(for: request) { return cached.result }
    return try SilentTokenCall(context, within: limits).run(request)
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

/// A checked silent request, with the account, the authority and the limits of the call.
///
/// It is a class, so that the stack frames of the steps stay small. After its creation, it is changed only by
/// ``changing(_:)``, which copies it.
package final class SilentContext {
  package let context: FlowContext
  package let request: SilentRequest
  package var scopes: Scopes
  package let authority: Authority
  /// The requested account; empty for a user known only by name, from the cache of an older library.
  package var homeAccountID: String
  package let environments: [String]
  /// The search for the tokens of older libraries that the call redeems; `nil` if it redeems those of the cache.
  var legacySearch: (any ImportedTokenSearch)?
  /// The limits of the caller.
  ///
  /// An optional refresh has shorter limits.
  package let limits: CallLimits
  /// The limits of an optional refresh after a broker request; `nil` if none was sent.
  var proactiveLimits: CallLimits?
  /// The limits of the broker: half of the time if a fallback exists; `nil` for the limits of the call.
  package var brokerLimits: CallLimits?
  /// The error if user interaction is required regardless of the store; `nil` otherwise.
  let interactionError: TesseraError?
  /// The time at which a forced refresh was requested.
  private let forcedAt: BootTime?
  /// The additional parameters of the application.
  package let extras: ExtraParameters
  package var serverClient: ServerClient

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
    serverClient.traceContext = try request.traceContext()
    environments = context.resolver.environments(of: authority, within: limits)
    interactionError =
      request.isForApplication
      ? nil
      : try RequestRules.interactionError(
        of: homeAccountID, named: request.username, in: request.environment, at: authority,
        hosts: environments)
  }

  /// Creates a copy.
  private init(_ other: SilentContext) {
    context = other.context
    request = other.request
    scopes = other.scopes
    authority = other.authority
    homeAccountID = other.homeAccountID
    environments = other.environments
    legacySearch = other.legacySearch
    limits = other.limits
    proactiveLimits = other.proactiveLimits
    brokerLimits = other.brokerLimits
    interactionError = other.interactionError
    forcedAt = other.forcedAt
    extras = other.extras
    serverClient = other.serverClient
  }

  /// Returns a copy with other values.
  package func changing(_ change: (SilentContext) -> Void) -> SilentContext {
    let copy = SilentContext(self)
    change(copy)
    return copy
  }
}

extension SilentContext {
  /// The `claims` parameter; `nil` for none.
  package var claims: String? {
    ClaimsRequest.parameter(
      request.claims, capabilities: context.configuration.sortedCapabilities)
  }

  /// Whether the call cannot return a cached token, so that it needs the refresh tokens.
  var needsRefreshTokens: Bool {
    legacySearch != nil || request.forcesRefresh || request.claims != nil
  }

  /// The records that a call reads from the store.
  package var selection: SnapshotSelection {
    let clientID = context.configuration.clientID
    var selection = SnapshotSelection()
    selection.owner = request.isForApplication ? "" : throttleOwner
    selection.scope = scopes.significant.min()?.text
    if authority.isEntra {
      selection.keys = Set(environments).map {
        AppMetadataRecord(clientID: clientID, environment: $0, familyID: "").key
      }
    }
    selection.keys += legacySearch?.keys ?? []
    return selection
  }

  /// Returns the inputs of the decision.
  package func inputs(_ snapshot: CacheSnapshot) -> SilentInputs {
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
    inputs.legacyItems = legacySearch?.items(inputs)
    return inputs
  }
}

extension SilentContext {
  /// Returns the user name of a refresh token of an older library; `nil` for a token of the cache.
  ///
  /// The subject of another provider may look like a provisional account. Only the call that searches for imported tokens
  /// redeems them.
  func importedName(of token: CredentialRecord) -> String? {
    legacySearch == nil ? nil : token.importedName
  }

  package var time: any TimeSource { context.dependencies.time }

  /// Returns the result for a cached token.
  package func result(for token: CachedToken, _ snapshot: CacheSnapshot) -> SilentResult {
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
  package func account(_ homeAccountID: String, in snapshot: CacheSnapshot) -> Account? {
    let records = snapshot.accounts.filter {
      ($0.homeAccountID == homeAccountID
        || authority.normalised($0.homeAccountID) == authority.normalised(homeAccountID))
        && environments.contains(authority.isEntra ? $0.environment.normalised : $0.environment)
    }
    return AccountList.merged(records).first
  }

  /// Returns the validity of a new response; `nil` if it must not be cached.
  func validity(_ snapshot: CacheSnapshot, forSeconds seconds: Int64) -> ResponseValidity? {
    // Cached responses are not counted by telemetry. With telemetry, therefore, no response is cached.
    guard seconds > 0, context.telemetry == nil, let version = snapshot.version else {
      return nil
    }
    let now = time.now
    return ResponseValidity(
      version, from: now.adding(seconds: -60), until: now.adding(seconds: seconds),
      monotonicUntil: time.monotonicNanoseconds(inSeconds: seconds))
  }

  /// The key under which failures of this request are recorded.
  package var throttleKey: ThrottleKey {
    ThrottleKey(
      environment: environments.first ?? "", tenant: authority.tenant,
      clientID: context.configuration.clientID, homeAccountID: throttleOwner, scopes: scopes,
      claims: claims)
  }

  /// The account ID for recorded failures, or an owner derived from the user name if the account has none.
  package var throttleOwner: String {
    homeAccountID.isEmpty
      ? LegacyAccountRecord(name: request.username ?? "").owner : homeAccountID
  }

  /// Returns the recorded failures from the store and from this process.
  func throttles(_ snapshot: CacheSnapshot) -> [ThrottleRecord] {
    snapshot.throttles + context.throttles.records(of: throttleOwner)
  }

  /// Returns the error of a throttled request.
  package func recordedError(_ record: ThrottleRecord) -> TesseraError {
    TesseraError.recordedError(record, at: time.clocks)
  }

  package func stored(_ tokenRecords: TokenResponseRecords, from resolved: ResolvedAuthority)
    -> CacheChange
  {
    tokenRecords.withAppProtection(of: context.configuration, from: authority).change(
      from: resolved,
      isInstanceAware: context.configuration.supportsMultipleClouds)
  }

  /// Returns the context for requests to servers.
  ///
  /// It has a short timeout if the cached token is still usable.
  func prepared(for reason: RefreshReason) -> SilentContext {
    changing { call in
      call.serverClient = serverClient.identified()
      call.serverClient.telemetry = context.telemetry(of: .silent, reason.telemetryType)
      if reason.isOptional {
        call.serverClient.limits =
          proactiveLimits
          ?? limits.atMost(
            milliseconds: context.configuration.proactiveRefreshTimeout.wholeMilliseconds, time)
      }
    }
  }
}

extension SilentInputs {
  /// The expired token that may be returned while the server is unavailable; `nil` for none.
  ///
  /// As in MSAL for Apple, the application must allow it, and the server must have failed to respond.
  package var outageToken: CachedToken? {
    guard usesExtendedLifetime, !forcesRefresh, !hasClaims, !isSignedOut, let token = accessToken,
      let extended = token.extendedExpiresAt
    else { return nil }
    let receivedAt = token.cachedAt ?? clocks.now
    let wallClockAge = clocks.now.seconds(since: receivedAt)
    // The boot-time clock is preferred, because it cannot be set.
    let age = token.receivedBootTime.flatMap { clocks.bootTime?.seconds(since: $0) } ?? wallClockAge
    let secondsLeft = extended.seconds(since: receivedAt) &- max(age, wallClockAge)
    guard age >= -60, secondsLeft > 0 else { return nil }
    return CachedToken(
      accessToken: token, idToken: idToken(accompanying: token), secondsLeft: secondsLeft)
  }
}

/// The next step of a silent token request.
package enum SilentPlan: Sendable {
  /// Return a cached token.
  case useCached(CachedToken)
  /// Redeem one of these refresh tokens, in order of preference.
  ///
  /// If the server is unavailable, return the fallback.
  case refresh([CredentialRecord], fallback: CachedToken?, RefreshReason)
  /// Send no request, because the same request failed recently.
  ///
  /// Return the fallback, or throw the recorded error.
  case backOff(ThrottleRecord, fallback: CachedToken?)
  /// Throw an error with this message; the user must sign in interactively.
  case requireSignIn(String)
}

/// A cached access token with its ID token.
package struct CachedToken: Sendable {
  package let accessToken: CredentialRecord
  package let idToken: CredentialRecord?
  /// The number of seconds for which the token may be returned without another decision.
  package let secondsLeft: Int64

  package init(accessToken: CredentialRecord, idToken: CredentialRecord?, secondsLeft: Int64) {
    self.accessToken = accessToken
    self.idToken = idToken
    self.secondsLeft = secondsLeft
  }
}

/// The inputs of the decision.
package struct SilentInputs: Sendable {
  package var homeAccountID: String
  package var scopes: Scopes
  package var clientID: String
  package var forcesRefresh = false
  /// The time at which a forced refresh was requested.
  ///
  /// `nil` if boot-time clocks of different processes are not comparable on this machine.
  package var forcedAt: BootTime?
  package var hasClaims = false
  /// The client capabilities of the application, in the form stored with its tokens.
  package var requestedClaims: String?
  /// The cache partition for access tokens of an app-protected application; `nil` for the default partition.
  package var partition: String?
  /// The Intune app-protection enrollment ID of the user, if any.
  package var enrollmentID: String?
  /// Whether the account belongs to a different provider or policy than the authority.
  package var isForeignAccount = false
  /// Whether an expired token may be returned while the server is unavailable.
  package var usesExtendedLifetime = false
  /// The host aliases of the account's cloud, or the issuer.
  package var environments: [String]
  /// Whether the provider is Microsoft Entra ID, which has token families and case-insensitive identifiers.
  ///
  /// Other providers compare `sub` and `iss` case-sensitively.
  package var isEntra: Bool
  /// The tenant ID; `nil` until the authority is resolved.
  package var realm: String?
  package var snapshot: CacheSnapshot
  package var clocks: Clocks
  package var marginSeconds: Int64
  /// The key under which failures of this request are recorded.
  package var throttleKey: ThrottleKey
  /// The recorded failures.
  package var throttles: [ThrottleRecord] = []
  /// The items of older libraries to redeem, in order; `nil` to redeem the refresh tokens of the cache.
  package var legacyItems: [LegacyItem]?

  package init(
    homeAccountID: String, scopes: Scopes, clientID: String, environments: [String],
    isEntra: Bool, realm: String?, snapshot: CacheSnapshot, clocks: Clocks,
    marginSeconds: Int64, throttleKey: ThrottleKey
  ) {
    self.homeAccountID = homeAccountID
    self.scopes = scopes
    self.clientID = clientID
    self.environments = environments
    self.isEntra = isEntra
    self.realm = realm
    self.snapshot = snapshot
    self.clocks = clocks
    self.marginSeconds = marginSeconds
    self.throttleKey = throttleKey
  }
}

extension SilentPlan {
  /// Decides the next step.
  package init(_ inputs: SilentInputs) {
    self.init(inputs, inputs.isSignedOut ? nil : inputs.cachedToken)
  }

  /// Decides the next step; `nil` if it depends on refresh tokens.
  ///
  /// - Parameter hasOthers: Whether the account has refresh tokens that are not in the snapshot.
  package init?(withoutRefreshTokens inputs: SilentInputs, hasOthers: Bool) {
    let cached = inputs.isSignedOut ? nil : inputs.cachedToken
    let hasRefreshTokens = hasOthers || inputs.snapshot.records.contains(where: \.isRefreshToken)
    guard cached?.reason == nil || !hasRefreshTokens else { return nil }
    self.init(inputs, cached)
  }

  /// Decides the next step after reading the cached token; `nil` for an account that has signed out.
  private init(
    _ inputs: SilentInputs, _ cached: (valid: CachedToken?, reason: RefreshReason?)?
  ) {
    guard let (valid, reason) = cached else {
      self = .requireSignIn("The account has signed out of this application: sign in again.")
      return
    }
    guard let reason else {
      self = .usingCached(valid, orSignIn: "The cache contains no token: sign in.")
      return
    }
    // With a claims challenge, the resource rejects the cached token, so it is not a fallback.
    let fallback = inputs.hasClaims ? nil : valid
    let refreshTokens = inputs.refreshTokens
    if !refreshTokens.isEmpty || reason.isOptional, let record = inputs.activeThrottle(reason) {
      self = .backOff(record, fallback: fallback)
      return
    }
    guard !refreshTokens.isEmpty else {
      self = .usingCached(reason.isOptional ? valid : nil, orSignIn: inputs.missingTokenMessage)
      return
    }
    let untried = refreshTokens.filter { inputs.activeThrottle(redeeming: $0.secret) == nil }
    if untried.isEmpty,
      let record = refreshTokens.first.flatMap({ inputs.activeThrottle(redeeming: $0.secret) })
    {
      self = .backOff(record, fallback: fallback)
    } else {
      self = .refresh(untried, fallback: fallback, reason)
    }
  }

  /// Returns the plan to use a cached token, or to require a sign-in if there is none.
  private static func usingCached(_ token: CachedToken?, orSignIn reason: String) -> SilentPlan {
    token.map(SilentPlan.useCached) ?? .requireSignIn(reason)
  }
}

extension SilentInputs {
  /// The cached token unless it has expired, and the reason for a refresh, if any.
  fileprivate var cachedToken: (valid: CachedToken?, reason: RefreshReason?) {
    let token = accessToken
    let times = token.map { TokenExpiry($0, at: clocks, marginSeconds: marginSeconds) }
    var valid: CachedToken?
    if let token, let times, times.verdict != .expired {
      valid = CachedToken(
        accessToken: token, idToken: idToken(accompanying: token), secondsLeft: times.secondsLeft)
    }
    return (valid, refreshReason(token, times))
  }

  /// Whether the account has signed out of the application.
  ///
  /// The state is recorded for Entra only. At other providers, an account that has signed out has no tokens.
  package var isSignedOut: Bool {
    isEntra && snapshot.accountMetadata(of: clientID)?.state(of: homeAccountID) == .signedOut
  }

  /// The access token that covers the scopes and expires last.
  package var accessToken: CredentialRecord? {
    let tokens = accessTokens
    guard tokens.count > 1 else { return tokens.first }
    return tokens.max { ($0.expiresAt ?? .distantPast) < ($1.expiresAt ?? .distantPast) }
  }

  /// The access tokens that cover the scopes.
  var accessTokens: [CredentialRecord] {
    guard let realm else { return [] }
    var query = CredentialQuery(
      CredentialKeyParts(type: .accessToken), environmentAliases: environments)
    query.parts.clientID = clientID
    query.parts.realm = realm
    query.scopes = scopes
    query.parts.requestedClaims = requestedClaims
    query.parts.applicationIdentifier = partition
    return snapshot.records.compactMap(\.accessToken).filter {
      query.matches($0) && belongs($0) && matchesEnrollment($0)
    }
  }

  /// Returns whether an access token was issued for the user's enrollment.
  ///
  /// Only app protection requires this (MSAL for Apple).
  func matchesEnrollment(_ token: CredentialRecord) -> Bool {
    guard partition != nil, let enrollment = token.enrollmentID else { return true }
    return enrollment == enrollmentID
  }

  /// The refresh tokens that may be sent, in order: the application's own, then those of its family.
  var refreshTokens: [CredentialRecord] {
    if let legacyItems { return legacyItems.compactMap(\.credential) }
    let superseded = supersededTokens
    return knownRefreshTokens.filter { !superseded.contains($0.secret) }
  }

  /// Returns the item of an older library that has a refresh token; `nil` for a token of the cache.
  func legacyItem(with token: Secret) -> LegacyItem? {
    legacyItems?.first { $0.refreshToken == token }
  }

  /// The refresh tokens that a rejected response replaced.
  ///
  /// No record with one of them may be sent.
  package var supersededTokens: Set<Secret> {
    Set(snapshot.credentials.filter(\.isSuperseded).map(\.secret))
  }

  /// The error message if no refresh token may be sent.
  fileprivate var missingTokenMessage: String {
    knownRefreshTokens.isEmpty
      ? "The cache contains neither a valid token nor a refresh token for this account: sign in."
      : "The server rotated the refresh token of this account in a token response that failed validation: sign in."
  }

  /// The refresh tokens, also those that may not be sent: the application's own, then those of its family.
  package var knownRefreshTokens: [CredentialRecord] {
    // A record without an account ID must not be redeemed for any account.
    guard !homeAccountID.isEmpty else { return [] }
    let tokens = snapshot.credentials.filter { $0.type == .refreshToken && belongs($0) }
    let own = tokens.filter { $0.familyID == nil && $0.clientID.normalised == clientID.normalised }
    guard isEntra, let family = snapshot.familyID(of: clientID) else { return own }
    let shared = tokens.filter { $0.familyID?.normalised == family.normalised }
    return own + shared.filter { token in !own.contains { $0.secret == token.secret } }
  }

  /// Returns the owner in the lock of a refresh token: the family of the application or of the token, or else the client ID.
  ///
  /// The applications of a family share one lock for all their tokens, because a record without a family ID may contain the
  /// token of the family.
  package func lockOwner(of token: CredentialRecord) -> String {
    let copy = snapshot.credentials.first { record in
      record.type.isRefreshToken && record.familyID != nil && record.secret == token.secret
    }
    let family =
      token.familyID ?? copy?.familyID ?? (isEntra ? snapshot.familyID(of: clientID) : nil)
    return family.map { "family \($0)" } ?? clientID.normalised
  }

  func idToken(accompanying token: CredentialRecord) -> CredentialRecord? {
    for case .credential(let record) in snapshot.records
    where record.type == .idToken && belongs(record)
      && record.clientID.normalised == clientID.normalised
      && (record.realm ?? "").normalised == (token.realm ?? "").normalised
    {
      return record
    }
    return nil
  }

  /// Returns whether a credential belongs to this account and authority.
  ///
  /// A refresh token is sent to no other.
  private func belongs(_ record: CredentialRecord) -> Bool {
    belongsToAccount(record) && belongsToEnvironment(record)
  }

  func belongsToAccount(_ record: CredentialRecord) -> Bool {
    guard isEntra else { return record.homeAccountID == homeAccountID }
    return record.homeAccountID.normalised == homeAccountID.normalised
  }

  func belongsToEnvironment(_ record: CredentialRecord) -> Bool {
    environments.contains(isEntra ? record.environment.normalised : record.environment)
  }

  fileprivate func refreshReason(_ token: CredentialRecord?, _ times: TokenExpiry?)
    -> RefreshReason?
  {
    if hasClaims { return .claims }
    guard let token, let times else { return forcesRefresh ? .forced : .missing }
    if forcesRefresh, !satisfiesForcedRefresh(token) { return .forced }
    return switch times.verdict {
    case .expired: .expired
    case .doubtful: .doubtful
    case .usable: times.isDue ? .due : nil
    }
  }

  /// Returns the active throttle record for this request, or `nil` if a request may be sent.
  func activeThrottle(_ reason: RefreshReason) -> ThrottleRecord? {
    guard !throttles.isEmpty else { return nil }
    let name = throttleKey.name
    return throttles.first { record in
      guard record.name == name else { return false }
      return reason.isOptional
        ? record.backoffSeconds(at: clocks) > 0 : record.blockedSeconds(at: clocks) > 0
    }
  }

  /// Returns the active throttle record for a rejected refresh token, or `nil` if it may be sent.
  package func activeThrottle(redeeming token: Secret) -> ThrottleRecord? {
    guard !throttles.isEmpty else { return nil }
    let name = throttleKey.name(redeeming: token)
    return throttles.first { $0.name == name && $0.blockedSeconds(at: clocks) > 0 }
  }

  /// Returns whether a token is from a refresh that began after the forced refresh was requested.
  private func satisfiesForcedRefresh(_ token: CredentialRecord) -> Bool {
    guard let forcedAt, let began = token.refreshBegan else { return false }
    return began.isAfter(forcedAt)
  }
}

/// The validity of a cached access token according to the clocks.
///
/// The age of a token received since the last boot does not depend on the wall clock. If the wall clock disagrees, it
/// was set, or the machine was suspended with all of its clocks. The token is then `doubtful`: it is returned only if
/// no new one can be acquired.
package struct TokenExpiry: Sendable, Hashable {
  /// The usability of a token.
  package enum Verdict: Sendable {
    case usable, doubtful, expired
  }

  package let verdict: Verdict
  /// Whether the server's recommended refresh time has passed.
  package let isDue: Bool
  /// The number of seconds for which the verdict holds; 0 for an expired token.
  package let secondsLeft: Int64

  /// Evaluates the age of a token.
  ///
  /// - Parameter marginSeconds: The time before the expiry at which a token is no longer returned. It is limited to
  ///   half of the lifetime, so that even a token with a lifetime of two minutes is usable.
  package init(_ token: CredentialRecord, at clocks: Clocks, marginSeconds: Int64) {
    guard let expiresAt = token.expiresAt else {
      (verdict, isDue, secondsLeft) = (.expired, false, 0)
      return
    }
    let wallClockAge = token.cachedAt.map { clocks.now.seconds(since: $0) }
    let bootTimeAge = token.receivedBootTime.flatMap { clocks.bootTime?.seconds(since: $0) }
    // Without a receipt time, the token counts as received now, so that only its expiry matters.
    let receivedAt = token.cachedAt ?? clocks.now
    let lifetime = max(expiresAt.seconds(since: receivedAt), 0)
    let margin = token.cachedAt == nil ? marginSeconds : min(marginSeconds, lifetime / 2)
    let usable = lifetime &- margin
    let age = bootTimeAge ?? wallClockAge ?? 0
    let refreshAge = token.refreshAt.map { max($0.seconds(since: receivedAt), 0) }
    isDue = refreshAge.map { $0 <= age } ?? false
    // A receipt time in the future means that the clock was set back. Clocks may differ by 60 seconds.
    guard age < usable, age >= -60 else {
      (verdict, secondsLeft) = (.expired, 0)
      return
    }
    let end = isDue ? usable : min(usable, refreshAge ?? usable)
    secondsLeft = Instant(secondsSince1970: end).seconds(since: Instant(secondsSince1970: age))
    let limit = Instant(secondsSince1970: usable).adding(seconds: TokenExpiry.tolerance)
    verdict = (wallClockAge ?? 0) < limit.secondsSince1970 ? .usable : .doubtful
  }

  /// The maximum difference of two clocks read one after the other in whole seconds, in seconds.
  private static let tolerance: Int64 = 5
}
