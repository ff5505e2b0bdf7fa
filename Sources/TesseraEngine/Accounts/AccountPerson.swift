// SPDX-License-Identifier: MIT
// Who a record is about: one person of one cloud, under whatever of its hosts the record was stored.

import TesseraCache
import TesseraWire

/// What tells one person from another.
struct AccountPerson: Hashable {
  let homeAccountID: String
  let environment: String

  /// The person of a record.
  init(_ homeAccountID: String, _ environment: String) {
    self.homeAccountID = homeAccountID
    self.environment = CloudTable.preferredCaches[environment] ?? environment
  }

  /// Whether a person comes before another one in a list.
  func precedes(_ other: AccountPerson) -> Bool {
    homeAccountID == other.homeAccountID
      ? environment < other.environment : homeAccountID < other.homeAccountID
  }

  /// Whether two environments are one: hosts of a built-in cloud are, issuers are spelled exactly.
  static func sharesCloud(_ left: String, _ right: String) -> Bool {
    left == right || environment(left) == environment(right)
  }

  /// The environment under which a cloud's records are stored.
  static func environment(_ environment: String) -> String {
    CloudTable.preferredCaches[environment.normalised] ?? environment
  }
}
