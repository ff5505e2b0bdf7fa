// SPDX-License-Identifier: MIT
// A cache entry of ADAL for Python or Node, with either spelling of its members.

import TesseraCache
import TesseraWire

/// The members of an entry.
struct ADALEntry {
  /// The client ID of the Azure CLI.
  ///
  /// It is in family 1. The members of the family can use its refresh tokens.
  static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

  private let members: JSONObject

  init(_ members: JSONObject) {
    self.members = members
  }

  /// Returns a non-blank string.
  ///
  /// Some versions of the Azure CLI write `refresh_token` instead of `refreshToken`.
  subscript(_ name: String) -> String? {
    value(name)?.string?.nonBlank
  }

  /// The entry as an item, or `nil` if the authority or the client ID is missing.
  var item: LegacyItem? {
    guard let authority = self["_authority"], let clientID = self["_clientId"] else { return nil }
    var item = LegacyItem(
      authority: authority, clientID: clientID, userID: self["userId"] ?? "")
    item.resource = self["resource"]
    item.accessToken = self["accessToken"].map(Secret.init)
    item.refreshToken = self["refreshToken"].map(Secret.init)
    item.isMultiResource = value("isMRRT")?.bool == true
    item.familyID = clientID.normalised == ADALEntry.azureCLI ? "1" : nil
    item.claims = claims.members.isEmpty ? nil : IDTokenClaims(members: claims)
    // Node writes UTC. Python writes the local time of an unknown time zone, which is not parsed as a date. Only access
    // tokens of the v1.0 endpoint have an expiry time, and these are never used.
    item.expiresAt = self["expiresOn"].flatMap(ISODate.instant)
    item.extraMembers.append("expires_on", self["expiresOn"])
    item.extraMembers.append("created_on", self["createdOn"])
    item.extraMembers.append("token_type", self["tokenType"])
    return item
  }

  /// The claims that were stored instead of the ID token.
  private var claims: JSONObject {
    var claims = JSONObject()
    // If it is not displayable, the user ID may be `sub` or a random value.
    if let userID = self["userId"], value("isUserIdDisplayable")?.bool ?? userID.contains("@") {
      claims.append("upn", userID)
    }
    claims.append("oid", self["oid"])
    claims.append("tid", self["tenantId"])
    claims.append("given_name", self["givenName"])
    claims.append("family_name", self["familyName"])
    claims.append("idp", self["identityProvider"])
    return claims
  }

  private func value(_ name: String) -> JSONValue? {
    members[name] ?? members[ADALEntry.snakeCase(name)]
  }

  /// Returns `refreshToken` as `refresh_token`, and `isMRRT` as `is_mrrt`.
  private static func snakeCase(_ name: String) -> String {
    var text: [UInt8] = []
    var wasSmall = false
    for byte in name.utf8 {
      let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isCapital, wasSmall { text.append(UInt8(ascii: "_")) }
      text.append(isCapital ? byte | 0x20 : byte)
      wasSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
