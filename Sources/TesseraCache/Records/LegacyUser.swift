// SPDX-License-Identifier: MIT
// The user that an operation on imported items applies to. Several users may have had the same user name.

import TesseraWire

/// One of the users with the same user name in older caches.
package struct LegacyUser: Sendable {
  /// The home account ID, or `nil` if it is unknown.
  package let homeAccountID: String?
  /// The ``LegacyItem/identity`` of a user without a home account ID, or `nil` for all users with the name.
  package let identity: String?
  /// The known object IDs of a user with a home account ID, by tenant, normalised.
  package let objectIDs: [String: String]

  /// Creates a user.
  package init(
    homeAccountID: String?, identity: String? = nil, objectIDs: [String: String] = [:]
  ) {
    self.homeAccountID = homeAccountID
    self.identity = identity
    self.objectIDs = objectIDs
  }

  /// Returns whether an item belongs to this user.
  ///
  /// - Parameter known: The known home account IDs of users with the name.
  func owns(_ item: LegacyItem, knownIDs known: Set<ExactString>) -> Bool {
    guard let home = homeAccountID else {
      return identity == nil || item.identity == nil || item.identity == identity
    }
    if let belongsToUser = item.belongsTo(home, objectIDs) { return belongsToUser }
    // If items of this user are known, an item with an identity that does not match belongs to another user.
    let isFound = known.texts.contains { $0.normalised == home.normalised }
    return item.identity == nil || !isFound
  }
}
