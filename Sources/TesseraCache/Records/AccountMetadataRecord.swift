// SPDX-License-Identifier: MIT
// The state of an account in one application: signed in or out, and the authorities that it resolved.

package import TesseraWire

/// The sign-in state of an account in an application.
package enum SignInState: String, Sendable {
  case unknown
  case signedIn = "signed_in"
  case signedOut = "signed_out"
}

/// The metadata of an account in one application, in the layout of MSAL for Apple.
///
/// MSAL keeps one record for all accounts of an application. Tessera keeps one record per account instead. A single
/// record would be rewritten at every sign-in and could grow beyond the size limit of a record.
package struct AccountMetadataRecord: Sendable, Hashable {
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record.
  ///
  /// Without an account, it is the application-wide record of MSAL for Apple.
  package init(clientID: String, homeAccountID: String? = nil) {
    members = JSONObject()
    members.append("client_id", clientID)
    members.append("home_account_id", homeAccountID)
    members.append("account_metadata_map", .object(JSONObject()))
  }

  /// Creates a record from its stored members, or returns `nil` if the client ID is missing.
  package init?(members: JSONObject) {
    guard members["client_id"]?.string != nil else { return nil }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey {
    RecordKey(
      account: homeAccountID.map { "authority_map-" + $0.normalised } ?? "authority_map",
      service: clientID, generic: nil, type: AccountMetadataRecord.typeNumber,
      homeAccountID: homeAccountID ?? "")
  }

  package var clientID: String { members["client_id"]?.string ?? "" }
  /// The home account ID, or `nil` in the record for all accounts.
  package var homeAccountID: String? { members["home_account_id"]?.string }

  /// Returns the sign-in state of an account.
  package func state(of homeAccountID: String) -> SignInState {
    entry(homeAccountID)?["sign_in_state"]?.string.flatMap(SignInState.init) ?? .unknown
  }

  /// Returns the authority to which `requested` resolved when this account used it.
  ///
  /// Instance-aware sign-ins (of multi-cloud applications) have a separate map, because they may resolve to another
  /// cloud.
  ///
  /// - Returns: The authority, or `nil` if it resolved to itself, was never used or the account is signed out.
  package func authority(
    for requested: String, of homeAccountID: String, isInstanceAware: Bool = false
  ) -> String? {
    guard state(of: homeAccountID) != .signedOut else { return nil }
    let name = isInstanceAware ? Name.instanceAware : Name.plain
    return entry(homeAccountID)?[Name.map]?.object?[name]?.object?[requested]?.string
  }

  /// Records that an account signed in, and the authority to which the requested one resolved.
  package mutating func signIn(
    _ homeAccountID: String, requested: String? = nil, result: String? = nil,
    instanceAware: Bool = false
  ) {
    var entry = entry(homeAccountID) ?? newEntry(homeAccountID)
    entry["sign_in_state"] = .string(SignInState.signedIn.rawValue)
    if let requested, let result, requested != result {
      let name = instanceAware ? Name.instanceAware : Name.plain
      var maps = entry[Name.map]?.object ?? JSONObject()
      var map = maps[name]?.object ?? JSONObject()
      map[requested] = .string(result)
      maps[name] = .object(map)
      entry[Name.map] = .object(maps)
    }
    setEntry(homeAccountID, entry)
  }

  /// Records that an account signed out, and discards its resolved authorities.
  package mutating func signOut(_ homeAccountID: String) {
    var entry = entry(homeAccountID) ?? newEntry(homeAccountID)
    entry["sign_in_state"] = .string(SignInState.signedOut.rawValue)
    entry[Name.map] = .object(JSONObject())
    setEntry(homeAccountID, entry)
  }

  /// Sets or removes a string member.
  mutating func set(_ name: String, _ text: String?) {
    members[name] = text.map(JSONValue.string)
  }

  /// The type number in the record key.
  package static let typeNumber = 5001

  private enum Name {
    /// The misspelling is MSAL for Apple's and part of the format.
    static let map = "athority_map"
    static let plain = "URLMap-"
    static let instanceAware = "URLMap-instance_aware=YES"
  }

  private func newEntry(_ homeAccountID: String) -> JSONObject {
    [
      "client_id": .string(clientID), "home_account_id": .string(homeAccountID),
      Name.map: .object(JSONObject()),
    ]
  }

  private func entry(_ homeAccountID: String) -> JSONObject? {
    members["account_metadata_map"]?.object?[homeAccountID]?.object
  }

  private mutating func setEntry(_ homeAccountID: String, _ entry: JSONObject) {
    var map = members["account_metadata_map"]?.object ?? JSONObject()
    map[homeAccountID] = .object(entry)
    members["account_metadata_map"] = .object(map)
  }
}
