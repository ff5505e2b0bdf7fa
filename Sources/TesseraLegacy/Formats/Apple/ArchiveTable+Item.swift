// SPDX-License-Identifier: MIT
// Archiving of an item in the format of ADAL 2.7 and later, which every version can read.

package import TesseraCache
import TesseraWire

extension ArchiveTable {
  /// Adds an item and returns its index.
  ///
  /// - Parameter system: The platform. On iOS, the archive also contains the claims of the ID token.
  package mutating func add(_ item: LegacyItem, on system: LegacyKeyParts.System) -> Int {
    let extraMembers = { (name: String) in item.extraMembers[name]?.string }
    let cachedAt = item.extraMembers["cachedAt"]?.integer.map(Instant.init(secondsSince1970:))
    let members: [(String, Int)] = [
      ("authority", add(item.authority)),
      ("accessToken", add(item.accessToken?.reveal())),
      ("refreshToken", add(item.refreshToken?.reveal())),
      ("userInformation", addUserInformation(item, on: system)),
      ("accessTokenType", add(extraMembers("accessTokenType") ?? "Bearer")),
      ("clientId", add(item.clientID)),
      ("resource", add(item.resource)),
      ("expiresOn", add(item.expiresAt)),
      ("cachedAt", add(cachedAt)),
      ("familyId", add(item.familyID)),
      (
        "additionalClient",
        add(.object(item.extraMembers["additionalClient"]?.object ?? JSONObject()))
      ),
      ("additionalServer", add(.object(item.additions))),
      ("homeAccountId", add(item.homeAccountID)),
      ("enrollmentId", add(extraMembers("enrollmentId"))),
      ("applicationIdentifier", add(extraMembers("applicationIdentifier"))),
    ]
    return add(
      instance: KeyedArchive.ClassName.item, members.map { .init($0.0, .uid($0.1)) })
  }

  /// Adds the key of an item in a macOS cache and returns its index.
  package mutating func add(keyOf item: LegacyItem) -> Int {
    let key = LegacyKeyParts(item)
    let members: [(String, Int)] = [
      ("authority", add(item.authority.normalised)),
      ("resource", add(item.resource?.nonBlank?.normalised)),
      ("clientId", add(item.clientID.normalised)),
      ("userId", 0), ("service", add(key.service)), ("account", 0), ("type", 0),
    ]
    return add(instance: KeyedArchive.ClassName.key, members.map { .init($0.0, .uid($0.1)) })
  }

  private mutating func addUserInformation(
    _ item: LegacyItem, on system: LegacyKeyParts.System
  ) -> Int {
    var members: [PropertyList.Member] = [
      .init("rawIdToken", .uid(add(item.idToken?.reveal() ?? item.unsignedIDToken)))
    ]
    if system == .iOS {
      let claims = item.claims?.all
      let names = ["upn", "email", "unique_name"].compactMap { claims?[$0]?.string?.normalised }
      let isDisplayable = !item.userID.isEmpty && names.contains(item.userID)
      let userID = item.userID.isEmpty ? nil : item.userID
      members += [
        .init("allClaims", .uid(claims.map { add(.object($0)) } ?? 0)),
        .init("userId", .uid(add(userID))),
        .init("userIdDisplayable", .bool(isDisplayable)),
      ]
    }
    return add(instance: KeyedArchive.ClassName.userInformation, members)
  }
}

extension LegacyItem {
  /// The additional server data, with the member names of the Microsoft common library.
  fileprivate var additions: JSONObject {
    var members = extraMembers["additionalServer"]?.object ?? JSONObject()
    if let extendedExpiresAt {
      let time = JSONValue.integer(extendedExpiresAt.secondsSince1970)
      members["extended_expires_on"] = ["$date": time]
    }
    if let clientInfo { members["client_info"] = .string(clientInfo) }
    return members
  }

  /// An unsigned token with the user's claims, because ADAL reads the user name only from an ID token.
  fileprivate var unsignedIDToken: String? {
    guard let claims else { return nil }
    let header = Base64URL.encode(Array(#"{"typ":"JWT","alg":"none"}"#.utf8))
    return header + "." + Base64URL.encode(JSONValue.object(claims.all).bytes) + "."
  }
}
