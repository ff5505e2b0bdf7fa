// SPDX-License-Identifier: MIT
// The stored form of an imported item. Access tokens are left out, because they expire soon.

package import TesseraWire

extension LegacyItem {
  /// The claims that identify a user.
  ///
  /// A later ID token contains the others.
  private static var kept: [String] {
    [
      "oid", "tid", "sub", "upn", "unique_name", "preferred_username", "email", "name",
      "given_name", "family_name", "idp",
    ]
  }

  /// The JSON members to store.
  package var members: JSONObject {
    var members = JSONObject()
    members.append("environment", environment)
    members.append("realm", realm)
    members.append("client_id", clientID)
    members.append("resource", resource)
    members.append("refresh_token", refreshToken?.reveal())
    members.append("family_id", familyID)
    members.append("username", userID)
    members.append("home_account_id", homeAccountID)
    members.append("is_multi_resource", .bool(kind != .singleResource))
    if let upgrade {
      members.append("was_upgraded", .bool(true))
      if upgrade == .replaced { members.append("was_replaced", .bool(true)) }
    }
    if !signedOutClients.isEmpty {
      let clients = signedOutClients.sorted().map(JSONValue.string)
      members.append("signed_out_clients", .array(clients))
    }
    if let claims {
      let kept = LegacyItem.kept.compactMap { name in claims.all[name].map { (name, $0) } }
      members.append("claims", .object(JSONObject(kept)))
    }
    return members
  }

  /// The refresh token of the item as a record of a provisional account, or `nil` if the item has none.
  ///
  /// The record is never stored. Its ``CredentialRecord/importedName`` is the user name.
  package var credential: CredentialRecord? {
    guard let refreshToken else { return nil }
    var record = CredentialRecord(type: .refreshToken, secret: refreshToken)
    record.homeAccountID = LegacyAccountRecord(name: userID).owner
    record.environment = environment
    record.clientID = clientID
    let client = clientID.normalised
    if client.hasPrefix("foci-") { record.familyID = String(client.dropFirst(5)) }
    return record
  }

  /// Creates an item from its stored members, or returns `nil` if the token or the account is missing.
  package init?(members: JSONObject) {
    func text(_ name: String) -> String? { members[name]?.string?.nonBlank }
    guard let token = text("refresh_token"), let environment = text("environment"),
      let clientID = text("client_id"), let name = text("username")
    else { return nil }
    self.init(
      environment: environment, realm: text("realm") ?? "", clientID: clientID, userID: name)
    refreshToken = Secret(token)
    resource = text("resource")
    familyID = text("family_id")
    homeAccountID = text("home_account_id")
    claims = members["claims"]?.object.map(IDTokenClaims.init)
    isMultiResource = members["is_multi_resource"]?.bool
    if members["was_upgraded"]?.bool == true {
      upgrade = members["was_replaced"]?.bool == true ? .replaced : .kept
    }
    signedOutClients = Set(members["signed_out_clients"]?.array?.compactMap(\.string) ?? [])
  }
}

extension CredentialRecord {
  /// The user name of a provisional account, or `nil` for any other account.
  package var importedName: String? {
    let owner = LegacyAccountRecord(name: "").owner.utf8
    guard homeAccountID.utf8.starts(with: owner) else { return nil }
    return String(decoding: homeAccountID.utf8.dropFirst(owner.count), as: UTF8.self)
  }
}
