// SPDX-License-Identifier: MIT
// Conversion of an entry of any library to a record. Deviations of other libraries are corrected.

import TesseraCache
import TesseraWire

/// The conversions between entries and records.
///
/// Corrections are not written back: an entry stays unchanged until its record is replaced.
enum UnifiedEntry {
  /// The member with the scopes in the server's order.
  ///
  /// MSAL Python sorts them and uses the result in its keys.
  static let originalTarget = "tessera_target"

  /// Returns the record of an entry, or `nil` if it does not load or only its writer can use it.
  static func record(
    _ section: UnifiedSection, _ members: JSONObject, _ names: UnifiedNames,
    key: @autoclosure () -> String
  ) -> CacheRecord? {
    guard section != .own else { return own(members, key()) }
    guard section != .accessToken || !isExtended(members, key()) else { return nil }
    let members = withNormalisedIdentifiers(members, names)
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

  /// Returns a record that only Tessera writes, or `nil` if its key does not match.
  private static func own(_ members: JSONObject, _ key: String) -> CacheRecord? {
    guard let type = TesseraEntryKey.typeNumber(in: key),
      let record = CacheRecord(typeNumber: type, members: members),
      TesseraEntryKey.text(of: record.key) == key
    else { return nil }
    return record
  }

  /// Returns an access token with Tessera's member names and scope order.
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

  /// Whether a token has an extended key (MSAL for .NET, Python and Go), according to its type or its key.
  private static func isExtended(_ members: JSONObject, _ key: String) -> Bool {
    if members["credential_type"]?.string == "ATExt" { return true }
    let bytes = key.utf8
    guard
      bytes.indices.contains(where: {
        bytes[$0] == 0x2D && bytes[$0...].starts(with: "-atext-".utf8)
      })
    else { return false }
    // A scope or an account may contain the same text. The key of such a token has the usual prefix.
    let accountParts = [members["home_account_id"], members["environment"]].map { $0?.string ?? "" }
    let ordinary = (accountParts + ["accesstoken"]).joined(separator: "-")
    return !key.normalised.hasPrefix(ordinary.normalised)
  }

  /// Corrects an account: removes the placeholder user name of MSAL for .NET, and adds the type to a hand-written entry.
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

  /// Returns the members with normalised identifiers.
  private static func withNormalisedIdentifiers(_ members: JSONObject, _ names: UnifiedNames)
    -> JSONObject
  {
    var members = members
    if let environment = members["environment"]?.string {
      let preferred = names.preferred(environment)
      if preferred != environment { members["environment"] = .string(preferred) }
    }
    let home = members["home_account_id"]?.string ?? ""
    if !home.isLowerCaseASCII, UnifiedTenant.hasTenant(home) {
      members["home_account_id"] = .string(home.normalised)
    }
    return UnifiedTenant.resolvingAlias(members)
  }

  /// Returns a credential, or `nil` if its type is not that of the section.
  private static func credential(_ members: JSONObject, _ type: CredentialType) -> CredentialRecord?
  {
    CredentialRecord(members: withCredentialType(members, type)).flatMap {
      $0.type == type ? $0 : nil
    }
  }

  /// Returns the members with the type of the section, if they have none.
  private static func withCredentialType(_ members: JSONObject, _ type: CredentialType)
    -> JSONObject
  {
    guard members["credential_type"]?.string == nil else { return members }
    var members = members
    members["credential_type"] = .string(type.name)
    return members
  }

  /// Returns the scopes in the order of MSAL Python.
  static func sorted(_ target: String) -> String {
    target.split(separator: " ").sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .joined(separator: " ")
  }
}
