// SPDX-License-Identifier: MIT
// One flat entry of ADAL for Python or Node, whichever way its members are spelled.

import TesseraWire

/// The members of an entry.
struct ADALEntry {
  /// The Azure CLI, which is of family 1: its refresh tokens are good for the other members of that family.
  static let azureCLI = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

  private let members: JSONObject

  init(_ members: JSONObject) {
    self.members = members
  }

  /// A text that says something; some versions of the Azure CLI write `refresh_token` for `refreshToken`.
  subscript(_ name: String) -> String? {
    value(name)?.string?.nonBlank
  }

  /// What it says of tokens and of a person; nil without an authority or a client.
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
    // Node writes UTC. Python writes the time of day of a machine nobody knows, and then there is no date; but all
    // that has an end is an access token of the older endpoint, which is never used again.
    item.expiresAt = self["expiresOn"].flatMap(ISODate.instant)
    item.notes.append("expires_on", self["expiresOn"])
    item.notes.append("created_on", self["createdOn"])
    item.notes.append("token_type", self["tokenType"])
    return item
  }

  /// What was noted of the ID token, which itself was not kept.
  private var claims: JSONObject {
    var claims = JSONObject()
    // Without a name to sign in with, the user id may be `sub`, or drawn by lot.
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

  /// `refreshToken` as `refresh_token`, and `isMRRT` as `is_mrrt`.
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
