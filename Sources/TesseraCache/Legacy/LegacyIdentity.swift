// SPDX-License-Identifier: MIT
// Who an older library's item is of, and whether tokens that came back for it are the same person's.

package import TesseraWire

extension LegacyItem {
  /// What tells its person from others with the same name; nil if the cache did not note it.
  package var identity: String? {
    if let home = homeAccountID?.nonBlank { return home.normalised }
    guard let object = claims?.objectID, let tenant = claims?.tenantID else { return nil }
    return "\(object).\(tenant)".normalised
  }

  /// Whether its person is one with an identifier, by what tells people apart; nil if it says nothing of that.
  ///
  /// In a tenant where somebody is known, another object id is another person: one got the address of the other.
  ///
  /// - Parameter objectIDs: the person's object ids by their tenants, normalised, as far as they are known.
  package func isOf(_ home: String, _ objectIDs: [String: String]) -> Bool? {
    let home = home.normalised
    if let own = homeAccountID?.nonBlank { return own.normalised == home }
    guard let tenant = claims?.tenantID?.normalised, let object = claims?.objectID?.normalised
    else { return nil }
    if "\(object).\(tenant)" == home { return true }
    return objectIDs[tenant].map { $0 == object } ?? (home.hasSuffix(".\(tenant)") ? false : nil)
  }

  /// Whether tokens are of the item's person: by the home account id, else by the object id in the tenant, else by name.
  ///
  /// MSAL for Apple takes whoever comes back.
  package func isOf(_ found: TokenIdentity, _ foundClaims: IDTokenClaims?) -> Bool {
    if let home = homeAccountID?.nonBlank {
      return home.normalised == found.homeAccountID.normalised
    }
    if let object = claims?.objectID?.normalised, let tenant = claims?.tenantID?.normalised {
      // At home, and as a guest, by what that tenant calls the person.
      if found.homeAccountID.normalised == "\(object).\(tenant)" { return true }
      if foundClaims?.tenantID?.normalised == tenant {
        return foundClaims?.objectID?.normalised == object
      }
    }
    let names = LegacyItem.names(foundClaims)
    return names.contains(userID) || !names.isDisjoint(with: LegacyItem.names(claims))
  }

  /// The names of a person by which they can be known again; `sub` differs from application to application.
  ///
  /// Entra writes guests with personal accounts as `live.com#person@example.com`.
  private static func names(_ claims: IDTokenClaims?) -> Set<String> {
    let members = ["preferred_username", "upn", "unique_name", "email"]
    let texts = members.compactMap { claims?.all[$0]?.string?.normalised.nonBlank }
    return Set(texts.map { $0.hasPrefix("live.com#") ? String($0.dropFirst(9)) : $0 })
  }
}
