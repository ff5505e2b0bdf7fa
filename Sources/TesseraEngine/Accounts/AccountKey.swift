// SPDX-License-Identifier: MIT
// The key that identifies the account of a record, independent of the cloud's host alias under which it was stored.

import TesseraCache
import TesseraWire

/// The key of an account: its identifier and its cloud or issuer.
struct AccountKey: Hashable {
  let homeAccountID: String
  let environment: String

  /// Creates the key of a record.
  ///
  /// All host aliases of a cloud yield the same key.
  init(_ homeAccountID: String, _ environment: String) {
    self.homeAccountID = homeAccountID
    self.environment = CloudTable.preferredCaches[environment] ?? environment
  }

  /// Whether the key precedes another one in a list.
  func precedes(_ other: AccountKey) -> Bool {
    homeAccountID == other.homeAccountID
      ? environment.bytesPrecede(other.environment)
      : homeAccountID.bytesPrecede(other.homeAccountID)
  }

  /// Whether two environments are equal.
  ///
  /// Hosts of one built-in cloud are; issuers are compared exactly.
  static func isSameCloud(_ left: String, _ right: String) -> Bool {
    left == right || environment(left) == environment(right)
  }

  /// Returns the environment under which the records of a cloud are stored.
  static func environment(_ environment: String) -> String {
    CloudTable.preferredCaches[environment.normalised] ?? environment
  }
}
