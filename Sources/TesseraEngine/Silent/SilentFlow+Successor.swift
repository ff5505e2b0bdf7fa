// SPDX-License-Identifier: MIT
// The changes that a refused response to a refresh makes in the store.

import TesseraCache
import TesseraWire

extension SilentFlow {
  /// Records that a refused response replaced a refresh token, in every record that has the token.
  ///
  /// The new token is stored beside the old one as unverified. From then on no process sends either of them: the user has to
  /// sign in, which stores other tokens.
  func recordReplacement(
    of redeemed: CredentialRecord, by response: JSONObject, _ before: CacheSnapshot
  ) {
    guard
      case .replaced(let successor) = RefreshTokenFate(sent: redeemed.secret, response: response)
    else { return }
    let copies = before.credentials.filter {
      $0.type.isRefreshToken && $0.secret == redeemed.secret
    }
    application.keep(
      CacheChange(
        copies.map { .renew($0, [.put(.credential($0.superseded(by: successor)))]) }))
  }

  /// The same for a token that an older library left: it is removed, and not taken from there again.
  func recordReplacement(of token: Secret, by response: JSONObject, in item: LegacyItem) {
    guard case .replaced = RefreshTokenFate(sent: token, response: response) else { return }
    application.keep(CacheChange([.legacy(name: item.userID, .retire(token))]))
  }
}
