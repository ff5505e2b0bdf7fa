// SPDX-License-Identifier: MIT
// The decision of the silent flow: values in, value out, no clock, no cache, no network.

package import TesseraCache
package import TesseraWire

/// What the silent flow does next.
package enum SilentPlan: Sendable {
  /// Hand out a cached token.
  case use(CachedToken)
  /// Exchange one of these refresh tokens, best first; if the server is in trouble, fall back.
  case refresh([CredentialRecord], fallback: CachedToken?, RefreshReason)
  /// Do not ask anybody now, because the same request failed a moment ago; fall back, or fail like then.
  case pause(ThrottleRecord, fallback: CachedToken?)
  /// Only the user can continue.
  case signIn(String)
}

/// Why a token is refreshed.
package enum RefreshReason: String, Sendable {
  case forced
  case claims
  case missing
  case expired
  case due
  case doubtful

  /// Whether there is a token that serves as well, so that nobody has to wait for a new one.
  package var isOptional: Bool { self == .due || self == .doubtful }
}

/// A cached token with the records that complete it.
package struct CachedToken: Sendable {
  package let accessToken: CredentialRecord
  package let idToken: CredentialRecord?
  /// For how many seconds it may be handed out without another decision.
  package let secondsLeft: Int64
}

/// What the decision depends on.
package struct SilentInputs: Sendable {
  package var homeAccountID: String
  package var scopes: Scopes
  package var clientID: String
  package var forcesRefresh = false
  /// When a forced refresh was asked for; nil where no moment of another process can be compared with it.
  package var forcedAt: BootTime?
  package var hasClaims = false
  /// The capabilities of the application, as its tokens carry them.
  package var requestedClaims: String?
  /// The part of the cache in which a protected program's access tokens lie; nil for the one of all others.
  package var partition: String?
  /// The person's enrolment in Intune's app protection; nil for none.
  package var enrollmentID: String?
  /// Whether the account is of another provider, or another policy, than the authority.
  package var isElsewhere = false
  /// Whether an expired token serves while the server is down.
  package var usesExtendedLifetime = false
  /// The hosts of the account's cloud, or the issuer.
  package var environments: [String]
  /// Whether it is Entra: with families, and identifiers without case.
  ///
  /// Elsewhere `sub` and `iss` compare with theirs.
  package var isEntra: Bool
  /// The tenant; nil while nobody knows which one the authority leads to.
  package var realm: String?
  package var snapshot: CacheSnapshot
  package var clocks: Clocks
  package var marginSeconds: Int64
  /// The request, as far as its failures are remembered.
  package var subject: ThrottleSubject
  /// The failures that are remembered.
  package var throttles: [ThrottleRecord] = []

  package init(
    homeAccountID: String, scopes: Scopes, clientID: String, environments: [String],
    isEntra: Bool, realm: String?, snapshot: CacheSnapshot, clocks: Clocks,
    marginSeconds: Int64, subject: ThrottleSubject
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
    self.subject = subject
  }
}

extension SilentPlan {
  /// Decides.
  package init(_ inputs: SilentInputs) {
    if inputs.isSignedOut {
      self = .signIn("The account has signed out of this application: sign in again.")
      return
    }
    let token = inputs.accessToken
    let times = token.map {
      TokenExpiry($0, at: inputs.clocks, marginSeconds: inputs.marginSeconds)
    }
    var valid: CachedToken?
    if let token, let times, times.verdict != .over {
      valid = CachedToken(
        accessToken: token, idToken: inputs.idToken(beside: token), secondsLeft: times.secondsLeft)
    }
    guard let reason = inputs.refreshReason(token, times) else {
      self = valid.map(SilentPlan.use) ?? .signIn("The cache holds no token.")
      return
    }
    // A claims challenge says that the resource refuses the cached token: it is no fallback then.
    let fallback = inputs.hasClaims ? nil : valid
    let refreshTokens = inputs.refreshTokens
    if !refreshTokens.isEmpty || reason.isOptional, let record = inputs.pause(reason) {
      self = .pause(record, fallback: fallback)
      return
    }
    guard !refreshTokens.isEmpty else {
      let problem = inputs.absentTokenMessage
      self = reason.isOptional ? valid.map(SilentPlan.use) ?? .signIn(problem) : .signIn(problem)
      return
    }
    let untried = refreshTokens.filter { inputs.refusal(of: $0.secret) == nil }
    if untried.isEmpty, let record = refreshTokens.first.flatMap({ inputs.refusal(of: $0.secret) })
    {
      self = .pause(record, fallback: fallback)
    } else {
      self = .refresh(untried, fallback: fallback, reason)
    }
  }
}

