// SPDX-License-Identifier: MIT
// What is remembered of an entry while a change is made, so that it need not be decoded for each record of its person.

import TesseraWire

/// What is known of an entry.
struct EntryMetadata: Equatable, Sendable {
  /// The record that it holds; nil for what is none.
  let key: RecordKey?
  /// The application of a refresh token, as it compares.
  let client: String?
  /// What an ID token has in place of a tenant.
  let word: Word?

  /// A realm of an application that may stand for a tenant.
  struct Word: Equatable, Sendable {
    let client: String
    let realm: String
  }
}

extension UnifiedCache {
  /// What is known of an entry.
  func note(_ section: UnifiedSection, _ index: Int) -> EntryMetadata {
    guard section.number < UnifiedSection.known.count,
      let members = document.members(section, index)
    else { return EntryMetadata(key: nil, client: nil, word: nil) }
    let record = UnifiedEntry.record(
      section, members, names, key: document.key(section, index))
    return EntryMetadata(
      key: record?.key, client: section == .refreshToken ? record?.client : nil,
      word: section == .idToken ? EntryMetadata.Word(members) : nil)
  }
}

extension EntryMetadata.Word {
  /// Nil for members that name a tenant by its number, or no application.
  fileprivate init?(_ members: JSONObject) {
    guard let client = members["client_id"]?.string?.normalised,
      let realm = members["realm"]?.string, UnifiedTenant.mayBeWord(realm)
    else { return nil }
    self.client = client
    self.realm = realm
  }
}

extension CacheRecord {
  /// The application of a credential, as it compares; nil for every other record.
  fileprivate var client: String? {
    if case .credential(let token) = self { token.clientID.normalised } else { nil }
  }
}
