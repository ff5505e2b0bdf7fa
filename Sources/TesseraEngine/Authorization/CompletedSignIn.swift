// SPDX-License-Identifier: MIT
// The result of a successful sign-in, before its tokens are stored.

import TesseraCache
import TesseraWire

/// The token response of a sign-in with its request parameters.
struct CompletedSignIn {
  let tokenRecords: TokenResponseRecords
  /// The authority that issued the tokens.
  let authority: ResolvedAuthority
  /// The requested authority, which differs from `authority` if the account is in a different cloud; `nil` for the same one.
  var requested: Authority?
  let scopes: Scopes
  /// Whether the request answered a claims challenge.
  ///
  /// The resource then rejects all older tokens.
  let hasClaimsChallenge: Bool
  /// Whether a refresh token was requested.
  ///
  /// A response without one then adds a warning.
  var requestsRefreshToken = false
  /// Whether the access token may be stored.
  ///
  /// It must not be stored on a shared device.
  var storesAccessToken = true
}

extension FlowContext {
  /// Stores the tokens of a sign-in.
  ///
  /// Removes the recorded failures of the account, and records the declined scopes, if any.
  func store(_ signIn: CompletedSignIn) throws(TesseraError) -> TokenResult {
    let authority = signIn.authority
    let tokenRecords = configuration.withAppProtection(
      signIn.tokenRecords, from: authority.authority)
    let account = tokenRecords.identity.homeAccountID
    var change = tokenRecords.change(
      from: authority, requested: signIn.requested,
      isInstanceAware: configuration.supportsMultipleClouds)
    if !signIn.storesAccessToken { change.omitAccessTokens() }
    if signIn.hasClaimsChallenge {
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
    var result = try store(change, tokenRecords, from: authority, signIn.scopes, nil)
    if !signIn.storesAccessToken { result.isPersisted = false }
    if signIn.storesAccessToken, let token = tokenRecords.response.refreshToken {
      recordDeclinedScopes(of: result, signIn, token)
    }
    if signIn.requestsRefreshToken, tokenRecords.response.refreshToken == nil {
      result.warnAboutMissingRefreshToken(authority.authority)
    }
    return result
  }

  /// Throttles silent requests for the scopes of a sign-in that the server declined.
  private func recordDeclinedScopes(
    of result: TokenResult, _ signIn: CompletedSignIn, _ token: Secret
  ) {
    let authority = signIn.requested ?? signIn.authority.authority
    let home = authority.normalised(result.account.homeAccountID)
    let limits = CallLimits(
      timeoutMilliseconds: CallLimits.commitMilliseconds, time: dependencies.time)
    // The tokens are stored. Without the record, the next silent call only sends an unnecessary request.
    guard !result.declinedScopes.isEmpty, !home.isEmpty,
      let scopes = try? RequestRules.scopes(
        signIn.scopes.list, of: configuration.clientID, at: authority)
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
  mutating func omitAccessTokens() {
    steps.removeAll { if case .replaceAccessToken = $0 { true } else { false } }
  }
}
