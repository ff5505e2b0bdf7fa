// SPDX-License-Identifier: MIT
// What kind of record an entity of the unified schema is, wherever it lies: its members tell.

package import TesseraWire

extension CacheRecord {
  /// An entity of the unified schema, recognised by its members; nil for one that does not load.
  ///
  /// The text of its key is of no use: every library writes another one.
  package init?(unified members: JSONObject) {
    let record: CacheRecord? =
      if members["credential_type"] != nil {
        CredentialRecord(members: members).map(CacheRecord.credential)
      } else if members["authority_type"] != nil {
        AccountRecord(members: members).map(CacheRecord.account)
      } else if members["account_metadata_map"] != nil {
        AccountMetadataRecord(members: members).map(CacheRecord.accountMetadata)
      } else {
        AppMetadataRecord(members: members).map(CacheRecord.appMetadata)
      }
    guard let record else { return nil }
    self = record
  }
}
