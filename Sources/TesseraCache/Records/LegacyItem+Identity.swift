// SPDX-License-Identifier: MIT
// Matching of imported items with accounts and with the tokens that a server returns for them.

package import TesseraWire

extension LegacyItem {
  /// The home account ID, or object ID and tenant ID; `nil` if the cache has neither.
  package var identity: String? {
    if let home = homeAccountID?.nonBlank { return home.normalised }
    guard let object = claims?.objectID, let tenant = claims?.tenantID else { return nil }
    return "\(object).\(tenant)".normalised
  }

  /// Returns whether the item belongs to an account with a home account ID, or `nil` if the item has no identity.
  ///
  /// If the account's object ID in the item's tenant is known and different, the item belongs to another user: user
  /// names can be reassigned.
  ///
  /// - Parameter objectIDs: The known object IDs of the account, by tenant, normalised.
  package func belongsTo(_ home: String, _ objectIDs: [String: String]) -> Bool? {
    let home = home.normalised
    if let own = homeAccountID?.nonBlank { return own.normalised == home }
    guard let tenant = claims?.tenantID?.normalised, let object = claims?.objectID?.normalised
    else { return nil }
    if "\(object).\(tenant)" == home { return true }
    return objectIDs[tenant].map { $0 == object } ?? (home.hasSuffix(".\(tenant)") ? false : nil)
  }

  /// Returns whether tokens belong to the item's user.
  ///
  /// The comparison uses the home account ID, or else the object ID in the tenant, or else the user name. MSAL for
  /// Apple accepts any account.
  package func belongsTo(_ found: TokenIdentity, _ foundClaims: IDTokenClaims?) -> Bool {
    if let home = homeAccountID?.nonBlank {
      return home.normalised == found.homeAccountID.normalised
    }
    if let object = claims?.objectID?.normalised, let tenant = claims?.tenantID?.normalised {
      // The object ID may be that of the home tenant, or that of a guest in the tenant of the tokens.
      if found.homeAccountID.normalised == "\(object).\(tenant)" { return true }
      if foundClaims?.tenantID?.normalised == tenant {
        return foundClaims?.objectID?.normalised == object
      }
    }
    let names = LegacyItem.names(foundClaims)
    return names.contains(userID) || !names.isDisjoint(with: LegacyItem.names(claims))
  }

  /// Returns the user names in the claims.
  ///
  /// `sub` is not usable, because it differs between applications.
  ///
  /// Microsoft Entra ID writes guests with personal accounts as `live.com#user@example.com`.
  private static func names(_ claims: IDTokenClaims?) -> Set<ExactString> {
    let members = ["preferred_username", "upn", "unique_name", "email"]
    let texts = members.compactMap { claims?.all[$0]?.string?.normalised.nonBlank }
    return Set(texts: texts.map { $0.hasPrefix("live.com#") ? String($0.dropFirst(9)) : $0 })
  }
}
