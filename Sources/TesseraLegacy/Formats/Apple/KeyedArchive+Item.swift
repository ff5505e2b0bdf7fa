// SPDX-License-Identifier: MIT
// Conversion of an archived ADTokenCacheStoreItem of any version to an item.

import TesseraCache
import TesseraWire

extension KeyedArchive {
  /// The class names in the archives of ADAL and the Microsoft common library, independent of their own class names.
  package enum ClassName {
    package static let item = "ADTokenCacheStoreItem"
    package static let key = "ADTokenCacheKey"
    package static let userInformation = "ADUserInformation"
    package static let primaryRefreshToken = "ADBrokerPRTCacheItem"
  }

  /// Returns the entry for an instance.
  package mutating func entry(_ instance: ArchivedInstance) throws(LegacyCacheError) -> LegacyEntry
  {
    switch instance.className {
    case ClassName.item: return try token(instance)
    case ClassName.primaryRefreshToken: return .preserved(.primaryRefreshToken)
    default: return .preserved(.unknown)
    }
  }

  private mutating func token(_ instance: ArchivedInstance) throws(LegacyCacheError) -> LegacyEntry
  {
    let clientID = try text("clientId", instance)
    // A broker's token has a session key, or the placeholder for no resource as its client ID.
    if case .data = try value("sessionKey", of: instance) {
      return .preserved(.primaryRefreshToken)
    }
    if clientID?.normalised == LegacyKeyParts.noResource.normalised {
      return .preserved(.primaryRefreshToken)
    }
    guard let clientID else {
      throw LegacyCacheError(
        "item_client_missing", "The item has no client ID.")
    }
    guard let address = try text("authority", instance).flatMap({ WebURL($0.trimmed) }),
      let realm = address.pathSegments.first, address.mayCarrySecrets
    else {
      throw LegacyCacheError("item_authority_invalid", "The item has no valid authority.")
    }
    var item = LegacyItem(
      environment: address.environment, realm: realm, clientID: clientID, userID: "")
    item.resource = try text("resource", instance)
    item.accessToken = try text("accessToken", instance).map(Secret.init)
    item.refreshToken = try text("refreshToken", instance).map(Secret.init)
    guard item.kind != nil else {
      throw LegacyCacheError("item_without_token", "The item has no token.")
    }
    item.familyID = try text("familyId", instance)
    item.expiresAt = try value("expiresOn", of: instance).instant
    item.homeAccountID = try text("homeAccountId", instance)
    try readUser(instance, into: &item)
    try readExtraMembers(instance, into: &item)
    try readAdditions(instance, into: &item)
    return .item(item)
  }

  private mutating func text(
    _ name: String, _ instance: ArchivedInstance
  ) throws(LegacyCacheError) -> String? {
    try value(name, of: instance).string?.nonBlank
  }

  /// Reads the user from the ID token, or from the separately stored claims if there is no ID token.
  private mutating func readUser(
    _ instance: ArchivedInstance, into item: inout LegacyItem
  ) throws(LegacyCacheError) {
    guard case .instance(let user) = try value("userInformation", of: instance),
      user.className == ClassName.userInformation
    else { return }
    if let token = try text("rawIdToken", user) {
      // The token is decoded and parsed for each item that shares it.
      try spend(token.utf8.count * 2)
      item.idToken = Secret(token)
      item.claims = IDTokenClaims(legacy: token)
    } else if let objectIndex = try objectIndex("allClaims", of: user) {
      let claims = try json(at: objectIndex)
      item.claims = claims.members.isEmpty ? nil : IDTokenClaims(members: claims)
    }
    item.userID = item.claims.map(LegacyItem.userID) ?? ""
    if item.userID.isEmpty { item.userID = try text("userId", user)?.normalised ?? "" }
  }

  private mutating func readExtraMembers(
    _ instance: ArchivedInstance, into item: inout LegacyItem
  ) throws(LegacyCacheError) {
    for name in ["accessTokenType", "enrollmentId", "applicationIdentifier"] {
      item.extraMembers.append(name, try text(name, instance))
    }
    if let time = try value("cachedAt", of: instance).instant {
      item.extraMembers.append("cachedAt", .integer(time.secondsSince1970))
    }
    for name in ["tombstone", "additionalClient"] {
      guard let objectIndex = try objectIndex(name, of: instance) else { continue }
      let members = try json(at: objectIndex)
      if !members.members.isEmpty { item.extraMembers.append(name, .object(members)) }
    }
  }

  /// Reads the additional server data, and moves two values of it to the item.
  ///
  /// Their names depend on the library version.
  private mutating func readAdditions(
    _ instance: ArchivedInstance, into item: inout LegacyItem
  ) throws(LegacyCacheError) {
    guard let objectIndex = try objectIndex("additionalServer", of: instance) else { return }
    var members = try json(at: objectIndex)
    for name in ["extended_expires_on", "ext_expires_on"] {
      guard let time = members[name]?.object?["$date"]?.integer else { continue }
      item.extendedExpiresAt = item.extendedExpiresAt ?? Instant(secondsSince1970: time)
      members[name] = nil
    }
    if let text = members["client_info"]?.string, let info = try? ClientInfo(text) {
      item.clientInfo = text
      item.homeAccountID = item.homeAccountID ?? info.homeAccountID
      members["client_info"] = nil
    }
    if !members.members.isEmpty { item.extraMembers.append("additionalServer", .object(members)) }
  }
}

extension IDTokenClaims {
  /// Creates the claims of an ID token like ADAL: the JSON objects of all its parts, in any number.
  init?(legacy text: String) {
    if let token = try? JSONWebToken(Secret(text)) {
      self.init(token)
      return
    }
    // The oldest archives have tokens with a single part.
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 4)
    let objects = parts.compactMap { part in
      Base64URL.decode(Substring(part)).flatMap { try? JSONValue(parsing: $0) }?.object
    }
    guard !objects.isEmpty else { return nil }
    // If a name occurs twice, the last value counts.
    let members = objects.flatMap(\.members).map { ($0.name, $0.value) }
    self.init(members: JSONObject(members))
  }
}
