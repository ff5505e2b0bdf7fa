// SPDX-License-Identifier: MIT
// Conversion of an entry of the unified document to and from a record.

package import TesseraCache
import TesseraWire

extension DocumentEntry {
  /// Returns the entries for a record, or an empty array if other libraries must not see the record.
  ///
  /// MSAL Python looks up a token by the tenant alias of its authority, or by the tenant ID. A token with an alias
  /// therefore has two entries.
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
    // Restore the original order of the scopes. A different order would be a different record when the document is read
    // back.
    if let target = all[UnifiedEntry.originalTarget] { members["target"] = target }
    let entry = DocumentEntry(section, members)
    guard section != .account, let alias = record.members[CredentialRecord.tenantAliasMember] else {
      return [entry]
    }
    members["realm"] = alias
    return [entry, DocumentEntry(section, members)]
  }

  private init(_ section: UnifiedSection, _ members: JSONObject) {
    self.init(
      section: section.name, key: UnifiedKey.text(section, members), value: .object(members))
  }

  /// The record for the entry, or `nil` if the entry is stored unchanged.
  package var record: CacheRecord? {
    guard let section = UnifiedSection(name: section), section != .own, let members = value.object
    else { return nil }
    return UnifiedEntry.record(section, members, UnifiedNames(), key: key)
  }

  /// Returns the entry with its environment replaced.
  ///
  /// - Parameters:
  ///   - name: Maps the host of an entry that loads as a record.
  ///   - foreign: Maps the host of an access token that does not load, such as a key-bound token. Such a token is
  ///     stored as in the document, under the host of its account.
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

  /// Returns the key with the host replaced.
  ///
  /// Libraries build it as `home_account_id-environment-…`, in lowercase.
  private func moved(from host: String, to other: String) -> String {
    let home = value.object?["home_account_id"]?.string ?? ""
    let start = "\(home)-\(host)-".lowercased()
    guard key.lowercased().hasPrefix(start) else { return key }
    return "\(home)-\(other)-".lowercased() + key.dropFirst(start.count)
  }
}

extension DocumentEntry {
  /// Whether the entry takes precedence over another one with the same key.
  ///
  /// A token with a family ID takes precedence over one without. Otherwise the later write does.
  func takesPrecedence(over other: DocumentEntry) -> Bool {
    guard let record, let old = other.record else { return true }
    if case .credential(let token) = record, case .credential(let older) = old,
      (token.familyID == nil) != (older.familyID == nil)
    {
      return token.familyID != nil
    }
    return record.writeTime >= old.writeTime
  }
}
