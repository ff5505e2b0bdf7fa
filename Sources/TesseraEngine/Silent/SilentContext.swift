// SPDX-License-Identifier: MIT
// The context of a silent call.

package import TesseraCache
package import TesseraWire

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
  var legacySearch: LegacyNameSearch?
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
    selection.keys += legacySearch?.names.texts.map(LegacyAccountRecord.key) ?? []
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
  func account(_ homeAccountID: String, in snapshot: CacheSnapshot) -> Account? {
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
    context.configuration.withAppProtection(tokenRecords, from: authority).change(
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
  var outageToken: CachedToken? {
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
