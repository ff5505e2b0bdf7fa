// SPDX-License-Identifier: MIT
// The account to which a refresh token of an older library belongs, known after its first redemption.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The owner of a redeemed refresh token of an older library.
struct LegacyTokenOwner {
  private let call: SilentContext

  init(_ call: SilentContext) { self.call = call }

  /// Throws an error if the tokens belong to a different account, after recording that account.
  ///
  /// A requested home account ID must equal the one in the response. Without one, the older library's record must match.
  /// MSAL for Apple does not check this.
  func check(
    _ tokenRecords: TokenResponseRecords, _ item: LegacyItem, _ response: JSONObject
  ) throws(TesseraError) {
    guard let token = item.refreshToken else { return }
    let home = tokenRecords.identity.homeAccountID.normalised
    let isOfItem = item.belongsTo(tokenRecords.identity, tokenRecords.claims)
    let isExpected = call.homeAccountID.isEmpty ? isOfItem : call.homeAccountID.normalised == home
    guard !isExpected else { return }
    // A token that the server kept remains for the other account with the same name. It is retired if the older library
    // recorded a different account.
    var changes: [LegacyAccountRecord.Change] = []
    if isOfItem { changes.append(.identify(token, homeAccountID: home, nil)) }
    switch RefreshTokenDisposition(sent: token, response: response) {
    case .replaced(let successor): changes.append(.supersede(token, by: successor))
    case .kept where !isOfItem: changes.append(.retire(token))
    case .kept: break
    }
    call.context.commitWithOwnTimeout(CacheChange(changes.map { .legacy(name: item.userID, $0) }))
    throw TesseraError(
      .signIn, .accountMismatch,
      """
      The migrated refresh token of \(MaskedName(item.userID)) belongs to a different account. Its tokens were not stored, \
      and it is not redeemed again for this account: sign in.
      """)
  }
}
