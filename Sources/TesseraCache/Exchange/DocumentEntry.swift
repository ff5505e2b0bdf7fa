// SPDX-License-Identifier: MIT
// An entry of the document that MSAL libraries keep, and the record that stands for it here.

package import TesseraWire

/// An entry of the unified document.
package struct DocumentEntry: Sendable, Hashable {
  /// The sections of which Tessera has records.
  package enum Section: String, Sendable, CaseIterable {
    case accessToken = "AccessToken"
    case account = "Account"
    case idToken = "IdToken"
    case refreshToken = "RefreshToken"
    case appMetadata = "AppMetadata"
  }

  /// The member of the document that it lies in.
  package let section: String
  /// Its key in there; empty where the member itself is the entry, since it is no object.
  package let key: String
  /// What is there.
  package var value: JSONValue

  /// An entry in its place.
  package init(section: String, key: String, value: JSONValue) {
    self.section = section
    self.key = key
    self.value = value
  }

  /// The entries for a record; none for what no other library may see.
  ///
  /// MSAL Python looks for the word that an authority has in place of a tenant, or for the tenant: a token lies under both.
  static func entries(for record: CacheRecord) -> [DocumentEntry] {
    if case .foreign(let foreign) = record { return [foreign.entry] }
    guard let section = Section(of: record) else { return [] }
    var members = JSONObject()
    for member in record.members.members where !member.name.hasPrefix("tessera_") {
      members.append(member.name, member.value)
    }
    // MSAL libraries have no account without a name.
    if section == .account, members["username"]?.string == nil { members["username"] = "" }
    let entry = DocumentEntry(section, members)
    guard let word = record.members[realmWord] else { return [entry] }
    members["realm"] = word
    let other = DocumentEntry(section, members)
    return section == .account ? [other] : [entry, other]
  }

  private init(_ section: Section, _ members: JSONObject) {
    self.init(
      section: section.rawValue, key: DocumentEntry.key(of: members, in: section),
      value: .object(members))
  }

  /// The word in place of a tenant that another library has written.
  private static let realmWord = "tessera_realm"

  /// Members of an entry with the tenant that its realm stands for.
  private static func placed(_ members: JSONObject) -> JSONObject {
    guard let realm = members["realm"]?.string, let home = members["home_account_id"]?.string,
      let tenant = UnifiedTenant.tenant(behind: realm, of: home)
    else { return members }
    var members = members
    members["realm"] = .string(tenant)
    members[realmWord] = .string(realm)
    return members
  }

  /// The record that stands for it; nil for an entry that is kept as it is.
  package var record: CacheRecord? {
    guard let members = value.object, let section = Section(rawValue: section),
      !members.members.contains(where: { DocumentEntry.apart.contains($0.name) })
    else { return nil }
    switch section {
    case .appMetadata:
      return AppMetadataRecord(members: members).map(CacheRecord.appMetadata)
    case .account:
      guard let account = AccountRecord(members: DocumentEntry.placed(members)),
        !account.homeAccountID.isEmpty,
        !account.environment.isEmpty
      else { return nil }
      return .account(account)
    case .accessToken, .idToken, .refreshToken:
      guard let token = CredentialRecord(members: DocumentEntry.placed(members)),
        token.type.name == section.rawValue,
        !token.homeAccountID.isEmpty, ["", "bearer"].contains((token.tokenType ?? "").normalised)
      else { return nil }
      return .credential(token)
    }
  }

  /// When it was written, as far as it says so, in seconds since 1970; 0 where it does not.
  package var writtenOn: Int64 {
    let members = value.object
    return members?["cached_at"]?.integer ?? members?["last_modification_time"]?.integer ?? 0
  }

  /// The token that it holds.
  var secret: String? { value.object?["secret"]?.string }

  /// The entry with another host in place of its own.
  package func inEnvironment(_ name: (String) -> String) -> DocumentEntry {
    guard var members = value.object, let host = members["environment"]?.string,
      let section = Section(rawValue: section), record != nil
    else { return self }
    members["environment"] = .string(name(host))
    return DocumentEntry(section, members)
  }

  /// Members that tell tokens apart which Tessera does not tell apart by them: such entries are kept as they are.
  private static let apart: Set = [
    "ext_cache_key", "ext_cache_key_hash", "ext", "additionalCacheKeyComponents",
    "user_assertion_hash", "userAssertionHash", "key_id", "keyid", "kid", "requested_claims",
    "requestedClaims", "application_cache_identifier",
  ]
}

extension CredentialRecord {
  /// With the word for its tenant that an older one was found by.
  func foundAlso(as older: CacheRecord) -> CredentialRecord {
    guard self["tessera_realm"] == nil, let word = older.members["tessera_realm"]?.string else {
      return self
    }
    var token = self
    token["tessera_realm"] = word
    return token
  }
}

extension CacheRecord {
  /// When it was written, as far as it says so, in seconds since 1970; 0 where it does not.
  package var writtenOn: Int64 {
    let members = members
    return members["cached_at"]?.integer ?? members["last_modification_time"]?.integer ?? 0
  }
}

extension DocumentEntry {
  /// Whether it says more than another one for the same place: a family's token does, for other members; then the time counts.
  func isBetter(than other: DocumentEntry) -> Bool {
    guard let record, let old = other.record else { return true }
    if case .credential(let token) = record, case .credential(let older) = old,
      (token.familyID == nil) != (older.familyID == nil)
    {
      return token.familyID != nil
    }
    return record.writtenOn >= old.writtenOn
  }

  /// The key under which MSAL Python looks for an entry, which removes by it (spelled as most libraries spell it).
  private static func key(of members: JSONObject, in section: Section) -> String {
    func text(_ name: String) -> String { members[name]?.string ?? "" }
    let place = [text("home_account_id"), text("environment")]
    let parts =
      switch section {
      case .accessToken:
        place + [section.rawValue, text("client_id"), text("realm"), text("target")]
      case .refreshToken: place + [section.rawValue, text("client_id"), "", text("target")]
      case .idToken: place + [section.rawValue, text("client_id"), text("realm"), ""]
      case .account: place + [text("realm")]
      // The only one that keeps the case of the client.
      case .appMetadata: ["appmetadata", text("environment"), text("client_id")]
      }
    let key = parts.joined(separator: "-")
    return section == .appMetadata ? key : key.lowercased()
  }
}

extension DocumentEntry.Section {
  /// The section of a record; nil for what no other library may see.
  fileprivate init?(of record: CacheRecord) {
    switch record {
    case .appMetadata: self = .appMetadata
    case .account: self = .account
    case .credential(let token):
      // Tokens for other capabilities are other tokens; other libraries do not tell them apart.
      guard token.requestedClaims?.nonBlank == nil, token.applicationIdentifier == nil,
        token.keyID == nil, let section = DocumentEntry.Section(rawValue: token.type.name)
      else { return nil }
      self = section
    default: return nil
    }
  }
}
