// SPDX-License-Identifier: MIT
// The exchange of a refresh token that an older library left, and what its answer does to the store.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// What came of one token.
  enum LegacyRedemption {
    case answer(SilentResult)
    case refused(TesseraError)
  }

  /// Redeems a token that an older library left.
  func redeem(
    _ item: LegacyItem, _ token: Secret, _ resolved: ResolvedAuthority, _ inputs: SilentInputs
  ) throws(TesseraError) -> LegacyRedemption {
    var request = TokenRequest(
      grant: .refreshToken(token), clientID: application.configuration.clientID,
      scopes: scopes.union(application.configuration.refreshScopes), claims: claims,
      asksForClientInfo: true)
    request.enrollmentID = enrollmentID(in: inputs.snapshot)
    application.surroundings.log.write(.information, "Redeeming what an older library left")
    var exchange = exchange
    exchange.homeAccountID = homeAccountID.nonBlank
    let answer = try exchange.redeem(
      request.adding(extras), at: resolved.tokenEndpoint(in: inputs.realm), of: authority)
    switch answer {
    case .success(let document):
      return try keep(document, item, token, resolved, inputs.snapshot)
    case .refusal(let refusal):
      let error = TesseraError(ofRefreshToken: refusal, correlationID: exchange.correlationID)
        .naming(authority, homeAccountID)
      if refusal.isFinal {
        application.keep(CacheChange([.legacy(name: item.userID, .retire(token))]))
      } else {
        remember(
          error, as: subject.name(redeeming: token),
          forSeconds: ThrottleRule.refusedSeconds(after: error))
      }
      if refusal.suberror == "client_mismatch", isOfFamily(item) {
        application.keep(CacheChange(leavingFamily(inputs.snapshot, resolved)))
      }
      guard error.remedy == .signIn else { throw error }
      return .refused(error)
    }
  }

  /// Whether it is not the application's own, but one of a family in which the server may not see it.
  private func isOfFamily(_ item: LegacyItem) -> Bool {
    item.clientID.normalised != application.configuration.clientID.normalised
  }

  /// Stores what came back, if it is the person's whom the older library knew (MSAL for Apple does not look).
  private func keep(
    _ document: ReceivedDocument, _ item: LegacyItem, _ token: Secret,
    _ resolved: ResolvedAuthority, _ before: CacheSnapshot
  ) throws(TesseraError) -> LegacyRedemption {
    let receipt: TokenReceipt
    do throws(TesseraError) {
      receipt = try TokenReceipt(document, application.expectation(of: resolved, scopes))
    } catch {
      recordReplacement(of: token, by: document.json, in: item)
      throw error
    }
    if let mismatch = mismatch(receipt, item, token) { return .refused(mismatch) }
    let replaced = before.credentials.filter(\.type.isRefreshToken).map(\.secret)
    var change = CacheChange([
      .upgrade(
        name: item.userID, token, homeAccountID: receipt.identity.homeAccountID,
        stored(receipt, from: resolved).steps, replacing: Set(replaced))
    ])
    if let step = forgettingThrottles(before, token) { change.steps.append(step) }
    var result: TokenResult
    do throws(TesseraError) {
      result = try application.store(change, receipt, from: resolved, scopes, nil)
    } catch {
      rememberDeclined(error, receipt.response.refreshToken ?? token)
      throw error
    }
    if result.isPersisted, isGone(item, token) {
      result.isPersisted = false
      result.warnings.append(
        "What an older library left was removed while it was redeemed, as by a sign-out.")
    }
    return .answer(SilentResult(result: result, truth: nil))
  }

  /// Why tokens are not those that were asked for; what is done about the one that brought them depends on whose it is.
  ///
  /// Who was asked for by identifier is who the server says it is. Without one the older library's word counts: the token
  /// of a person whom it took for somebody else is of no use. That of another person with the same name is good: it is kept
  /// for them, with what the server gave for it.
  private func mismatch(
    _ receipt: TokenReceipt, _ item: LegacyItem, _ token: Secret
  ) -> TesseraError? {
    let found = receipt.identity.homeAccountID
    let isOfItem = item.isOf(receipt.identity, receipt.claims)
    let isAsked =
      homeAccountID.isEmpty ? isOfItem : homeAccountID.normalised == found.normalised
    guard !isAsked else { return nil }
    let change = LegacyAccountRecord.Change.renew(
      token, with: receipt.response.refreshToken, homeAccountID: found.normalised)
    application.keep(
      CacheChange([.legacy(name: item.userID, isOfItem ? change : .retire(token))]))
    return TesseraError(
      .signIn, .accountMismatch,
      """
      What an older library left as \(MaskedName(item.userID)) are the tokens of somebody else; they were not stored, \
      and are not tried again for this account: sign in.
      """)
  }

  /// Whether a token is not in the store any more: somebody signed the account out.
  private func isGone(_ item: LegacyItem, _ token: Secret) -> Bool {
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: item.userID)]
    guard let snapshot = try? application.cache.snapshot(selection, within: afterwards) else {
      return false
    }
    return !snapshot.legacyAccounts.contains { record in
      record.items.contains { $0.refreshToken == token }
    }
  }
}

extension ServerError {
  /// Whether a refresh token of an older library will never be good again.
  ///
  /// Entra says `bad_token`, or by a number that the token is over or revoked: 70008 and 700082 (not used for too long),
  /// 700081 and 700084 (too old), 50173 (revoked, as by a new password). 70043 does not count: how often a person has to
  /// sign in is said for each resource. What else is refused may be granted for another scope, or later.
  fileprivate var isFinal: Bool {
    let final: Set<Int64> = [50_173, 70_008, 700_081, 700_082, 700_084]
    return error == "invalid_grant"
      && (suberror == "bad_token" || !final.isDisjoint(with: serverCodes))
  }
}
