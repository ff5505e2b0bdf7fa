// SPDX-License-Identifier: MIT
// The records of an in-memory cache.

import TesseraWire

/// An in-memory table of records.
package struct MemoryTable: CacheTable, Sendable {
  private var records: [RecordKey: CacheRecord] = [:]
  private var keysOfOwner: [ExactString: Set<RecordKey>] = [:]
  private var keysOfScope: [ExactString: Set<RecordKey>] = [:]

  /// Creates an empty table.
  package init() {}

  package func record(at key: RecordKey) -> CacheRecord? {
    records[key]
  }

  package func records(of owner: String) -> [CacheRecord] {
    (keysOfOwner[owner] ?? []).compactMap { records[$0] }
  }

  package func accessTokens(of owner: String, having scope: String?) -> [CredentialRecord] {
    (keysOfScope[MemoryTable.scopeName(owner, scope)] ?? []).compactMap { records[$0]?.accessToken }
  }

  package func allAccounts() -> [CacheRecord] {
    records.values.filter { record in
      switch record {
      case .account, .accountMetadata, .legacyAccount: true
      case .credential(let token): token.type.isRefreshToken || token.type == .idToken
      default: false
      }
    }
  }

  package func everything() -> [CacheRecord] { Array(records.values) }

  package mutating func put(_ record: CacheRecord) {
    let key = record.key
    remove(key)
    records[key] = record
    guard let owner = record.owner else { return }
    guard let token = record.accessToken else {
      keysOfOwner[owner, default: []].insert(key)
      return
    }
    for scope in MemoryTable.scopeNames(of: token) {
      keysOfScope[scope, default: []].insert(key)
    }
  }

  package mutating func remove(_ key: RecordKey) {
    guard let record = records.removeValue(forKey: key), let owner = record.owner else { return }
    guard let token = record.accessToken else {
      keysOfOwner[owner]?.remove(key)
      return
    }
    for scope in MemoryTable.scopeNames(of: token) { keysOfScope[scope]?.remove(key) }
  }

  package mutating func removeEverything() {
    self = MemoryTable()
  }

  /// Returns the index keys of an access token: one for each name in the index, and one without a scope.
  private static func scopeNames(of token: CredentialRecord) -> [String] {
    token.indexNames(token.scopes.significant.texts).map { scopeName(token.homeAccountID, $0) }
      + [scopeName(token.homeAccountID, nil)]
  }

  private static func scopeName(_ owner: String, _ scope: String?) -> String {
    owner + "\n" + (scope ?? "")
  }
}
