// SPDX-License-Identifier: MIT
// The metadata of an entry during a change, so that it is not decoded for each record of its account.

import TesseraCache
import TesseraWire

/// The metadata of a decoded entry.
struct EntryMetadata: Equatable, Sendable {
  /// The key of its record, or `nil` if it does not load.
  let key: RecordKey?
  /// The client ID of a refresh token, normalised.
  let client: String?
  /// The tenant alias of an ID token.
  let alias: TenantAlias?

  /// A realm of an application that may be a tenant alias.
  struct TenantAlias: Equatable, Sendable {
    let client: String
    let realm: String
  }
}

extension UnifiedCache {
  /// Returns the metadata of an entry.
  func metadata(_ section: UnifiedSection, _ index: Int) -> EntryMetadata {
    guard section.number < UnifiedSection.known.count,
      let members = document.members(section, index)
    else { return EntryMetadata(key: nil, client: nil, alias: nil) }
    let record = UnifiedEntry.record(
      section, members, names, key: document.key(section, index))
    return EntryMetadata(
      key: record?.key, client: section == .refreshToken ? record?.client : nil,
      alias: section == .idToken ? EntryMetadata.TenantAlias(members) : nil)
  }
}

extension EntryMetadata.TenantAlias {
  /// Creates the alias, or returns `nil` if the members have a tenant ID or no client ID.
  fileprivate init?(_ members: JSONObject) {
    guard let client = members["client_id"]?.string?.normalised,
      let realm = members["realm"]?.string, UnifiedTenant.mayBeAlias(realm)
    else { return nil }
    self.client = client
    self.realm = realm
  }
}

extension CacheRecord {
  /// The client ID of a credential, normalised, or `nil` for any other record.
  fileprivate var client: String? {
    if case .credential(let token) = self { token.clientID.normalised } else { nil }
  }
}
