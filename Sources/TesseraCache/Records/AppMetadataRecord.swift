// SPDX-License-Identifier: MIT
// The membership of an application in a family that shares refresh tokens.

package import TesseraWire

/// The family of an application, as last reported by the server.
///
/// No record means unknown, an empty family ID means not a member, any other value is the family.
package struct AppMetadataRecord: Sendable, Hashable {
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record.
  ///
  /// An empty family ID means that the application does not belong to a family.
  package init(clientID: String, environment: String, familyID: String) {
    members = JSONObject()
    members.append("client_id", clientID)
    members.append("environment", environment)
    members.append("family_id", familyID)
  }

  /// Creates a record from its stored members, or returns `nil` if the client ID or the environment is missing.
  package init?(members: JSONObject) {
    guard members["client_id"]?.string != nil, members["environment"]?.string != nil else {
      return nil
    }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey {
    RecordKey(
      account: environment, service: "appmetadata-" + clientID.normalised,
      generic: members["family_id"]?.string?.nonBlank, type: AppMetadataRecord.typeNumber)
  }

  package var clientID: String { members["client_id"]?.string ?? "" }
  package var environment: String { members["environment"]?.string ?? "" }
  /// The family ID, or an empty string for none.
  package var familyID: String { members["family_id"]?.string ?? "" }

  /// The type number in the record key.
  package static let typeNumber = 3001
}
