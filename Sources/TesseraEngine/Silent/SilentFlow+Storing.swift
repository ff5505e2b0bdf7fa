// SPDX-License-Identifier: MIT
// Stores the result of a refresh before it is returned to the caller.

import TesseraCache
import TesseraWire

extension SilentFlow {
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
        document, application.expectation(of: resolved, scopes, homeAccountID: homeAccountID))
    } catch {
      recordReplacement(of: redeemed, by: document.json, before)
      throw error
    }
    tokenRecords.beganAt = beganAt
    var change = CacheChange([.renew(redeemed, stored(tokenRecords, from: resolved).steps)])
    if let step = throttleRemovalStep(before, redeemed.secret) { change.steps.append(step) }
    var result: TokenResult
    do throws(TesseraError) {
      result = try application.store(change, tokenRecords, from: resolved, scopes, before)
    } catch {
      recordDeclinedScopes(error, tokenRecords.response.refreshToken ?? redeemed.secret)
      throw error
    }
    if result.isPersisted, wasRemoved(redeemed) {
      result.isPersisted = false
      result.warnings.append(
        "The account signed out while its token was being refreshed: sign in again.")
    }
    return SilentResult(result: result, truth: nil)
  }

  func stored(_ tokenRecords: TokenResponseRecords, from resolved: ResolvedAuthority) -> CacheChange
  {
    application.configuration.withAppProtection(tokenRecords, from: authority).change(
      from: resolved,
      isInstanceAware: application.configuration.supportsMultipleClouds)
  }

  /// Throttles requests with declined scopes, because the server would decline them again (as in MSAL for Apple).
  func recordDeclinedScopes(_ error: TesseraError, _ token: Secret) {
    guard error.code == .serverDeclinedScopes else { return }
    recordThrottle(
      error, as: throttleKey.name(redeeming: token),
      forSeconds: ThrottleRule.rejectionSeconds(after: error))
  }

  /// Returns whether a credential was removed from the store, as by a sign-out of the account.
  private func wasRemoved(_ record: CredentialRecord) -> Bool {
    var selection = SnapshotSelection()
    selection.keys = [record.key]
    return (try? application.cache.snapshot(selection, within: removalCheckLimits))?.records.isEmpty
      == true
  }

  /// The limits for checking whether a token was removed meanwhile.
  ///
  /// Only a warning depends on the result.
  var removalCheckLimits: CallLimits {
    CallLimits(timeoutMilliseconds: 250, time: application.dependencies.time)
  }
}
