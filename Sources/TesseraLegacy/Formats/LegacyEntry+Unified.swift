// SPDX-License-Identifier: MIT
// Conversion of an object of the unified schema to an entry: a record, or an object that only another application can use.

import TesseraCache
package import TesseraWire

extension LegacyEntry {
  /// Creates an entry from an object of the unified schema, based on its members.
  ///
  /// Objects that do not load are preserved.
  ///
  /// Brokers store tokens there that only they can use, and Intune stores data for its applications.
  package init(unified members: JSONObject) {
    let type = members["credential_type"]?.string.map(CredentialType.init(name:))
    if type == .some(.primaryRefreshToken) || members["session_key"] != nil {
      self = .preserved(.primaryRefreshToken)
    } else if members["enrollment_ids"] != nil {
      self = .preserved(.intune)
    } else {
      self = CacheRecord(unified: members).map(LegacyEntry.record) ?? .preserved(.unknown)
    }
  }
}
