// SPDX-License-Identifier: MIT
// Whose items of an older library are meant where one name may be that of several people.

import TesseraWire

/// One of those who have a name in the caches of older libraries.
package struct LegacyPerson: Sendable {
  /// The identifier; nil for somebody who has none yet.
  package let homeAccountID: String?
  /// What tells somebody without an identifier from others: ``LegacyItem/identity``; nil for everybody with the name.
  package let identity: String?
  /// The object ids of somebody with an identifier by their tenants, normalised, as far as they are known.
  package let objectIDs: [String: String]

  /// A person by what is known of them.
  package init(
    homeAccountID: String?, identity: String? = nil, objectIDs: [String: String] = [:]
  ) {
    self.homeAccountID = homeAccountID
    self.identity = identity
    self.objectIDs = objectIDs
  }

  /// Whether an item is this person's.
  ///
  /// - Parameter known: the identifiers that are known of people with the name.
  func has(_ item: LegacyItem, amongPeople known: Set<String>) -> Bool {
    guard let home = homeAccountID else {
      return identity == nil || item.identity == nil || item.identity == identity
    }
    if let isOfPerson = item.isOf(home, objectIDs) { return isOfPerson }
    // Once the person's items are known, one that is of an identity and not among them is another person's.
    let isFound = known.contains { $0.normalised == home.normalised }
    return item.identity == nil || !isFound
  }
}
