// SPDX-License-Identifier: MIT
// Whether an application belongs to a family that shares refresh tokens.

package import TesseraWire

/// What the server last said about an application's family.
///
/// Three states matter: no record means unknown, an empty family means not a member, a text names the family.
package struct AppMetadataRecord: Sendable, Hashable {
  /// The record as it is stored, unknown members included.
  package private(set) var members: JSONObject

  /// A new record; an empty family id says that the application is in no family.
  package init(clientID: String, environment: String, familyID: String) {
    members = JSONObject()
    members.append("client_id", clientID)
    members.append("environment", environment)
    members.append("family_id", familyID)
  }

  /// A stored record; nil for one that names no application or environment.
  package init?(members: JSONObject) {
    guard members["client_id"]?.string != nil, members["environment"]?.string != nil else {
      return nil
    }
    self.members = members
  }

  /// Where it lies.
  package var key: RecordKey {
    RecordKey(
      account: environment, service: "appmetadata-" + clientID.normalised,
      generic: members["family_id"]?.string?.nonBlank, type: AppMetadataRecord.typeNumber)
  }

  package var clientID: String { members["client_id"]?.string ?? "" }
  package var environment: String { members["environment"]?.string ?? "" }
  /// The family; empty for none.
  package var familyID: String { members["family_id"]?.string ?? "" }

  /// The number that its key carries.
  package static let typeNumber = 3001
}
