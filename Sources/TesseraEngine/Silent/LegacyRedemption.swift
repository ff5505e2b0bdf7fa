// SPDX-License-Identifier: MIT
// The redemption of a refresh token of an older library, with the resulting changes of the store.

import TesseraCache
import TesseraWire

/// The redemption of a refresh token of an older library.
struct LegacyRedemption {
  /// The result of redeeming one token.
  enum Outcome {
    case result(SilentResult)
    case rejected(TesseraError)
  }

  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Redeems a refresh token of an older library.
  func redeem(
    _ item: LegacyItem, _ token: Secret, _ resolved: ResolvedAuthority, _ inputs: SilentInputs
  ) throws(TesseraError) -> Outcome {
    var request = TokenRequest(
      grant: .refreshToken(token), clientID: call.context.configuration.clientID,
      scopes: call.scopes.union(call.context.configuration.refreshScopes), claims: call.claims,
      requestsClientInfo: true)
    request.enrollmentID = call.enrollmentID(in: inputs.snapshot)
    try call.serverClient.limits.check(call.time)
    call.context.dependencies.log.write(
      .information, "Redeeming a refresh token of an older library")
    var serverClient = call.serverClient
    serverClient.homeAccountID = call.homeAccountID.nonBlank
    let outcome = try serverClient.redeem(
      request.adding(call.extras), at: resolved.tokenEndpoint(in: inputs.realm), of: call.authority)
    switch outcome {
    case .success(let document):
      return try storeIfMatching(document, item, token, resolved, inputs.snapshot)
    case .errorResponse(let errorResponse):
      let error = TesseraError(
        ofRefreshToken: errorResponse, correlationID: serverClient.correlationID
      )
      .withAppProtectionDetails(call.authority, call.homeAccountID)
      if errorResponse.isFinal {
        call.context.commitWithOwnTimeout(CacheChange([.legacy(name: item.userID, .retire(token))]))
      } else {
        SilentThrottles(call).record(
          error, as: call.throttleKey.name(redeeming: token),
          forSeconds: ThrottleRule.rejectionSeconds(after: error))
      }
      if errorResponse.suberror == "client_mismatch", isOfFamily(item) {
        call.context.commitWithOwnTimeout(
          CacheChange(RejectedRefreshToken(call).familyRemovalSteps(inputs.snapshot, resolved)))
      }
      guard error.remedy == .signIn else { throw error }
      return .rejected(error)
    }
  }

  /// Returns whether the token belongs to a token family, which may not include this application.
  private func isOfFamily(_ item: LegacyItem) -> Bool {
    item.clientID.normalised != call.context.configuration.clientID.normalised
  }

  /// Stores the token response if it belongs to the user known to the older library.
  ///
  /// MSAL for Apple does not check this.
  private func storeIfMatching(
    _ document: ReceivedDocument, _ item: LegacyItem, _ token: Secret,
    _ resolved: ResolvedAuthority, _ before: CacheSnapshot
  ) throws(TesseraError) -> Outcome {
    let tokenRecords: TokenResponseRecords
    do throws(TesseraError) {
      tokenRecords = try TokenResponseRecords(
        document, call.context.expectation(of: resolved, call.scopes))
    } catch {
      RejectedRefreshToken(call).recordReplacement(of: token, by: document.json, in: item)
      throw error
    }
    if let mismatch = mismatch(tokenRecords, item) {
      recordOwner(of: token, document.json, tokenRecords, in: item)
      return .rejected(mismatch)
    }
    let replaced = before.credentials.filter(\.type.isRefreshToken).map(\.secret)
    var change = CacheChange([
      .upgrade(
        name: item.userID, token, homeAccountID: tokenRecords.identity.homeAccountID,
        call.stored(tokenRecords, from: resolved).steps, replacing: Set(replaced))
    ])
    let throttles = SilentThrottles(call)
    if let step = throttles.removalStep(before, token) { change.steps.append(step) }
    let result = try call.context.store(change, tokenRecords, from: resolved, call.scopes, nil)
    throttles.recordDeclinedScopes(of: result, tokenRecords.response.refreshToken ?? token)
    return .result(SilentResult(result: result, validity: nil))
  }

  /// Returns an error if the tokens belong to a different account.
  ///
  /// A requested home account ID must equal the one in the response. Without one, the older library's record must match.
  private func mismatch(_ tokenRecords: TokenResponseRecords, _ item: LegacyItem) -> TesseraError? {
    let found = tokenRecords.identity.homeAccountID
    let isOfItem = item.belongsTo(tokenRecords.identity, tokenRecords.claims)
    let isRequestedAccount =
      call.homeAccountID.isEmpty ? isOfItem : call.homeAccountID.normalised == found.normalised
    guard !isRequestedAccount else { return nil }
    return TesseraError(
      .signIn, .accountMismatch,
      """
      The migrated refresh token of \(MaskedName(item.userID)) belongs to a different account. Its tokens were not stored, \
      and it is not redeemed again for this account: sign in.
      """)
  }

  /// Records the account of a redeemed token, and the effect of the rejected response on the token.
  ///
  /// A token that the server kept remains for the other account with the same name. It is retired if the older library
  /// recorded a different account.
  private func recordOwner(
    of token: Secret, _ response: JSONObject, _ tokenRecords: TokenResponseRecords,
    in item: LegacyItem
  ) {
    let isOfItem = item.belongsTo(tokenRecords.identity, tokenRecords.claims)
    var changes: [LegacyAccountRecord.Change] = []
    if isOfItem {
      let home = tokenRecords.identity.homeAccountID.normalised
      changes.append(.identify(token, homeAccountID: home, nil))
    }
    switch RefreshTokenDisposition(sent: token, response: response) {
    case .replaced(let successor): changes.append(.supersede(token, by: successor))
    case .kept where !isOfItem: changes.append(.retire(token))
    case .kept: break
    }
    call.context.commitWithOwnTimeout(CacheChange(changes.map { .legacy(name: item.userID, $0) }))
  }
}

extension ServerError {
  /// Whether the server will never accept this refresh token of an older library again.
  ///
  /// Entra returns the suberror `bad_token` or an AADSTS code: 70008 and 700082 (inactive), 700081 and 700084 (too
  /// old), or 50173 (revoked, for example by a password change). 70043 is not final, because sign-in frequency is set
  /// per resource.
  ///
  /// After any other error, the token may still be accepted for another scope or later.
  fileprivate var isFinal: Bool {
    let final: Set<Int64> = [50_173, 70_008, 700_081, 700_082, 700_084]
    return error == "invalid_grant"
      && (suberror == "bad_token" || !final.isDisjoint(with: serverCodes))
  }
}
