// SPDX-License-Identifier: MIT
// The effects of a rejected refresh token, or of a response that failed validation, on the store and on later requests.

import TesseraCache
import TesseraWire

/// The effects of a rejection on the store and on later requests.
struct RejectedRefreshToken {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Returns the error for a rejected refresh token, or throws it if another token would not help.
  func rejectionError(
    _ errorResponse: ServerError, _ token: CredentialRecord, _ resolved: ResolvedAuthority,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> TesseraError {
    let error = TesseraError(
      ofRefreshToken: errorResponse, correlationID: call.serverClient.correlationID
    )
    .withAppProtectionDetails(call.authority, call.homeAccountID)
    let seconds = ThrottleRule.rejectionSeconds(after: error)
    if seconds > 0, !removes(errorResponse), !isDeleted(errorResponse) {
      SilentThrottles(call).record(
        error, as: call.throttleKey.name(redeeming: token.secret), forSeconds: seconds)
    }
    guard error.remedy == .signIn else { throw error }
    var change = CacheChange()
    if removes(errorResponse) {
      let copies = snapshot.credentials.filter { $0.secret == token.secret }
      change.steps += copies.map(CacheChange.Step.removeIfUnchanged)
    }
    if errorResponse.suberror == "client_mismatch", token.familyID != nil {
      change.steps += familyRemovalSteps(snapshot, resolved)
    }
    if isDeleted(errorResponse) {
      change.steps = [
        .signOut(
          CacheChange.SignOut(
            homeAccountID: call.homeAccountID, clientID: call.context.configuration.clientID,
            environments: call.environments, isEntra: call.authority.isEntra))
      ]
    }
    if !change.steps.isEmpty {
      _ = call.context.cache.commit(change, within: call.serverClient.limits)
    }
    return error
  }

  /// Returns the changes that record that the application is not in a family, for each host of its cloud.
  func familyRemovalSteps(
    _ snapshot: CacheSnapshot, _ resolved: ResolvedAuthority
  ) -> [CacheChange.Step] {
    let clientID = call.context.configuration.clientID
    let known = snapshot.appMetadata.filter { $0.clientID.normalised == clientID.normalised }
    return Set(known.map(\.environment) + [resolved.environment]).sorted().map { environment in
      .put(
        .appMetadata(
          AppMetadataRecord(clientID: clientID, environment: environment, familyID: "")))
    }
  }

  /// Records that a response that failed validation replaced a refresh token, in every record that has the token.
  ///
  /// The new token is stored with the old one as unverified.
  ///
  /// From then on, no process sends either of them. The user must sign in again, which stores new tokens.
  func recordReplacement(
    of redeemed: CredentialRecord, by response: JSONObject, _ before: CacheSnapshot
  ) {
    guard
      case .replaced(let successor) = RefreshTokenDisposition(
        sent: redeemed.secret, response: response)
    else { return }
    let copies = before.credentials.filter {
      $0.type.isRefreshToken && $0.secret == redeemed.secret
    }
    call.context.commitWithOwnTimeout(
      CacheChange(
        copies.map { .renew($0, [.put(.credential($0.superseded(by: successor)))]) }))
  }

  /// Retires a token of an older library after its response failed validation, and prevents its repeated import.
  func recordReplacement(of token: Secret, by response: JSONObject, in item: LegacyItem) {
    guard case .replaced(let successor) = RefreshTokenDisposition(sent: token, response: response)
    else {
      return
    }
    call.context.commitWithOwnTimeout(
      CacheChange([.legacy(name: item.userID, .supersede(token, by: successor))]))
  }

  /// Returns whether the account was deleted, so that all its stored records are useless to the application.
  private func isDeleted(_ errorResponse: ServerError) -> Bool {
    call.authority.isEntra && errorResponse.error == "invalid_grant"
      && errorResponse.suberror == "user_account_deleted"
  }

  /// Returns whether a refresh token is invalid: `bad_token` from Entra, or `invalid_grant` from others.
  private func removes(_ errorResponse: ServerError) -> Bool {
    errorResponse.suberror == "bad_token"
      || !call.authority.isEntra && errorResponse.error == "invalid_grant"
  }
}
