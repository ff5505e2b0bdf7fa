// SPDX-License-Identifier: MIT
// The changes of the store after the response to a refresh has failed validation.

import TesseraCache
import TesseraWire

extension SilentFlow {
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
    context.commitWithOwnTimeout(
      CacheChange(
        copies.map { .renew($0, [.put(.credential($0.superseded(by: successor)))]) }))
  }

  /// Retires a token of an older library after its response failed validation, and prevents its repeated import.
  func recordReplacement(of token: Secret, by response: JSONObject, in item: LegacyItem) {
    guard case .replaced(let successor) = RefreshTokenDisposition(sent: token, response: response)
    else {
      return
    }
    context.commitWithOwnTimeout(
      CacheChange([.legacy(name: item.userID, .supersede(token, by: successor))]))
  }
}
