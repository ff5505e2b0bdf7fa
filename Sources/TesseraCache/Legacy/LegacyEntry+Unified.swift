// SPDX-License-Identifier: MIT
// An object of the unified schema as an entry: a record, unless it is somebody else's business.

package import TesseraWire

extension LegacyEntry {
  /// An object of the unified schema, told by its members; what does not load is preserved.
  ///
  /// Brokers keep tokens there that only they can use, and Intune notes for its programs.
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
