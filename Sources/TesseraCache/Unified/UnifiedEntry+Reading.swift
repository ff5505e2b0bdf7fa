// SPDX-License-Identifier: MIT
// An entry that any library wrote as the record that it is; what other libraries spell otherwise is put right.

import TesseraWire

/// How entries become records.
///
/// What is put right is not stored: as long as nobody replaces the record, the entry stays as it is.
enum UnifiedEntry {
  /// What keeps an access token with an extended key, or for an assertion, apart from those without.
  static let extendedPrefix = "ext_cache_key:"
  /// The same for on-behalf-of tokens.
  static let assertionPrefix = "user_assertion_hash:"
  /// The scopes in the order of the server; MSAL Python sorts them, and makes its keys of that.
  static let originalTarget = "tessera_target"

  /// The record that an entry is; nil for one that does not load, or that only its writer can use.
  static func record(
    _ section: UnifiedSection, _ members: JSONObject, _ names: UnifiedNames,
    key: @autoclosure () -> String
  ) -> CacheRecord? {
    let isExtended = section == .accessToken && isExtended(members, key())
    let members = section == .own ? members : identified(members, names)
    return switch section {
    case .accessToken: accessToken(members, names, isExtended).map(CacheRecord.credential)
    case .refreshToken: refreshToken(members).map(CacheRecord.credential)
    case .idToken: credential(members, .idToken).map(CacheRecord.credential)
    case .account: AccountRecord(members: account(members)).map(CacheRecord.account)
    case .appMetadata: AppMetadataRecord(members: members).map(CacheRecord.appMetadata)
    case .own: own(members, key())
    }
  }

  /// A record that only Tessera knows, under the key that it has.
  private static func own(_ members: JSONObject, _ key: String) -> CacheRecord? {
    guard let type = OwnKey.typeNumber(in: key),
      let record = CacheRecord(typeNumber: type, members: members),
      OwnKey.text(of: record.key) == key
    else { return nil }
    return record
  }

  /// An access token; one for a key, an assertion or with an extended key never answers for one without.
  private static func accessToken(
    _ members: JSONObject, _ names: UnifiedNames, _ isExtended: Bool
  ) -> CredentialRecord? {
    var members = members
    if isExtended { members["credential_type"] = nil }
    members = typed(members, .accessToken)
    if members["extended_expires_on"] == nil, let time = members["ext_expires_on"] {
      members["extended_expires_on"] = time
    }
    if let original = members[originalTarget]?.string,
      UnifiedEntry.sorted(original) == members["target"]?.string
    {
      members["target"] = .string(original)
    }
    let keyID = text(members, "kid", "key_id", "keyid")
    let scheme = members["token_type"]?.string?.nonBlank
    if keyID != nil || scheme.map({ $0.normalised != "bearer" }) == true {
      members["credential_type"] = .string(CredentialType.accessTokenWithAuthScheme.name)
      members["kid"] = .string(keyID ?? "")
      members["token_type"] = .string(scheme ?? "pop")
    }
    if let claims = text(members, "requested_claims", "requestedClaims", "requestedClaimsHash")
      ?? names.capabilityClaims
    {
      members["requested_claims"] = .string(claims)
    }
    if let part = part(of: members, isExtended: isExtended) {
      members["application_cache_identifier"] = .string(part)
    }
    return CredentialRecord(members: members).flatMap { $0.type.isAccessToken ? $0 : nil }
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

  /// What keeps an access token apart; nil for an ordinary one.
  static func part(of members: JSONObject, isExtended: Bool = false) -> String? {
    if let hash = text(members, "ext_cache_key", "ext_cache_key_hash") {
      return extendedPrefix + hash
    }
    if let components = (members["ext"] ?? members["additionalCacheKeyComponents"])?.object,
      !components.members.isEmpty
    {
      return extendedPrefix + JSONValue.object(components).serialized
    }
    if isExtended { return extendedPrefix }
    return text(members, "user_assertion_hash", "userAssertionHash").map { assertionPrefix + $0 }
  }

  /// A refresh token; one that is kept apart is of use to its writer only.
  private static func refreshToken(_ members: JSONObject) -> CredentialRecord? {
    let isApart = ["user_assertion_hash", "userAssertionHash", "ext_cache_key"].contains {
      members[$0]?.string?.nonBlank != nil
    }
    guard !isApart, members["ext"]?.object?.members.isEmpty != false else { return nil }
    return credential(members, .refreshToken)
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
    if let realm = members["realm"]?.string,
      let tenant = UnifiedTenant.tenant(behind: realm, of: home)
    {
      members["realm"] = .string(tenant)
    }
    return members
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

  /// The first of some members that has a text.
  private static func text(_ members: JSONObject, _ names: String...) -> String? {
    for name in names {
      if let text = members[name]?.string?.nonBlank { return text }
    }
    return nil
  }

  /// Scopes in the order of MSAL Python.
  static func sorted(_ target: String) -> String {
    target.split(separator: " ").sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .joined(separator: " ")
  }
}
