// SPDX-License-Identifier: MIT
// A record as an entry that every library can read.

import TesseraWire

extension UnifiedEntry {
  /// Where a record lies.
  ///
  /// With Tessera's own lies what other libraries don't know, and what they would hand out to whoever asks: tokens that are
  /// bound to a key, that were asked for with other capabilities than theirs or for a part of an application, and those without
  /// an end. Where another library has written such a one it is no record: it stays as it is, for that library.
  static func section(of record: CacheRecord, _ names: UnifiedNames) -> UnifiedSection {
    switch record {
    case .account(let account):
      account.homeAccountID.isEmpty || account.environment.isEmpty ? .own : .account
    case .appMetadata: .appMetadata
    case .credential(let token) where !isApart(token.members):
      switch token.type {
      case .refreshToken where !token.homeAccountID.isEmpty: .refreshToken
      case .idToken where !token.homeAccountID.isEmpty: .idToken
      case .accessToken
      where token.expiresAt != nil && token.requestedClaims?.nonBlank == names.capabilityClaims:
        .accessToken
      default: .own
      }
    default: .own
    }
  }

  /// Whether something tells a token apart by which Tessera, or another library, does not tell tokens apart.
  private static func isApart(_ members: JSONObject) -> Bool {
    if let scheme = members["token_type"]?.string?.nonBlank, scheme.normalised != "bearer" {
      return true
    }
    return members.members.contains { member in
      guard apart.contains(member.name) else { return false }
      return switch member.value {
      case .null: false
      case .string(let text): text.nonBlank != nil
      case .object(let object): !object.members.isEmpty
      default: true
      }
    }
  }

  /// What the libraries call extended keys, assertions, keys and parts of an application, and Node its claims.
  private static let apart: Set = [
    "ext_cache_key", "ext_cache_key_hash", "ext", "additionalCacheKeyComponents",
    "user_assertion_hash", "userAssertionHash", "key_id", "keyid", "kid",
    "requestedClaims", "requestedClaimsHash", "application_cache_identifier",
  ]

  /// The members of an access token.
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
    // MSAL Python has null for the tokens of an application itself.
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
      members.members.map(\.name) + [
        "refresh_on", originalTarget, UnifiedTenant.wordMember,
      ])
    // Of a name that was written twice the last value counts.
    let last = Dictionary(rest.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for member in rest.members where known.insert(member.name).inserted {
      members.append(member.name, last[member.name])
    }
    return members
  }

  /// The members of an account, laid over those of its entry.
  static func members(of account: AccountRecord, over stored: JSONObject?) -> JSONObject {
    var members = laid(account.members, over: stored)
    // All libraries count on these six; MSAL Python has null for a person without an id token.
    if members["local_account_id"] == nil { members["local_account_id"] = .null }
    if members["username"]?.string == nil { members["username"] = "" }
    if stored == nil, account.realm.isEmpty {
      members["realm"] = account["authority_type"] == AccountType.adfs.rawValue ? "adfs" : ""
    }
    // Of an account there is one entry: where another library has one under its word, that.
    if stored == nil, let word = account[UnifiedTenant.wordMember] {
      members["realm"] = .string(word)
    }
    return members
  }

  /// The members of another record, laid over those of its entry.
  static func members(of record: CacheRecord, over stored: JSONObject?) -> JSONObject {
    var members = laid(record.members, over: stored)
    // MSAL for Node notes when a refresh token ends, which says nothing of the next one.
    if stored != nil { members["expiresOn"] = nil }
    return members
  }

  /// New members in place of an entry's, without a search of all of them for each.
  private static func laid(_ new: JSONObject, over stored: JSONObject?) -> JSONObject {
    var members = stored?.members.map { ($0.name, $0.value) } ?? []
    var places = Dictionary(
      members.enumerated().map { ($1.0, $0) }, uniquingKeysWith: { $1 })
    for member in new.members
    where member.name != UnifiedTenant.wordMember && !keepsOwn(member.name, stored) {
      if let place = places[member.name] {
        members[place].1 = member.value
      } else {
        places[member.name] = members.count
        members.append((member.name, member.value))
      }
    }
    return JSONObject(members)
  }

  /// Whether an entry keeps what it has: how somebody else spelled what says whose it is.
  private static func keepsOwn(_ name: String, _ stored: JSONObject?) -> Bool {
    ["home_account_id", "environment", "realm", "credential_type", "authority_type"].contains(name)
      && stored?[name]?.string?.nonBlank != nil
  }

  /// A time as all libraries can read it; nil for none.
  private static func digits(_ value: JSONValue?) -> String? {
    value?.integer.map { String($0) }
  }
}
