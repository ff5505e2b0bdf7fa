// SPDX-License-Identifier: MIT
// Stores the result of a refresh before it is returned to the caller.

import TesseraCache
import TesseraWire

/// The tokens of a refresh.
struct RefreshedTokens {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Stores a token response.
  ///
  /// The new refresh token is durable before the access token is returned.
  func store(
    _ document: ReceivedDocument, _ resolved: ResolvedAuthority, redeemed: CredentialRecord,
    before: CacheSnapshot, beganAt: BootTime?
  ) throws(TesseraError) -> SilentResult {
    let item = call.inputs(before).legacyItem(with: redeemed.secret)
    var tokenRecords: TokenResponseRecords
    do throws(TesseraError) {
      tokenRecords = try TokenResponseRecords(
        document,
        call.context.expectation(
          of: resolved, call.scopes, homeAccountID: item == nil ? call.homeAccountID : nil))
    } catch {
      RejectedRefreshToken(call).recordReplacement(of: redeemed, by: document.json, before)
      throw error
    }
    if let item {
      try LegacyTokenOwner(call).check(tokenRecords, item, redeemed.secret, document.json)
    }
    tokenRecords.beganAt = beganAt
    let steps = call.stored(tokenRecords, from: resolved).steps
    var change = CacheChange([.renew(redeemed, steps)])
    if let item {
      let replaced = before.credentials.filter(\.type.isRefreshToken).map(\.secret)
      change.steps = [
        .upgrade(
          name: item.userID, redeemed.secret,
          homeAccountID: tokenRecords.identity.homeAccountID, steps, replacing: Set(replaced))
      ]
    }
    let throttles = SilentThrottles(call)
    if let step = throttles.removalStep(before, redeemed.secret) { change.steps.append(step) }
    let result = try call.context.store(change, tokenRecords, from: resolved, call.scopes, before)
    throttles.recordDeclinedScopes(
      of: result, tokenRecords.response.refreshToken ?? redeemed.secret)
    return SilentResult(result: result, validity: nil)
  }
}
