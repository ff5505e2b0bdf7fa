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
}

/// A cached token with the records that complete it.
package struct CachedToken: Sendable {
  package let accessToken: CredentialRecord
  package let idToken: CredentialRecord?
  /// Until when it may be handed out without another decision.
  package let usableUntil: Instant
}

/// What the decision depends on.
package struct SilentInputs: Sendable {
  package var homeAccountID: String
  package var scopes: Scopes
  package var clientID: String
  package var forcesRefresh = false
  /// When a forced refresh was asked for; nil where no moment of another process can be compared with it.
  package var forcedAt: MachineMoment?
  package var hasClaims = false
  /// The hosts of the account's cloud, or the issuer.
  package var environments: [String]
  /// Whether it is Entra: with families, and identifiers without case.
  ///
  /// Elsewhere `sub` and `iss` compare with theirs.
  package var isEntra: Bool
  /// The tenant; nil while nobody knows which one the authority leads to.
  package var realm: String?
  package var snapshot: CacheSnapshot
  package var now: Instant
  package var marginSeconds: Int64

  package init(
    homeAccountID: String, scopes: Scopes, clientID: String, environments: [String],
    isEntra: Bool, realm: String?, snapshot: CacheSnapshot, now: Instant,
    marginSeconds: Int64
  ) {
    self.homeAccountID = homeAccountID
    self.scopes = scopes
    self.clientID = clientID
    self.environments = environments
    self.isEntra = isEntra
    self.realm = realm
    self.snapshot = snapshot
    self.now = now
    self.marginSeconds = marginSeconds
  }
}

extension SilentPlan {
  /// Decides.
  package init(_ inputs: SilentInputs) {
    let metadata = inputs.snapshot.accountMetadata(of: inputs.clientID)
    if inputs.isEntra, metadata?.state(of: inputs.homeAccountID) == .signedOut {
      self = .signIn("The account has signed out of this application.")
      return
    }
    let token = inputs.accessToken.map { token in
      CachedToken(
        accessToken: token, idToken: inputs.idToken(beside: token),
        usableUntil: inputs.usableUntil(token))
    }
    let valid = token.flatMap { inputs.isValid($0.accessToken) ? $0 : nil }
    let reason = inputs.refreshReason(token?.accessToken)
    if let valid, reason == nil {
      self = .use(valid)
      return
    }
    let refreshTokens = inputs.refreshTokens
    if let valid, refreshTokens.isEmpty, reason == .due {
      self = .use(valid)
    } else if refreshTokens.isEmpty {
      self = .signIn("The cache holds neither a valid token nor a refresh token for this account.")
    } else {
      // A claims challenge says that the resource refuses the cached token: it is no fallback then.
      let fallback = inputs.hasClaims ? nil : valid
      self = .refresh(refreshTokens, fallback: fallback, reason ?? .missing)
    }
  }
}

extension SilentInputs {
  /// The access token that covers the scopes; the one that lasts longest if there are several.
  fileprivate var accessToken: CredentialRecord? {
    guard let realm else { return nil }
    var query = CredentialQuery(
      CredentialKeyParts(type: .accessToken), environmentAliases: environments, targetMatch: .subset
    )
    query.parts.clientID = clientID
    query.parts.realm = realm
    query.parts.target = scopes.text
    return snapshot.credentials.filter { query.matches($0) && belongs($0) }
      .max { ($0.expiresAt ?? .distantPast) < ($1.expiresAt ?? .distantPast) }
  }

  /// The application's own refresh token, then its family's.
  fileprivate var refreshTokens: [CredentialRecord] {
    let tokens = snapshot.credentials.filter { $0.type == .refreshToken && belongs($0) }
    let own = tokens.filter { $0.familyID == nil && $0.clientID.normalised == clientID.normalised }
    guard isEntra, let family = snapshot.familyID(of: clientID) else { return own }
    let shared = tokens.filter { $0.familyID?.normalised == family.normalised }
    return own + shared.filter { token in !own.contains { $0.secret == token.secret } }
  }

  fileprivate func idToken(beside token: CredentialRecord) -> CredentialRecord? {
    snapshot.credentials.first { record in
      record.type == .idToken && belongs(record)
        && record.clientID.normalised == clientID.normalised
        && (record.realm ?? "").normalised == (token.realm ?? "").normalised
    }
  }

  /// Whether a credential is this account's, at this authority: a refresh token goes to nobody else.
  private func belongs(_ record: CredentialRecord) -> Bool {
    if !isEntra {
      return record.homeAccountID == homeAccountID && environments.contains(record.environment)
    }
    return record.homeAccountID.normalised == homeAccountID.normalised
      && environments.contains(record.environment.normalised)
  }

  /// Before its margin, and not from the future: then the clock was set back, and the expiry means nothing.
  fileprivate func isValid(_ token: CredentialRecord) -> Bool {
    guard let cachedAt = token.cachedAt else { return now < usableUntil(token) }
    return now < usableUntil(token) && now.seconds(since: cachedAt) >= -60
  }

  /// The margin is at most half of the lifetime, so that tokens of two minutes are usable at all.
  private func expiryWithMargin(_ token: CredentialRecord) -> Instant {
    guard let expiresAt = token.expiresAt else { return .distantPast }
    let lifetime = token.cachedAt.map { max(expiresAt.seconds(since: $0), 0) } ?? .max
    return expiresAt.adding(seconds: -min(marginSeconds, lifetime / 2))
  }

  /// Until when a valid token can be handed out without deciding again.
  fileprivate func usableUntil(_ token: CredentialRecord) -> Instant {
    let expiry = expiryWithMargin(token)
    guard let refreshAt = token.refreshAt, now < refreshAt else { return expiry }
    return min(expiry, refreshAt)
  }

  fileprivate func refreshReason(_ token: CredentialRecord?) -> RefreshReason? {
    if hasClaims { return .claims }
    guard let token else { return forcesRefresh ? .forced : .missing }
    if forcesRefresh, !isAsGoodAsForced(token) { return .forced }
    guard isValid(token) else { return .expired }
    guard let refreshAt = token.refreshAt else { return nil }
    return refreshAt <= now ? .due : nil
  }

  /// Whether a token came from a refresh that began after this one was asked for.
  private func isAsGoodAsForced(_ token: CredentialRecord) -> Bool {
    guard let forcedAt, let began = token.refreshBegan else { return false }
    return began.isAfter(forcedAt)
  }
}
