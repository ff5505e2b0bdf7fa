// SPDX-License-Identifier: MIT
// Conversion of a record to an entry that every library can read.

import TesseraCache
import TesseraWire

extension UnifiedEntry {
  /// Returns the section in which a record is stored.
  ///
  /// Tessera's own section has the records that other libraries do not know, and tokens that they would return to any
  /// caller: key-bound tokens, tokens for other client capabilities, tokens of a cache partition, and tokens without an
  /// expiry time. It also has the refresh tokens that a rejected response replaced, because other libraries would send them.
  /// If another library wrote such an entry, it is not loaded as a record and stays unchanged.
  static func section(of record: CacheRecord, _ names: UnifiedNames) -> UnifiedSection {
    switch record {
    case .account(let account):
      account.homeAccountID.isEmpty || account.environment.isEmpty ? .own : .account
    case .appMetadata: .appMetadata
    case .credential(let token) where !hasUncomparedKeyMember(token.members):
      switch token.type {
      case .refreshToken where !token.homeAccountID.isEmpty && !token.isSuperseded: .refreshToken
      case .idToken where !token.homeAccountID.isEmpty: .idToken
      case .accessToken
      where token.expiresAt != nil && token.requestedClaims?.nonBlank == names.capabilityClaims:
        .accessToken
      default: .own
      }
    default: .own
    }
  }

  /// Whether the token has a key part that Tessera, or another library, does not compare.
  private static func hasUncomparedKeyMember(_ members: JSONObject) -> Bool {
    if let scheme = members["token_type"]?.string?.nonBlank, scheme.normalised != "bearer" {
      return true
    }
    return members.members.contains { member in
      guard uncomparedKeyMembers.contains(member.name) else { return false }
      return switch member.value {
      case .null: false
      case .string(let text): text.nonBlank != nil
      case .object(let object): !object.members.isEmpty
      default: true
      }
    }
  }

  /// The members for extended cache keys, assertions, key binding, cache partitions, and the claims of MSAL for Node.
  private static let uncomparedKeyMembers: Set = [
    "ext_cache_key", "ext_cache_key_hash", "ext", "additionalCacheKeyComponents",
    "user_assertion_hash", "userAssertionHash", "key_id", "keyid", "kid",
    "requestedClaims", "requestedClaimsHash", "application_cache_identifier",
  ]

  /// Returns the members of an access token.
  static func members(
    of token: CredentialRecord, realm: String, _ names: UnifiedNames
  ) -> JSONObject {
    var rest = token.members
    if token.requestedClaims == names.capabilityClaims { rest["requested_claims"] = nil }
    let target = token.target ?? ""
    let expires = digits(rest["expires_on"]) ?? "0"
    var members = JSONObject()
    members.append("credential_type", token.type.name)
    members.append("secret", rest["secret"])
    // MSAL Python writes null for app-only tokens.
    members.append("home_account_id", token.homeAccountID.nonBlank.map(JSONValue.string) ?? .null)
    members.append("environment", rest["environment"])
    members.append("client_id", rest["client_id"])
    members.append("target", sorted(target))
    members.append("realm", realm)
    members.append("token_type", rest["token_type"]?.string?.nonBlank ?? "Bearer")
    members.append("cached_at", digits(rest["cached_at"]) ?? "0")
    members.append("expires_on", expires)
    members.append("extended_expires_on", digits(rest["extended_expires_on"]) ?? expires)
    members.append("refresh_on", digits(rest["refresh_on"]))
    if sorted(target) != target { members.append(originalTarget, target) }
    var known = Set(
      texts: members.members.map(\.name) + [
        "refresh_on", originalTarget, CredentialRecord.tenantAliasMember,
      ])
    // If a name occurs twice, the last value counts.
    let last = Dictionary(
      rest.members.map { (ExactString($0.name), $0.value) }, uniquingKeysWith: { $1 })
    for member in rest.members where known.insert(member.name).inserted {
      members.append(member.name, last[member.name])
    }
    return members
  }

  /// Returns the members of an account, overlaid on those of its entry.
  static func members(of account: AccountRecord, over stored: JSONObject?) -> JSONObject {
    var members = overlay(account.members, over: stored)
    // All libraries require these six members. MSAL Python writes null for an account without an ID token.
    if members["local_account_id"] == nil { members["local_account_id"] = .null }
    if members["username"]?.string == nil { members["username"] = "" }
    if stored == nil, account.realm.isEmpty {
      members["realm"] = account["authority_type"] == AccountType.adfs.rawValue ? "adfs" : ""
    }
    // An account has one entry. If another library stored it under a tenant alias, keep the alias.
    if stored == nil, let alias = account[CredentialRecord.tenantAliasMember] {
      members["realm"] = .string(alias)
    }
    return members
  }

  /// Returns the members of any other record, overlaid on those of its entry.
  static func members(of record: CacheRecord, over stored: JSONObject?) -> JSONObject {
    var members = overlay(record.members, over: stored)
    // MSAL for Node writes the expiry time of a refresh token, which does not apply to its successor.
    if stored != nil { members["expiresOn"] = nil }
    return members
  }

  /// Returns the stored members overlaid with new ones, in linear time.
  private static func overlay(_ new: JSONObject, over stored: JSONObject?) -> JSONObject {
    var members = stored?.members.map { ($0.name, $0.value) } ?? []
    var positions = Dictionary(
      members.enumerated().map { (ExactString($1.0), $0) }, uniquingKeysWith: { $1 })
    for member in new.members
    where member.name != CredentialRecord.tenantAliasMember
      && !keepsStoredValue(member.name, stored)
    {
      if let index = positions[member.name] {
        members[index].1 = member.value
      } else {
        positions[member.name] = members.count
        members.append((member.name, member.value))
      }
    }
    return JSONObject(members)
  }

  /// Whether an entry keeps its own value, which is another library's spelling of an identifier.
  private static func keepsStoredValue(_ name: String, _ stored: JSONObject?) -> Bool {
    ["home_account_id", "environment", "realm", "credential_type", "authority_type"].contains(name)
      && stored?[name]?.string?.nonBlank != nil
  }

  /// Returns a time in the format that all libraries can read, or `nil` if there is none.
  private static func digits(_ value: JSONValue?) -> String? {
    value?.integer.map { String($0) }
  }
}
