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
    let item = call.inputs(snapshot).legacyItem(with: token.secret)
    let isFinal = item == nil ? removes(errorResponse) : errorResponse.isFinalForLegacyToken
    let isDeleted = item == nil && isDeleted(errorResponse)
    let seconds = ThrottleRule.rejectionSeconds(after: error)
    if seconds > 0, !isFinal, !isDeleted {
      SilentThrottles(call).record(
        error, as: call.throttleKey.name(redeeming: token.secret), forSeconds: seconds)
    }
    guard error.remedy == .signIn else { throw error }
    var change = CacheChange()
    if isFinal, let item {
      change.steps.append(.legacy(name: item.userID, .retire(token.secret)))
    } else if isFinal {
      let copies = snapshot.credentials.filter { $0.secret == token.secret }
      change.steps += copies.map(CacheChange.Step.removeIfUnchanged)
    }
    if errorResponse.suberror == "client_mismatch", isOfFamily(token) {
      change.steps += familyRemovalSteps(snapshot, resolved)
    }
    if isDeleted {
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

  /// Returns whether the token belongs to a token family, which may not include this application.
  private func isOfFamily(_ token: CredentialRecord) -> Bool {
    token.familyID != nil
      || token.clientID.normalised != call.context.configuration.clientID.normalised
  }

  /// Returns the changes that record that the application is not in a family, for each host of its cloud.
  private func familyRemovalSteps(
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
    if let item = call.inputs(before).legacyItem(with: redeemed.secret) {
      // The token is retired, so that it is not imported again.
      call.context.commitWithOwnTimeout(
        CacheChange([.legacy(name: item.userID, .supersede(redeemed.secret, by: successor))]))
      return
    }
    let copies = before.credentials.filter {
      $0.type.isRefreshToken && $0.secret == redeemed.secret
    }
    call.context.commitWithOwnTimeout(
      CacheChange(
        copies.map { .renew($0, [.put(.credential($0.superseded(by: successor)))]) }))
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

extension ServerError {
  /// Whether the server will never accept this refresh token of an older library again.
  ///
  /// Entra returns the suberror `bad_token` or an AADSTS code: 70008 and 700082 (inactive), 700081 and 700084 (too
  /// old), or 50173 (revoked, for example by a password change). 70043 is not final, because sign-in frequency is set
  /// per resource.
  ///
  /// After any other error, the token may still be accepted for another scope or later.
  fileprivate var isFinalForLegacyToken: Bool {
    let final: Set<Int64> = [50_173, 70_008, 700_081, 700_082, 700_084]
    return error == "invalid_grant"
      && (suberror == "bad_token" || !final.isDisjoint(with: serverCodes))
  }
}
