// SPDX-License-Identifier: MIT
// Creation of a record from an object of the unified schema, based on its members.

package import TesseraWire

extension CacheRecord {
  /// Creates a record from an object of the unified schema, or returns `nil` if it does not load.
  ///
  /// The members determine the type. The key cannot, because each library builds it differently.
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
