// SPDX-License-Identifier: MIT
// The candidate tokens of a silent decision, with the reasons for their rejection.

import TesseraCache
import TesseraWire

extension SilentInputs {
  /// Returns the candidate tokens of the account for a plan, in order of preference.
  package func candidates(of plan: SilentPlan) -> [TokenCandidate] {
    let all = snapshot.credentials.compactMap { record -> TokenCandidate? in
      guard record.type.isAccessToken || record.type.isRefreshToken else { return nil }
      let (role, obstacles) =
        record.type.isAccessToken
        ? roleAndReasons(ofAccessToken: record, plan) : roleAndReasons(ofRefreshToken: record, plan)
      let missing = record.type.isAccessToken ? scopes.lacking(in: record.scopes) : Scopes([])
      return TokenCandidate(record, missing: missing, role: role, obstacles: obstacles)
    }
    let order: [TokenCandidate.Role] = [.used, .fallback, .notUsed]
    return order.flatMap { role in
      all.filter { $0.role == role && $0.tenantID != nil }
        + all.filter { $0.role == role && $0.tenantID == nil }
    }
  }

  private func roleAndReasons(
    ofAccessToken token: CredentialRecord, _ plan: SilentPlan
  ) -> (TokenCandidate.Role, [RejectionReason]) {
    var obstacles = ownershipReasons(of: token) + mismatchReasons(of: token)
    let chosen: CachedToken? =
      switch plan {
      case .useCached(let token): token
      case .refresh(_, let fallback, _), .backOff(_, let fallback): fallback
      case .requireSignIn: nil
      }
    let isChosen = (chosen ?? outageToken)?.accessToken.key == token.key
    if isChosen, case .useCached = plan { return (.used, []) }
    obstacles += lifetimeReasons(of: token)
    if hasClaims { obstacles.append(.claimsChallenge) }
    if forcesRefresh { obstacles.append(.refreshForced) }
    if !isChosen, obstacles.isEmpty { obstacles.append(.anotherFirst) }
    // If a refresh is forced, the old token is not a fallback.
    return (isChosen && !forcesRefresh ? .fallback : .notUsed, obstacles)
  }

  private func roleAndReasons(
    ofRefreshToken token: CredentialRecord, _ plan: SilentPlan
  ) -> (TokenCandidate.Role, [RejectionReason]) {
    var obstacles = ownershipReasons(of: token)
    guard token.type == .refreshToken else { return (.notUsed, obstacles + [.otherScheme]) }
    guard obstacles.isEmpty else { return (.notUsed, obstacles) }
    if supersededTokens.contains(token.secret) {
      obstacles.append(.superseded)
    } else if !refreshTokens.contains(where: { $0.key == token.key }) {
      obstacles.append(.sameToken)
    }
    if activeThrottle(redeeming: token.secret) != nil { obstacles.append(.refusedRecently) }
    switch plan {
    case .refresh(let tokens, _, _):
      guard let index = tokens.firstIndex(where: { $0.key == token.key }) else { break }
      return index == 0 ? (.used, []) : (.fallback, [.anotherFirst])
    case .useCached: obstacles.append(.notNeeded)
    case .backOff: if obstacles.isEmpty { obstacles.append(.failedRecently) }
    case .requireSignIn: break
    }
    return (.notUsed, obstacles)
  }

  /// Returns the reasons because of which a token belongs to another account, application or provider.
  private func ownershipReasons(of token: CredentialRecord) -> [RejectionReason] {
    var obstacles: [RejectionReason] = isSignedOut ? [.signedOut] : []
    if !belongsToAccount(token) { obstacles.append(.otherAccount) }
    if isForeignAccount || !belongsToEnvironment(token) { obstacles.append(.otherEnvironment) }
    guard let family = token.familyID, token.type.isRefreshToken, isEntra else {
      let isOtherPartition =
        token.type.isAccessToken
        && token.applicationIdentifier?.nonBlank?.normalised != partition?.normalised
      let isOwn = token.clientID.normalised == clientID.normalised && token.familyID == nil
      return obstacles + (isOwn && !isOtherPartition ? [] : [.otherApplication])
    }
    let isMember = snapshot.familyID(of: clientID)?.normalised == family.normalised
    return obstacles + (isMember ? [] : [.otherFamily])
  }

  /// Returns the requirements that a token does not meet.
  private func mismatchReasons(of token: CredentialRecord) -> [RejectionReason] {
    var obstacles: [RejectionReason] = []
    if let realm {
      if realm.normalised != (token.realm ?? "").normalised { obstacles.append(.otherTenant) }
    } else {
      obstacles.append(.tenantUnknown)
    }
    if token.type != .accessToken { obstacles.append(.otherScheme) }
    if token.requestedClaims?.nonBlank != requestedClaims { obstacles.append(.otherClaims) }
    if !matchesEnrollment(token) { obstacles.append(.otherEnrollment) }
    if !token.scopes.satisfy(scopes) { obstacles.append(.scopesMissing) }
    return obstacles
  }

  /// Returns the rejection reasons that result from the age of a token.
  private func lifetimeReasons(of token: CredentialRecord) -> [RejectionReason] {
    let times = TokenExpiry(token, at: clocks, marginSeconds: marginSeconds)
    switch times.verdict {
    case .expired:
      let age = token.cachedAt.map { clocks.now.seconds(since: $0) } ?? 0
      return [age < -60 ? .fromTheFuture : .expired]
    case .doubtful: return [.doubtful]
    case .usable: return times.isDue ? [.refreshDue] : []
    }
  }
}
