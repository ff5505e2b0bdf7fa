// SPDX-License-Identifier: MIT
// A record of the cache, of any type.

package import TesseraWire

/// A record of the cache.
package enum CacheRecord: Sendable, Hashable {
  case credential(CredentialRecord)
  case account(AccountRecord)
  case appMetadata(AppMetadataRecord)
  case accountMetadata(AccountMetadataRecord)
  case discovery(DiscoveryRecord)
  case throttle(ThrottleRecord)
  case signIn(SignInRecord)
  case legacyAccount(LegacyAccountRecord)
  case legacySources(LegacySourcesRecord)
  case foreign(ForeignRecord)

  /// Creates a record from the type number of its key, or returns `nil` if it does not load.
  ///
  /// A record that does not load stays in the store but is not used.
  package init?(typeNumber: Int, members: JSONObject) {
    let record: CacheRecord? =
      switch typeNumber {
      case LegacyAccountRecord.typeNumber:
        LegacyAccountRecord(members: members).map(CacheRecord.legacyAccount)
      case 1000..<2000: AccountRecord(members: members).map(CacheRecord.account)
      case 2000..<3000: CredentialRecord(members: members).map(CacheRecord.credential)
      case AppMetadataRecord.typeNumber:
        AppMetadataRecord(members: members).map(CacheRecord.appMetadata)
      case AccountMetadataRecord.typeNumber:
        AccountMetadataRecord(members: members).map(CacheRecord.accountMetadata)
      case DiscoveryRecord.typeNumber:
        DiscoveryRecord(members: members).map(CacheRecord.discovery)
      case ThrottleRecord.typeNumber:
        ThrottleRecord(members: members).map(CacheRecord.throttle)
      case SignInRecord.typeNumber:
        SignInRecord(members: members).map(CacheRecord.signIn)
      case LegacySourcesRecord.typeNumber:
        LegacySourcesRecord(members: members).map(CacheRecord.legacySources)
      case ForeignRecord.typeNumber:
        ForeignRecord(members: members).map(CacheRecord.foreign)
      default: nil
      }
    guard let record else { return nil }
    self = record
  }

  /// The key of the record.
  package var key: RecordKey {
    switch self {
    case .credential(let record): record.key
    case .account(let record): record.key
    case .appMetadata(let record): record.key
    case .accountMetadata(let record): record.key
    case .discovery(let record): record.key
    case .throttle(let record): record.key
    case .signIn: SignInRecord.key
    case .legacyAccount(let record): record.key
    case .legacySources: LegacySourcesRecord.key
    case .foreign(let record): record.key
    }
  }

  /// Whether both records have the same key.
  ///
  /// The members are compared first, because building the keys takes longer.
  package func hasSameKey(as other: CacheRecord) -> Bool {
    switch (self, other) {
    case (.credential(let left), .credential(let right)) where left.type == right.type:
      if CacheRecord.credentialKeyMembers.allSatisfy({ left.members[$0] == right.members[$0] }) {
        return true
      }
    case (.account(let left), .account(let right)):
      if CacheRecord.accountKeyMembers.allSatisfy({ left.members[$0] == right.members[$0] }) {
        return true
      }
    default: break
    }
    return key == other.key
  }

  /// The members that the key depends on.
  private static let accountKeyMembers = [
    "home_account_id", "environment", "realm", "authority_type",
  ]
  private static let credentialKeyMembers = [
    "home_account_id", "environment", "client_id", "realm", "target", "family_id", "token_type",
    "application_cache_identifier", "requested_claims",
  ]

  /// The stored JSON members.
  package var members: JSONObject {
    switch self {
    case .credential(let record): record.members
    case .account(let record): record.members
    case .appMetadata(let record): record.members
    case .accountMetadata(let record): record.members
    case .discovery(let record): record.members
    case .throttle(let record): record.members
    case .signIn(let record): record.members
    case .legacyAccount(let record): record.members
    case .legacySources(let record): record.members
    case .foreign(let record): record.members
    }
  }

  /// The home account ID of the record, or `nil` if the record does not belong to an account.
  package var owner: String? {
    switch self {
    case .credential(let record): record.homeAccountID
    case .account(let record): record.homeAccountID
    case .accountMetadata(let record): record.homeAccountID
    case .throttle(let record): record.homeAccountID
    case .legacyAccount(let record): record.owner
    case .foreign: ForeignRecord.owner
    default: nil
    }
  }

  /// The credential if it is an access token, or `nil` for any other record.
  package var accessToken: CredentialRecord? {
    guard case .credential(let record) = self, record.type.isAccessToken else { return nil }
    return record
  }
}
