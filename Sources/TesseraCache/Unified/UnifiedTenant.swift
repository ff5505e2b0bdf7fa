// SPDX-License-Identifier: MIT
// Which tenant a realm stands for: MSAL Python and Go store the word of the authority where others store the tenant.

import TesseraWire

/// The tenant behind a realm.
enum UnifiedTenant {
  /// What stands for the tenant that an account is at home in.
  private static let words: Set<String> = ["common", "organizations", "consumers"]
  /// The length of a tenant's and a user's number.
  private static let idLength = 36

  /// The member of a record that keeps the word in place of which it has a tenant; Tessera's own.
  static let wordMember = "tessera_realm"

  /// Members of an entry with the tenant that its realm stands for.
  static func placed(_ members: JSONObject) -> JSONObject {
    guard let realm = members["realm"]?.string,
      let tenant = tenant(behind: realm, of: members["home_account_id"]?.string ?? "")
    else { return members }
    var members = members
    members["realm"] = .string(tenant)
    members[wordMember] = .string(realm)
    return members
  }

  /// Whether a home account id is one of Entra: `uid.utid`, which compares without regard to case.
  static func hasTenant(_ homeAccountID: String) -> Bool {
    homeTenant(of: homeAccountID) != nil
  }

  /// The tenant that a realm stands for; nil if it is what it says.
  static func tenant(behind realm: String, of homeAccountID: String) -> String? {
    // ADFS has no tenants; the other libraries have this word for that.
    if realm.normalised == "adfs" { return "" }
    guard !realm.isEmpty, let home = homeTenant(of: homeAccountID), realm.normalised != home else {
      return nil
    }
    if words.contains(realm.normalised) { return home }
    // B2C: `<user>-<policy>.<tenant>`. Such a user is of one tenant only, whose realm may be a name.
    let user = homeAccountID.utf8.prefix { $0 != UInt8(ascii: ".") }
    let isOfPolicy = user.count > idLength && user.dropFirst(idLength).first == UInt8(ascii: "-")
    return isOfPolicy && realm.utf8.count != idLength ? home : nil
  }

  /// Whether a realm may stand for a tenant, whoever asks: it is no number of one.
  static func mayBeWord(_ realm: String) -> Bool {
    realm.utf8.count != idLength || realm.normalised.utf8.count != idLength
  }

  private static func homeTenant(of homeAccountID: String) -> String? {
    guard let dot = homeAccountID.lastIndex(of: ".") else { return nil }
    let tenant = homeAccountID[homeAccountID.index(after: dot)...]
    let isID = tenant.utf8.count == idLength && tenant.utf8.filter { $0 == 0x2D }.count == 4
    return isID ? String(tenant).normalised : nil
  }
}
