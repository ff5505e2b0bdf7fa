// SPDX-License-Identifier: MIT
// The records of the cache, and their keys.

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

  /// Whether the record is a refresh token.
  package var isRefreshToken: Bool {
    guard case .credential(let record) = self else { return false }
    return record.type.isRefreshToken
  }

  /// The credential if it is an access token, or `nil` for any other record.
  package var accessToken: CredentialRecord? {
    guard case .credential(let record) = self, record.type.isAccessToken else { return nil }
    return record
  }
}

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

/// The attributes that identify a record.
///
/// Account, service and type make it unique.
///
/// Do not parse keys: client IDs and tenants may contain the separator. Match the members of a record instead.
package struct RecordKey: Sendable, Hashable {
  /// `kSecAttrAccount`.
  package let account: String
  /// `kSecAttrService`.
  package let service: String
  /// `kSecAttrGeneric`, which only narrows a search.
  package let generic: String?
  /// `kSecAttrType`.
  package let type: Int
  /// The home account ID and the environment, if their case matters and the account attribute has lost it.
  package let caseSensitivePart: String?

  /// Creates a key from its attributes.
  package init(
    account: String, service: String, generic: String?, type: Int, homeAccountID: String = "",
    environment: String = ""
  ) {
    self.account = account
    self.service = service
    self.generic = generic
    self.type = type
    // `sub` and `iss` are case-sensitive (OpenID Connect Core 2). Two users must never share a record.
    let isLowerCase = [homeAccountID, environment].allSatisfy {
      $0.isLowerCaseASCII || $0 == $0.lowercased()
    }
    caseSensitivePart = isLowerCase ? nil : homeAccountID + "\n" + environment
  }

  /// The key as a single string.
  package var text: String {
    "\(type)\n\(account)\n\(service)" + (caseSensitivePart.map { "\n" + $0 } ?? "")
  }

  /// The key as an integer, for quick primary-key lookups in a table.
  package var number: Int64 {
    RecordKey.number(of: text)
  }

  /// Returns the first eight bytes of the SHA-256 of a string.
  package static func number(of text: String) -> Int64 {
    Cipher.sha256(text).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  package static func == (left: RecordKey, right: RecordKey) -> Bool {
    left.type == right.type && left.account == right.account && left.service == right.service
      && left.caseSensitivePart == right.caseSensitivePart
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(account)
    hasher.combine(service)
  }
}

/// An entry of the unified document without a record type, such as an app-only token.
///
/// No call of Tessera uses its contents.
package struct ForeignRecord: Sendable, Hashable {
  /// The stored JSON members.
  package let members: JSONObject

  /// Creates a record from an entry.
  package init(_ entry: DocumentEntry) {
    members = [
      Name.section: .string(entry.section), Name.key: .string(entry.key), Name.value: entry.value,
    ]
  }

  /// Creates a record from its stored members, or returns `nil` if they contain no entry.
  package init?(members: JSONObject) {
    guard members[Name.section]?.string != nil, members[Name.key]?.string != nil,
      members[Name.value] != nil
    else { return nil }
    self.members = members
  }

  /// The entry of the unified document.
  package var entry: DocumentEntry {
    DocumentEntry(
      section: members[Name.section]?.string ?? "", key: members[Name.key]?.string ?? "",
      value: members[Name.value] ?? .null)
  }

  /// The home account ID, if any.
  package var homeAccountID: String? { text("home_account_id") }
  /// The client ID, if any.
  package var clientID: String? { text("client_id") }
  package var environment: String? { text("environment") }

  private func text(_ member: String) -> String? {
    members[Name.value]?.object?[member]?.string
  }

  /// The key of the record.
  package var key: RecordKey {
    let entry = entry
    return RecordKey(
      account: "foreign", service: entry.section + "\n" + entry.key, generic: nil,
      type: ForeignRecord.typeNumber)
  }

  /// The owner under which all foreign records are stored.
  ///
  /// It cannot be a home account ID.
  package static let owner = "\n foreign"

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9005

  private enum Name {
    static let section = "foreign_section"
    static let key = "foreign_key"
    static let value = "foreign_value"
  }
}

/// An entry of the unified document.
package struct DocumentEntry: Sendable, Hashable {
  /// The top-level member of the document that contains the entry.
  package let section: String
  /// The key within the section.
  ///
  /// Empty if the section is not an object; the entry is then the section's value.
  package let key: String
  /// The JSON value of the entry.
  package var value: JSONValue

  /// Creates an entry.
  package init(section: String, key: String, value: JSONValue) {
    self.section = section
    self.key = key
    self.value = value
  }

  /// The write time in seconds since 1970, or 0 if the entry has none.
  package var writeTime: Int64 { value.object?.writeTime ?? 0 }

  /// The token, if any.
  var secret: String? { value.object?["secret"]?.string }
}

extension CacheRecord {
  /// The write time in seconds since 1970, or 0 if the record has none.
  package var writeTime: Int64 { members.writeTime }
}

extension JSONObject {
  fileprivate var writeTime: Int64 {
    self["cached_at"]?.integer ?? self["last_modification_time"]?.integer ?? 0
  }
}
