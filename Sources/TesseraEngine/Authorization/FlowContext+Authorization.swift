// SPDX-License-Identifier: MIT
// Storing the tokens of a successful sign-in.

package import TesseraCache
package import TesseraWire

/// The authority that was requested, and the one that issued the tokens.
///
/// They differ if the account is in a different cloud.
package typealias SignInAuthorities = (requested: Authority, resolved: ResolvedAuthority)

extension FlowContext {
  /// Stores the tokens of a sign-in.
  ///
  /// Removes the recorded failures of the account, and records the declined scopes, if any.
  ///
  /// - Parameters:
  ///   - claims: The claims of the request. After a claims challenge, the resource rejects all older tokens.
  ///   - requestsRefreshToken: Whether a refresh token was requested. A response without one then adds a warning.
  ///   - storesAccessToken: Whether the access token may be stored. It must not be stored on a shared device.
  package func storeSignIn(
    _ tokenRecords: TokenResponseRecords, at authorities: SignInAuthorities, _ scopes: Scopes,
    answering claims: String?, requestsRefreshToken: Bool = false, storesAccessToken: Bool = true
  ) throws(TesseraError) -> TokenResult {
    let authority = authorities.resolved
    let tokenRecords = tokenRecords.withAppProtection(of: configuration, from: authority.authority)
    let account = tokenRecords.identity.homeAccountID
    var change = tokenRecords.change(
      from: authority, requested: authorities.requested,
      isInstanceAware: configuration.supportsMultipleClouds)
    if !storesAccessToken { change.omitAccessTokens() }
    if ClaimsRequest.isRequest(claims) {
      change.steps.insert(
        .removeAccessTokens(
          homeAccountID: account, clientID: configuration.clientID,
          environment: authority.environment), at: 0)
    }
    // Requests that failed before the sign-in may succeed now.
    throttles.removeRecords(of: account)
    change.steps.append(
      .removeThrottles(homeAccountID: account, clientID: configuration.clientID, names: nil))
    let log = dependencies.log
    log.write(.information, "Signed in: \(log.text(ofUser: tokenRecords.account.username))")
    var result = try store(change, tokenRecords, from: authority, scopes, nil)
    if !storesAccessToken { result.isPersisted = false }
    if storesAccessToken, let token = tokenRecords.response.refreshToken {
      recordDeclinedScopes(of: result, at: authorities.requested, scopes, token)
    }
    if requestsRefreshToken, tokenRecords.response.refreshToken == nil {
      result.warnAboutMissingRefreshToken(authority.authority)
    }
    return result
  }

  /// Throttles silent requests for the scopes of a sign-in that the server declined.
  private func recordDeclinedScopes(
    of result: TokenResult, at authority: Authority, _ scopes: Scopes, _ token: Secret
  ) {
    let home = authority.normalised(result.account.homeAccountID)
    let limits = CallLimits(
      timeoutMilliseconds: CallLimits.commitMilliseconds, time: dependencies.time)
    // The tokens are stored. Without the record, the next silent call only sends an unnecessary request.
    guard !result.declinedScopes.isEmpty, !home.isEmpty,
      let scopes = try? RequestRules.scopes(
        scopes.list, of: configuration.clientID, at: authority)
    else { return }
    let key = ThrottleKey(
      environment: resolver.environments(of: authority, within: limits).first ?? "",
      tenant: authority.tenant, clientID: configuration.clientID, homeAccountID: home,
      scopes: scopes, claims: capabilityClaims)
    recordDeclinedScopes(of: result, as: (key.name(redeeming: token), home))
  }
}

extension CacheChange {
  /// Removes the steps that store an access token.
  package mutating func omitAccessTokens() {
    steps.removeAll { if case .replaceAccessToken = $0 { true } else { false } }
  }
}
