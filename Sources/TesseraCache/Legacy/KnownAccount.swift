// SPDX-License-Identifier: MIT
// An account as either cache knows it: by its identifier, or by a name alone.

import TesseraWire

/// A person in one tenant, from the unified cache or from ADAL's.
package struct KnownAccount: Sendable, Hashable {
  /// The home account id; nil for a person whom only an older ADAL knows.
  package var homeAccountID: String?
  package var username: String?
  package var localAccountID: String?
  package var environment: String
  package var realm: String
  package var name: String?

  /// The person of a record.
  package init(_ record: AccountRecord) {
    homeAccountID = record.homeAccountID.nonBlank
    username = record.username
    localAccountID = record.localAccountID
    environment = record.environment
    realm = record.realm
    name = record.name
  }

  /// The person of an item; nil for one that lets nobody sign in.
  package init?(_ item: LegacyItem) {
    guard item.kind == .refreshToken, item.userID.nonBlank != nil else { return nil }
    homeAccountID = item.homeAccountID?.nonBlank
    username = item.userID
    localAccountID = item.claims?.objectID ?? item.claims?.subject
    environment = item.environment
    realm = item.claims?.tenantID ?? item.realm
    name = item.claims?.name
  }

  /// Whether two entries say the same: by the identifier if both have one, in any case in one tenant under one name.
  func isSame(as other: KnownAccount) -> Bool {
    if let homeAccountID, let others = other.homeAccountID,
      homeAccountID.normalised != others.normalised || localAccountID != other.localAccountID
    {
      return false
    }
    return environment.normalised == other.environment.normalised
      && realm.normalised == other.realm.normalised
      && username?.normalised == other.username?.normalised
  }
}
