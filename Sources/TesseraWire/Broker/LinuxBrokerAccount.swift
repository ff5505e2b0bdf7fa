// SPDX-License-Identifier: MIT
// An account as the broker names it.

/// An account that the broker has; what it said of it goes back to it unchanged.
package struct LinuxBrokerAccount: Sendable, Equatable {
  /// Everything that the broker said.
  package let json: JSONObject
  /// The identifier that stays with a person across tenants.
  package let homeAccountID: String

  /// Reads an account; nil for one that nobody could ask for.
  package init?(_ json: JSONObject) {
    guard let home = json["homeAccountId"]?.string?.nonBlank else { return nil }
    self.json = json
    homeAccountID = home.normalised
  }

  /// The host of its cloud.
  package var environment: String? { json["environment"]?.string?.nonBlank?.normalised }
  /// Its tenant.
  package var realm: String? { json["realm"]?.string?.nonBlank?.normalised }
  /// The object id in that tenant.
  package var localAccountID: String? { json["localAccountId"]?.string?.nonBlank }
  /// What the person signs in with.
  package var username: String? { json["username"]?.string?.nonBlank }
  /// The person's name.
  package var name: String? { json["name"]?.string?.nonBlank }
  /// The person's given name.
  package var givenName: String? { json["givenName"]?.string?.nonBlank }
  /// The person's family name.
  package var familyName: String? { json["familyName"]?.string?.nonBlank }

  /// The `client_info` that a server would send for it, in the alphabet of servers.
  var clientInfo: String? {
    if let own = LinuxBrokerAccount.clientInfo(json) { return own }
    // B2C's object ids have dots, tenants have none.
    guard let dot = homeAccountID.lastIndex(of: ".") else { return nil }
    let tenant = homeAccountID[homeAccountID.index(after: dot)...]
    let person: JSONValue = [
      "uid": .string(String(homeAccountID[..<dot])), "utid": .string(String(tenant)),
    ]
    return Base64URL.encode(person.bytes)
  }

  /// The member `clientInfo`, whichever alphabet it is in.
  static func clientInfo(_ json: JSONObject) -> String? {
    json["clientInfo"]?.string?.nonBlank.flatMap(Base64URL.decodeEither).map(Base64URL.encode)
  }
}
