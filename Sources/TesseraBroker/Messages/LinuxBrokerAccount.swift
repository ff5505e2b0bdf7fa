// SPDX-License-Identifier: MIT
// An account as described by the Linux identity broker.

package import TesseraWire

/// An account of the broker.
///
/// Requests for it contain its JSON object unchanged.
package struct LinuxBrokerAccount: Sendable, Equatable {
  /// All members that the broker returned.
  package let json: JSONObject
  /// The home account ID, which is the same in all tenants.
  package let homeAccountID: String

  /// Reads an account; nil if it has no home account ID, since no request could name it.
  package init?(_ json: JSONObject) {
    guard let home = json["homeAccountId"]?.string?.nonBlank else { return nil }
    self.json = json
    homeAccountID = home.normalised
  }

  /// The host of the account's cloud.
  package var environment: String? { json["environment"]?.string?.nonBlank?.normalised }
  /// The tenant ID.
  package var realm: String? { json["realm"]?.string?.nonBlank?.normalised }
  /// The object ID in that tenant.
  package var localAccountID: String? { json["localAccountId"]?.string?.nonBlank }
  /// The user name.
  package var username: String? { json["username"]?.string?.nonBlank }
  /// The display name.
  package var name: String? { json["name"]?.string?.nonBlank }
  /// The given name.
  package var givenName: String? { json["givenName"]?.string?.nonBlank }
  /// The family name.
  package var familyName: String? { json["familyName"]?.string?.nonBlank }

  /// The equivalent `client_info` of a token endpoint, in base64url; nil if the account has no tenant.
  var clientInfo: String? {
    if let own = LinuxBrokerAccount.clientInfo(json) { return own }
    // The object IDs of B2C contain dots. Tenant IDs do not.
    guard let dot = homeAccountID.lastIndex(of: ".") else { return nil }
    let tenant = homeAccountID[homeAccountID.index(after: dot)...]
    let members: JSONValue = [
      "uid": .string(String(homeAccountID[..<dot])), "utid": .string(String(tenant)),
    ]
    return Base64URL.encode(members.bytes)
  }

  /// Returns the member `clientInfo` in base64url, from either base64 alphabet; nil if it is absent or invalid.
  static func clientInfo(_ json: JSONObject) -> String? {
    json["clientInfo"]?.string?.nonBlank.flatMap(Base64URL.decodeAnyAlphabet).map(Base64URL.encode)
  }
}
