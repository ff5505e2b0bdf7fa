// SPDX-License-Identifier: MIT
// The tenant for a realm. MSAL Python and Go store the tenant alias of the authority; other libraries store the tenant ID.

import TesseraCache
import TesseraWire

/// The mapping of tenant aliases to tenant IDs.
enum UnifiedTenant {
  /// The aliases for the home tenant of an account.
  private static let aliases: Set<String> = ["common", "organizations", "consumers"]
  /// The length of a tenant ID or an object ID.
  private static let idLength = 36

  /// Returns the members of an entry with the tenant alias replaced by the tenant ID.
  static func resolvingAlias(_ members: JSONObject) -> JSONObject {
    guard let realm = members["realm"]?.string,
      let tenant = tenant(forRealm: realm, of: members["home_account_id"]?.string ?? "")
    else { return members }
    var members = members
    members["realm"] = .string(tenant)
    members[CredentialRecord.tenantAliasMember] = .string(realm)
    return members
  }

  /// Whether a home account ID is one of Microsoft Entra ID: `uid.utid`, which is compared ignoring case.
  static func hasTenant(_ homeAccountID: String) -> Bool {
    homeTenant(of: homeAccountID) != nil
  }

  /// Returns the tenant ID for a realm, or `nil` if the realm is not an alias.
  static func tenant(forRealm realm: String, of homeAccountID: String) -> String? {
    // ADFS has no tenants. Other libraries write this value instead.
    if realm.normalised == "adfs" { return "" }
    guard !realm.isEmpty, let home = homeTenant(of: homeAccountID), realm.normalised != home else {
      return nil
    }
    if aliases.contains(realm.normalised) { return home }
    // B2C: `<user>-<policy>.<tenant>`. Such a user belongs to a single tenant, whose realm may be a name.
    let user = homeAccountID.utf8.prefix { $0 != UInt8(ascii: ".") }
    let isOfPolicy = user.count > idLength && user.dropFirst(idLength).first == UInt8(ascii: "-")
    return isOfPolicy && realm.utf8.count != idLength ? home : nil
  }

  /// Whether a realm may be an alias of any account's tenant, because it is not a tenant ID.
  static func mayBeAlias(_ realm: String) -> Bool {
    realm.utf8.count != idLength || realm.normalised.utf8.count != idLength
  }

  private static func homeTenant(of homeAccountID: String) -> String? {
    guard let dot = homeAccountID.lastIndex(of: ".") else { return nil }
    let tenant = homeAccountID[homeAccountID.index(after: dot)...]
    let isID = tenant.utf8.count == idLength && tenant.utf8.filter { $0 == 0x2D }.count == 4
    return isID ? String(tenant).normalised : nil
  }
}