extension SilentInputs {
  /// Whether the account has signed out of the application; elsewhere than at Entra its tokens are gone then.
  var isSignedOut: Bool {
    isEntra && snapshot.accountMetadata(of: clientID)?.state(of: homeAccountID) == .signedOut
  }

  /// The access token that covers the scopes; the one that lasts longest if there are several.
  var accessToken: CredentialRecord? {
    accessTokens.max { ($0.expiresAt ?? .distantPast) < ($1.expiresAt ?? .distantPast) }
  }

  /// The access tokens that cover the scopes.
  var accessTokens: [CredentialRecord] {
    guard let realm else { return [] }
    var query = CredentialQuery(
      CredentialKeyParts(type: .accessToken), environmentAliases: environments, targetMatch: .subset
    )
    query.parts.clientID = clientID
    query.parts.realm = realm
    query.parts.target = scopes.text
    query.parts.requestedClaims = requestedClaims
    query.parts.applicationIdentifier = partition
    return snapshot.credentials.filter {
      query.matches($0) && belongs($0) && isOfEnrollment($0)
    }
  }

  /// Whether an access token was given for the person's enrolment, where that matters (MSAL for Apple).
  func isOfEnrollment(_ token: CredentialRecord) -> Bool {
    guard partition != nil, let enrollment = token.enrollmentID else { return true }
    return enrollment == enrollmentID
  }

  /// The refresh tokens that may be sent: the application's own, then its family's.
  var refreshTokens: [CredentialRecord] { ownRefreshTokens.filter { !$0.isSuperseded } }

  /// The reason to sign in if no refresh token may be sent.
  fileprivate var absentTokenMessage: String {
    ownRefreshTokens.isEmpty
      ? "The cache holds neither a valid token nor a refresh token for this account: sign in."
      : "The server replaced the refresh token of this account in a response that was refused: sign in."
  }

  /// The application's own refresh token, then its family's.
  private var ownRefreshTokens: [CredentialRecord] {
    // What belongs to nobody is nobody's to redeem.
    guard !homeAccountID.isEmpty else { return [] }
    let tokens = snapshot.credentials.filter { $0.type == .refreshToken && belongs($0) }
    let own = tokens.filter { $0.familyID == nil && $0.clientID.normalised == clientID.normalised }
    guard isEntra, let family = snapshot.familyID(of: clientID) else { return own }
    let shared = tokens.filter { $0.familyID?.normalised == family.normalised }
    return own + shared.filter { token in !own.contains { $0.secret == token.secret } }
  }

  func idToken(beside token: CredentialRecord) -> CredentialRecord? {
    snapshot.credentials.first { record in
      record.type == .idToken && belongs(record)
        && record.clientID.normalised == clientID.normalised
        && (record.realm ?? "").normalised == (token.realm ?? "").normalised
    }
  }

  /// Whether a credential is this account's, at this authority: a refresh token goes to nobody else.
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
    if forcesRefresh, !isAsGoodAsForced(token) { return .forced }
    return switch times.verdict {
    case .over: .expired
    case .doubtful: .doubtful
    case .usable: times.isDue ? .due : nil
    }
  }

  /// The failure of such a request that is too recent for another one.
  func pause(_ reason: RefreshReason) -> ThrottleRecord? {
    guard !throttles.isEmpty else { return nil }
    let name = subject.name
    return throttles.first { record in
      guard record.name == name else { return false }
      return reason.isOptional
        ? record.restingSeconds(at: clocks) > 0 : record.blockedSeconds(at: clocks) > 0
    }
  }

  /// The server's refusal of a refresh token that is too recent to ask again.
  func refusal(of token: Secret) -> ThrottleRecord? {
    guard !throttles.isEmpty else { return nil }
    let name = subject.name(redeeming: token)
    return throttles.first { $0.name == name && $0.blockedSeconds(at: clocks) > 0 }
  }

  /// Whether a token came from a refresh that began after this one was asked for.
  private func isAsGoodAsForced(_ token: CredentialRecord) -> Bool {
    guard let forcedAt, let began = token.refreshBegan else { return false }
    return began.isAfter(forcedAt)
  }
}
