// SPDX-License-Identifier: MIT
// The decision of a silent call.

package import TesseraCache
package import TesseraWire

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
  var supersededTokens: Set<Secret> {
    Set(snapshot.credentials.filter(\.isSuperseded).map(\.secret))
  }

  /// The error message if no refresh token may be sent.
  fileprivate var missingTokenMessage: String {
    knownRefreshTokens.isEmpty
      ? "The cache contains neither a valid token nor a refresh token for this account: sign in."
      : "The server rotated the refresh token of this account in a token response that failed validation: sign in."
  }

  /// The refresh tokens, also those that may not be sent: the application's own, then those of its family.
  var knownRefreshTokens: [CredentialRecord] {
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
  func activeThrottle(redeeming token: Secret) -> ThrottleRecord? {
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
