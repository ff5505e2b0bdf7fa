// SPDX-License-Identifier: MIT
// What an application remembers of its accounts: signed in or out, and where an authority led.

package import TesseraWire

/// Whether an application may use an account.
package enum SignInState: String, Sendable {
  case unknown
  case signedIn = "signed_in"
  case signedOut = "signed_out"
}

/// What one application remembers of an account, in the layout that MSAL for Apple has for all of its accounts.
///
/// A store keeps one record for each account: a single one would be read and written whole for every sign-in, and grow
/// with the number of people until it can't be read at all.
package struct AccountMetadataRecord: Sendable, Hashable {
  /// The record as it is stored, unknown members included.
  package private(set) var members: JSONObject

  /// A new record of an application; without an account it is the one of all accounts that MSAL for Apple keeps.
  package init(clientID: String, homeAccountID: String? = nil) {
    members = JSONObject()
    members.append("client_id", clientID)
    members.append("home_account_id", homeAccountID)
    members.append("account_metadata_map", .object(JSONObject()))
  }

  /// A stored record; nil for one that names no application.
  package init?(members: JSONObject) {
    guard members["client_id"]?.string != nil else { return nil }
    self.members = members
  }

  /// Where it lies.
  package var key: RecordKey {
    RecordKey(
      account: homeAccountID.map { "authority_map-" + $0.normalised } ?? "authority_map",
      service: clientID, generic: nil, type: AccountMetadataRecord.typeNumber,
      homeAccountID: homeAccountID ?? "")
  }

  package var clientID: String { members["client_id"]?.string ?? "" }
  /// The account; nil for a record of all accounts.
  package var homeAccountID: String? { members["home_account_id"]?.string }

  /// Whether the application may use an account.
  package func state(of homeAccountID: String) -> SignInState {
    entry(homeAccountID)?["sign_in_state"]?.string.flatMap(SignInState.init) ?? .unknown
  }

  /// Where an authority led when this account used it; nil when it led to itself or was never used.
  ///
  /// Sign-ins of applications for several clouds have a map of their own: elsewhere they would have led to another cloud.
  package func authority(
    for requested: String, of homeAccountID: String, isInstanceAware: Bool = false
  ) -> String? {
    guard state(of: homeAccountID) != .signedOut else { return nil }
    let name = isInstanceAware ? Name.instanceAware : Name.plain
    return entry(homeAccountID)?[Name.map]?.object?[name]?.object?[requested]?.string
  }

  /// Records that an account signed in, and where the authority led that it used.
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

  /// Records that an account signed out; what it used is forgotten.
  package mutating func signOut(_ homeAccountID: String) {
    var entry = entry(homeAccountID) ?? newEntry(homeAccountID)
    entry["sign_in_state"] = .string(SignInState.signedOut.rawValue)
    entry[Name.map] = .object(JSONObject())
    setEntry(homeAccountID, entry)
  }

  /// Sets a member that is a text, or removes it.
  mutating func set(_ name: String, _ text: String?) {
    members[name] = text.map(JSONValue.string)
  }

  /// The number that its key carries.
  package static let typeNumber = 5001

  private enum Name {
    /// Written like this by MSAL for Apple, so it must be read and written like this.
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
