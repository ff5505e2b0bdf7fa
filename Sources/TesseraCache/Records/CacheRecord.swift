// SPDX-License-Identifier: MIT
// The records of the cache that are not credentials, and the keys of all records.

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

  /// The issuer, the application or its family, and the account of a credential, or `nil` for any other record.
  ///
  /// The lock of a refresh token has the same name.
  package var partition: String? {
    guard case .credential(let record) = self else { return nil }
    let application = record.familyID.map { "family " + $0 } ?? record.clientID.normalised
    return "\(record.environment)\n\(application)\n\(record.homeAccountID)"
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
  /// The owner of the record, or `nil` if it does not belong to an account.
  ///
  /// A store keeps the records of an owner together. It follows from the other attributes.
  package private(set) var owner: String?

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

  /// Returns the key of a record of an owner.
  package func owned(by owner: String?) -> RecordKey {
    var key = self
    key.owner = owner
    return key
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
      type: ForeignRecord.typeNumber
    ).owned(by: ForeignRecord.owner)
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
  package var secret: String? { value.object?["secret"]?.string }
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

/// A cached discovery document.
///
/// It contains no secrets and saves each process two requests.
package struct DiscoveryRecord: Sendable, Hashable {
  /// The stored JSON members.
  package let members: JSONObject

  /// Creates a record of the discovery documents of an authority.
  ///
  /// - Parameters:
  ///   - isVerified: See ``isVerified``.
  ///   - now: The time of the request.
  package init(
    authority: String, configuration: OpenIDConfiguration, cloud: CloudInstance?,
    isVerified: Bool = false, at now: Instant
  ) {
    var members = JSONObject()
    members.append("authority", authority)
    members.append("cached_at", String(now.secondsSince1970))
    members.append("configuration", .object(configuration.json))
    if let cloud {
      members.append("preferred_network", cloud.preferredNetwork)
      members.append("preferred_cache", cloud.preferredCache)
      members.append("aliases", .array(cloud.aliases.map(JSONValue.string)))
    }
    if isVerified { members.append("verified", true) }
    self.members = members
  }

  /// Creates a record from its stored members, or returns `nil` if required members are missing.
  package init?(members: JSONObject) {
    guard members["authority"]?.string != nil, members["configuration"]?.object != nil else {
      return nil
    }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey {
    DiscoveryRecord.key(authority: authority)
  }

  /// Returns the key of an authority's record.
  package static func key(authority: String) -> RecordKey {
    RecordKey(account: "discovery", service: authority, generic: nil, type: typeNumber)
  }

  package var authority: String { members["authority"]?.string ?? "" }

  /// The OpenID configuration, or `nil` if the stored document is not valid.
  package var configuration: OpenIDConfiguration? {
    members["configuration"]?.object.flatMap { try? OpenIDConfiguration($0) }
  }

  /// The hosts of the cloud, or `nil` if the provider has no clouds.
  package var cloud: CloudInstance? {
    guard let network = members["preferred_network"]?.string,
      let cache = members["preferred_cache"]?.string
    else { return nil }
    return CloudInstance(
      preferredNetwork: network, preferredCache: cache,
      aliases: (members["aliases"]?.array ?? []).compactMap(\.string))
  }

  /// Whether the host was verified by instance discovery.
  ///
  /// An application that requires the verification ignores other records.
  package var isVerified: Bool { members["verified"]?.bool == true }

  /// Whether the record is less than a day old, which is also the cache lifetime in MSAL Python.
  package func isFresh(at now: Instant) -> Bool {
    guard let cachedAt = members["cached_at"]?.integer else { return false }
    return (0..<86_400).contains(now.seconds(since: Instant(secondsSince1970: cachedAt)))
  }

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9001
}

/// The throttle record of a failed token request.
///
/// It contains no secrets: its name is a hash, and the error contains only what the server returned.
package struct ThrottleRecord: Sendable, Hashable {
  /// The maximum lifetime of a record, in seconds.
  package static let maximumSeconds: Int64 = 3600

  /// The stored JSON members.
  package let members: JSONObject

  /// Creates a record of a failure.
  ///
  /// - Parameters:
  ///   - blockedForSeconds: The time for which no request may be sent.
  ///   - backoffForSeconds: The backoff for callers that have a valid token.
  ///   - failures: The number of consecutive failures.
  package init(
    name: String, homeAccountID: String, clientID: String, at clocks: Clocks,
    blockedForSeconds: Int64,
    backoffForSeconds: Int64, failures: Int64, error: JSONObject
  ) {
    let blocks = min(max(blockedForSeconds, 0), Self.maximumSeconds)
    let backoff = min(max(backoffForSeconds, 0), Self.maximumSeconds)
    func end(_ seconds: Int64) -> String {
      String(clocks.now.adding(seconds: seconds).secondsSince1970)
    }
    var members = JSONObject()
    members.append("throttle", name)
    members.append("home_account_id", homeAccountID)
    members.append("client_id", clientID)
    members.append("cached_at", String(clocks.now.secondsSince1970))
    members.append("cached_moment", clocks.bootTime?.text)
    members.append("blocked_until", end(blocks))
    members.append("rests_until", end(backoff))
    // The count of consecutive failures expires after twice that time, if no request was sent in the meantime.
    members.append("expires_on", end(min(2 * max(blocks, backoff), Self.maximumSeconds)))
    members.append("failures", String(failures))
    members.append("error", .object(error))
    self.members = members
  }

  /// Creates a record from its stored members, or returns `nil` if required members are missing.
  package init?(members: JSONObject) {
    guard members["throttle"]?.string != nil, members["home_account_id"]?.string != nil,
      members["client_id"]?.string != nil, members["error"]?.object != nil
    else { return nil }
    self.members = members
  }

  /// Returns the name of a request: a hash of the parts that identify it.
  package static func name(of parts: [String]) -> String {
    // Prefix each part with its length, so that two different lists never produce the same string.
    let text = parts.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
    return Hexadecimal.text(Cipher.sha256(text))
  }

  /// The key of the record.
  package var key: RecordKey { ThrottleRecord.key(named: name, of: homeAccountID) }

  /// Returns the key of the record of a request.
  package static func key(named name: String, of homeAccountID: String) -> RecordKey {
    RecordKey(
      account: "throttle", service: name, generic: nil, type: typeNumber
    ).owned(by: homeAccountID)
  }

  package var name: String { members["throttle"]?.string ?? "" }
  package var homeAccountID: String { members["home_account_id"]?.string ?? "" }
  package var clientID: String { members["client_id"]?.string ?? "" }
  package var failures: Int64 { max(members["failures"]?.integer ?? 0, 0) }
  /// The members of the recorded error.
  package var error: JSONObject { members["error"]?.object ?? JSONObject() }

  /// Returns the seconds until a request may be sent, or 0.
  package func blockedSeconds(at clocks: Clocks) -> Int64 { secondsLeft("blocked_until", clocks) }

  /// Returns the seconds until a caller with a valid token may send a request, or 0.
  package func backoffSeconds(at clocks: Clocks) -> Int64 {
    max(secondsLeft("rests_until", clocks), blockedSeconds(at: clocks))
  }

  /// Whether the record has expired and can be removed.
  package func hasExpired(at clocks: Clocks) -> Bool { secondsLeft("expires_on", clocks) == 0 }

  /// Returns the remaining seconds by the clock that reports more elapsed time.
  ///
  /// No clock change can thus extend a backoff.
  ///
  /// If the record is in the future, the wall clock was set back. Then only the boot-time clock counts.
  private func secondsLeft(_ name: String, _ clocks: Clocks) -> Int64 {
    guard let start, let end = members[name]?.integer, let age = ageSeconds(at: clocks) else {
      return 0
    }
    let whole = min(Instant(secondsSince1970: end).seconds(since: start), Self.maximumSeconds)
    return max(whole - min(age, Self.maximumSeconds), 0)
  }

  private var start: Instant? {
    members["cached_at"]?.integer.map { Instant(secondsSince1970: $0) }
  }

  /// Returns the seconds since the failure, or `nil` if no clock can measure them.
  package func ageSeconds(at clocks: Clocks) -> Int64? {
    guard let start else { return nil }
    let bootTime = members["cached_moment"]?.string.flatMap(BootTime.init)
    let bootTimeAge = bootTime.flatMap { clocks.bootTime?.seconds(since: $0) }
    let wallClockAge = clocks.now.seconds(since: start)
    return bootTimeAge.map { max($0, wallClockAge) } ?? (wallClockAge < 0 ? nil : wallClockAge)
  }

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9002
}
