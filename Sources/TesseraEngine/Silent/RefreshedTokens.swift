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
    var tokenRecords: TokenResponseRecords
    do throws(TesseraError) {
      tokenRecords = try TokenResponseRecords(
        document,
        call.context.expectation(of: resolved, call.scopes, homeAccountID: call.homeAccountID))
    } catch {
      RejectedRefreshToken(call).recordReplacement(of: redeemed, by: document.json, before)
      throw error
    }
    tokenRecords.beganAt = beganAt
    var change = CacheChange([.renew(redeemed, call.stored(tokenRecords, from: resolved).steps)])
    let throttles = SilentThrottles(call)
    if let step = throttles.removalStep(before, redeemed.secret) { change.steps.append(step) }
    var result = try call.context.store(change, tokenRecords, from: resolved, call.scopes, before)
    throttles.recordDeclinedScopes(
      of: result, tokenRecords.response.refreshToken ?? redeemed.secret)
    if result.isPersisted, let reason = removalReason(of: redeemed, tokenRecords) {
      result.isPersisted = false
      result.warnings.append(reason)
    }
    return SilentResult(result: result, validity: nil)
  }

  /// Returns the reason why a response was not stored; `nil` if its refresh token or a newer one is in the store.
  private func removalReason(
    of redeemed: CredentialRecord, _ tokenRecords: TokenResponseRecords
  ) -> String? {
    let clientID = call.context.configuration.clientID
    let own = tokenRecords.refreshTokens.filter { $0.familyID == nil }
    let metadata = AccountMetadataRecord(
      clientID: clientID, homeAccountID: redeemed.homeAccountID)
    var selection = SnapshotSelection()
    selection.keys =
      [redeemed.key, tokenRecords.account.key, metadata.key] + own.map(\.key)
    guard
      let snapshot = try? call.context.cache.snapshot(selection, within: call.removalCheckLimits),
      snapshot.credentials.isEmpty
    else { return nil }
    let state = snapshot.accountMetadata(of: clientID)?.state(of: redeemed.homeAccountID)
    return snapshot.accounts.isEmpty || state == .signedOut
      ? "The account signed out while its token was being refreshed: sign in again."
      : "Another process removed the refresh token while it was being redeemed: sign in again."
  }
}
