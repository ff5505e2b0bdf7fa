// SPDX-License-Identifier: MIT
// An entry that any library wrote as the record that it is; what other libraries spell otherwise is put right.

import TesseraWire

/// How entries become records.
///
/// What is put right is not stored: as long as nobody replaces the record, the entry stays as it is.
enum UnifiedEntry {
  /// The scopes in the order of the server; MSAL Python sorts them, and makes its keys of that.
  static let originalTarget = "tessera_target"

  /// The record that an entry is; nil for one that does not load, or that is of use to its writer only.
  static func record(
    _ section: UnifiedSection, _ members: JSONObject, _ names: UnifiedNames,
    key: @autoclosure () -> String
  ) -> CacheRecord? {
    guard section != .own else { return own(members, key()) }
    guard section != .accessToken || !isExtended(members, key()) else { return nil }
    let members = identified(members, names)
    let record: CacheRecord? =
      switch section {
      case .accessToken: accessToken(members, names).map(CacheRecord.credential)
      case .refreshToken: credential(members, .refreshToken).map(CacheRecord.credential)
      case .idToken: credential(members, .idToken).map(CacheRecord.credential)
      case .account: AccountRecord(members: account(members)).map(CacheRecord.account)
      case .appMetadata: AppMetadataRecord(members: members).map(CacheRecord.appMetadata)
      case .own, .other: nil
      }
    return record.flatMap { self.section(of: $0, names) == section ? $0 : nil }
  }

  /// A record that only Tessera knows, under the key that it has.
  private static func own(_ members: JSONObject, _ key: String) -> CacheRecord? {
    guard let type = OwnKey.typeNumber(in: key),
      let record = CacheRecord(typeNumber: type, members: members),
      OwnKey.text(of: record.key) == key
    else { return nil }
    return record
  }

  /// An access token, with the names and the order that Tessera has for what is in it.
  private static func accessToken(
    _ members: JSONObject, _ names: UnifiedNames
  ) -> CredentialRecord? {
    var members = members
    if members["extended_expires_on"] == nil, let time = members["ext_expires_on"] {
      members["extended_expires_on"] = time
    }
    if let original = members[originalTarget]?.string,
      UnifiedEntry.sorted(original) == members["target"]?.string
    {
      members["target"] = .string(original)
    }
    if let claims = names.capabilityClaims, members["requested_claims"]?.string?.nonBlank == nil {
      members["requested_claims"] = .string(claims)
    }
    return credential(members, .accessToken)
  }

  /// Whether a token has an extended key (MSAL for .NET, Python and Go); its type says so, or stands in the key.
  private static func isExtended(_ members: JSONObject, _ key: String) -> Bool {
    if members["credential_type"]?.string == "ATExt" { return true }
    let bytes = key.utf8
    guard
      bytes.indices.contains(where: {
        bytes[$0] == 0x2D && bytes[$0...].starts(with: "-atext-".utf8)
      })
    else { return false }
    // A scope or a person may be called that as well.
    let whose = [members["home_account_id"], members["environment"]].map { $0?.string ?? "" }
    let ordinary = (whose + ["accesstoken"]).joined(separator: "-")
    return !key.normalised.hasPrefix(ordinary.normalised)
  }

  /// MSAL for .NET writes a sentence where nobody has a name; an account without a type was written by hand.
  private static func account(_ members: JSONObject) -> JSONObject {
    var members = members
    if ["", "Missing from the token response"].contains(members["username"]?.string) {
      members["username"] = nil
    }
    if members["authority_type"]?.string == nil {
      let isADFS = members["realm"] == ""
      let type: AccountType = isADFS ? .adfs : .microsoft
      members["authority_type"] = .string(type.rawValue)
    }
    return members
  }

  /// With the identifiers as they compare.
  private static func identified(_ members: JSONObject, _ names: UnifiedNames) -> JSONObject {
    var members = members
    if let environment = members["environment"]?.string {
      let preferred = names.preferred(environment)
      if preferred != environment { members["environment"] = .string(preferred) }
    }
    let home = members["home_account_id"]?.string ?? ""
    if !home.isLowerCaseASCII, UnifiedTenant.hasTenant(home) {
      members["home_account_id"] = .string(home.normalised)
    }
    return UnifiedTenant.placed(members)
  }

  /// A credential of the type that the section says.
  private static func credential(_ members: JSONObject, _ type: CredentialType) -> CredentialRecord?
  {
    CredentialRecord(members: typed(members, type)).flatMap { $0.type == type ? $0 : nil }
  }

  /// With the type that the section says, if there is none.
  private static func typed(_ members: JSONObject, _ type: CredentialType) -> JSONObject {
    guard members["credential_type"]?.string == nil else { return members }
    var members = members
    members["credential_type"] = .string(type.name)
    return members
  }

  /// Scopes in the order of MSAL Python.
  static func sorted(_ target: String) -> String {
    target.split(separator: " ").sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .joined(separator: " ")
  }
}
