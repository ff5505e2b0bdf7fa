// SPDX-License-Identifier: MIT
// The effects of a rejected refresh token on the store and on later requests.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Returns the error for a rejected refresh token, or throws it if another token would not help.
  func rejectionError(
    _ errorResponse: ServerError, _ token: CredentialRecord, _ resolved: ResolvedAuthority,
    _ snapshot: CacheSnapshot
  ) throws(TesseraError) -> TesseraError {
    let error = TesseraError(
      ofRefreshToken: errorResponse, correlationID: serverClient.correlationID
    )
    .withAppProtectionDetails(authority, homeAccountID)
    let seconds = ThrottleRule.rejectionSeconds(after: error)
    if seconds > 0, !removes(errorResponse), !isDeleted(errorResponse) {
      recordThrottle(error, as: throttleKey.name(redeeming: token.secret), forSeconds: seconds)
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
            homeAccountID: homeAccountID, clientID: context.configuration.clientID,
            environments: environments, isEntra: authority.isEntra))
      ]
    }
    if !change.steps.isEmpty { _ = context.cache.commit(change, within: serverClient.limits) }
    return error
  }

  /// Returns the changes that record that the application is not in a family, for each host of its cloud.
  func familyRemovalSteps(
    _ snapshot: CacheSnapshot, _ resolved: ResolvedAuthority
  ) -> [CacheChange.Step] {
    let clientID = context.configuration.clientID
    let known = snapshot.appMetadata.filter { $0.clientID.normalised == clientID.normalised }
    return Set(known.map(\.environment) + [resolved.environment]).sorted().map { environment in
      .put(
        .appMetadata(
          AppMetadataRecord(clientID: clientID, environment: environment, familyID: "")))
    }
  }

  /// Returns whether the account was deleted, so that all its stored records are useless to the application.
  private func isDeleted(_ errorResponse: ServerError) -> Bool {
    authority.isEntra && errorResponse.error == "invalid_grant"
      && errorResponse.suberror == "user_account_deleted"
  }

  /// Returns whether a refresh token is invalid: `bad_token` from Entra, or `invalid_grant` from others.
  private func removes(_ errorResponse: ServerError) -> Bool {
    errorResponse.suberror == "bad_token"
      || !authority.isEntra && errorResponse.error == "invalid_grant"
  }
}
