// SPDX-License-Identifier: MIT
// A record as an entry that every library can read.

import TesseraWire

extension UnifiedEntry {
  /// Where a record lies.
  ///
  /// With Tessera's own lies what other libraries don't know, and what they would hand out to whoever asks: tokens that are
  /// bound to a key, that were asked for with other capabilities than theirs or for a part of an application, and those without
  /// an end.
  static func section(of record: CacheRecord, _ names: UnifiedNames) -> UnifiedSection {
    switch record {
    case .account: .account
    case .appMetadata: .appMetadata
    case .credential(let token):
      switch token.type {
      case .refreshToken: .refreshToken
      case .idToken: .idToken
      case .accessToken, .accessTokenWithAuthScheme: isShared(token, names) ? .accessToken : .own
      default: .own
      }
    default: .own
    }
  }

  private static func isShared(_ token: CredentialRecord, _ names: UnifiedNames) -> Bool {
    let hasMembers = { (names: String...) in
      names.contains { token.members[$0]?.string?.nonBlank != nil }
    }
    return token.applicationIdentifier?.nonBlank == part(of: token.members)
      && token.expiresAt != nil
      && (token.type == .accessToken || token.keyID?.isEmpty == true
        || hasMembers("key_id", "keyid"))
      && (token.requestedClaims?.nonBlank == names.capabilityClaims
        || hasMembers("requestedClaims", "requestedClaimsHash"))
  }

  /// The members of an access token.
  static func members(
    of token: CredentialRecord, realm: String, _ names: UnifiedNames
  ) -> JSONObject {
    let rest = withoutOurs(token.members, names)
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
    var known = Set(members.members.map(\.name) + ["refresh_on", originalTarget])
    // Of a name that was written twice the last value counts.
    let last = Dictionary(rest.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for member in rest.members where known.insert(member.name).inserted {
      members.append(member.name, last[member.name])
    }
    return members
  }

  /// Without what was added to tell the token from others when it was read.
  private static func withoutOurs(_ members: JSONObject, _ names: UnifiedNames) -> JSONObject {
    var members = members
    if let part = members["application_cache_identifier"]?.string,
      part.hasPrefix(extendedPrefix) || part.hasPrefix(assertionPrefix)
    {
      members["application_cache_identifier"] = nil
    }
    if members["kid"]?.string?.isEmpty == true || members["key_id"] != nil
      || members["keyid"] != nil
    {
      members["kid"] = nil
    }
    if members["requestedClaims"] != nil || members["requestedClaimsHash"] != nil
      || members["requested_claims"]?.string == names.capabilityClaims
    {
      members["requested_claims"] = nil
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
    return members
  }

  /// The members of another record, laid over those of its entry.
  static func members(of record: CacheRecord, over stored: JSONObject?) -> JSONObject {
    guard let stored else { return record.members }
    var members = laid(record.members, over: stored)
    // MSAL for Node notes when a refresh token ends, which says nothing of the next one.
    members["expiresOn"] = nil
    return members
  }

  /// New members in place of an entry's, without a search of all of them for each.
  private static func laid(_ new: JSONObject, over stored: JSONObject?) -> JSONObject {
    var members = stored?.members.map { ($0.name, $0.value) } ?? []
    var places = Dictionary(
      members.enumerated().map { ($1.0, $0) }, uniquingKeysWith: { $1 })
    for member in new.members where !keepsOwn(member.name, stored) {
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
