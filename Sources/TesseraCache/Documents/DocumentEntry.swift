// SPDX-License-Identifier: MIT
// An entry of the document that MSAL libraries keep, and the record that stands for it here.

package import TesseraWire

/// An entry of the unified document.
package struct DocumentEntry: Sendable, Hashable {
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
    let section = UnifiedEntry.section(of: record, UnifiedNames())
    guard section != .own else { return [] }
    let all =
      switch record {
      case .credential(let token) where section == .accessToken:
        UnifiedEntry.members(of: token, realm: token.realm ?? "", UnifiedNames())
      case .account(let account): UnifiedEntry.members(of: account, over: nil)
      default: UnifiedEntry.members(of: record, over: nil)
      }
    var members = JSONObject()
    for member in all.members where !member.name.hasPrefix("tessera_") {
      members.append(member.name, member.value)
    }
    // In the order that the record has: another one would make it another record when it comes back.
    if let target = all[UnifiedEntry.originalTarget] { members["target"] = target }
    let entry = DocumentEntry(section, members)
    guard section != .account, let word = record.members[UnifiedTenant.wordMember] else {
      return [entry]
    }
    members["realm"] = word
    return [entry, DocumentEntry(section, members)]
  }

  private init(_ section: UnifiedSection, _ members: JSONObject) {
    self.init(
      section: section.name, key: UnifiedKey.text(section, members), value: .object(members))
  }

  /// The record that stands for it; nil for an entry that is kept as it is.
  package var record: CacheRecord? {
    guard let section = UnifiedSection(name: section), section != .own, let members = value.object
    else { return nil }
    return UnifiedEntry.record(section, members, UnifiedNames(), key: key)
  }

  /// When it was written, as far as it says so, in seconds since 1970; 0 where it does not.
  package var writtenOn: Int64 {
    let members = value.object
    return members?["cached_at"]?.integer ?? members?["last_modification_time"]?.integer ?? 0
  }

  /// The token that it holds.
  var secret: String? { value.object?["secret"]?.string }

  /// The entry with another host in place of its own.
  ///
  /// - Parameters:
  ///   - name: the host for an entry with a record.
  ///   - foreign: the host for an access token without a record, such as one that is bound to a key. It is stored as
  ///     the document shows it, under the host of its account.
  package func inEnvironment(
    _ name: (String) -> String, foreign: (String) -> String
  ) -> DocumentEntry {
    guard var members = value.object, let host = members["environment"]?.string,
      let section = UnifiedSection(name: section)
    else { return self }
    guard record == nil else {
      members["environment"] = .string(name(host))
      return DocumentEntry(section, members)
    }
    let other = foreign(host)
    guard section == .accessToken, other != host else { return self }
    members["environment"] = .string(other)
    return DocumentEntry(
      section: self.section, key: moved(from: host, to: other), value: .object(members))
  }

  /// The key with another host; libraries build it as `home_account_id-environment-…`, in lower case.
  private func moved(from host: String, to other: String) -> String {
    let home = value.object?["home_account_id"]?.string ?? ""
    let start = "\(home)-\(host)-".lowercased()
    guard key.lowercased().hasPrefix(start) else { return key }
    return "\(home)-\(other)-".lowercased() + key.dropFirst(start.count)
  }
}

extension CredentialRecord {
  /// With the word for its tenant that an older one was found by.
  func foundAlso(as older: CacheRecord) -> CredentialRecord {
    guard self[UnifiedTenant.wordMember] == nil,
      let word = older.members[UnifiedTenant.wordMember]?.string
    else { return self }
    var token = self
    token[UnifiedTenant.wordMember] = word
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
}
