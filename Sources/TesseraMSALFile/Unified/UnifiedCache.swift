// SPDX-License-Identifier: MIT
// The cache document of the MSAL libraries as a table of records. Only the needed entries are decoded or rewritten.

package import TesseraCache
import TesseraWire

/// A unified cache: one JSON document that contains records.
///
/// Records are matched by their members, not by their keys. Unchanged entries are preserved byte for byte, and unknown
/// ones are kept. Written entries meet the requirements of all MSAL libraries.
package struct UnifiedCache: CacheTable, Sendable {
  /// The document with its changes.
  var document: UnifiedDocument
  /// Whether the cache has changed since it was read or written.
  package internal(set) var isChanged = false
  /// The newest write time of the access tokens stored here, which also applies to their refresh tokens.
  var newest: Int64?
  /// The hosts and the tenant alias that the applications of the cache use.
  let names: UnifiedNames
  /// The entries of changed records, for each section.
  var indexes = UnifiedSection.known.map { _ in UnifiedIndex() }
  /// The entries without a record type, or `nil` until one of them is changed.
  var foreignIndex: ForeignEntryIndex?

  /// The maximum size of a document, in bytes.
  ///
  /// Longer ones are rejected.
  package static var maximumByteCount: Int { UnifiedDocument.maximumByteCount }

  /// Creates an empty cache.
  package init(names: UnifiedNames = UnifiedNames()) {
    document = UnifiedDocument()
    self.names = names
  }

  /// Parses a document.
  ///
  /// Entries that are unchanged since an older document are not scanned again.
  package init(
    _ bytes: [UInt8], names: UnifiedNames = UnifiedNames(),
    after old: UnifiedCache = UnifiedCache()
  ) throws(UnifiedCacheError) {
    document = try UnifiedDocument(bytes, after: old.document)
    self.names = names
  }

  /// Creates a cache with records.
  package init(
    records: some Sequence<CacheRecord>, names: UnifiedNames = UnifiedNames()
  ) {
    self.init(names: names)
    for record in records { put(record) }
  }

  /// Returns the serialized document.
  ///
  /// Unchanged parts are copied.
  package mutating func bytes() -> [UInt8] {
    let serialized = document.serialized
    if isChanged, let document = try? UnifiedDocument(serialized, after: document) {
      begin(document)
    }
    isChanged = false
    return serialized
  }

  /// Replaces the document by one with different entry numbers.
  private mutating func begin(_ document: UnifiedDocument) {
    self.document = document
    resetIndexes()
  }

  private mutating func resetIndexes() {
    indexes = UnifiedSection.known.map { _ in UnifiedIndex() }
    foreignIndex = nil
  }
}

extension UnifiedCache {
  /// Returns all records without duplicates, and all foreign entries.
  package func everything() -> [CacheRecord] {
    var cache = self
    cache.document.readUnknownSections()
    return cache.foreignMembers()
      + cache.document.sections.flatMap { section in
        cache.records(section, cache.document[section].indices) { cache.entry(section, $0) }
      }
  }

  package func record(at key: RecordKey) -> CacheRecord? {
    guard key.type != ForeignRecord.typeNumber else { return foreign(at: key) }
    for section in UnifiedCache.sections(of: key) {
      let found = entryIndices(of: key, in: section).compactMap { record(section, $0) }
      if let record = UnifiedCache.newest(found) { return withLaterSignIns([record]).first }
    }
    return nil
  }

  package func records(of owner: String) -> [CacheRecord] {
    guard owner != ForeignRecord.owner else { return foreign }
    let hash = AccountHash(owner).number
    return UnifiedSection.known.filter { $0 != .accessToken }.flatMap { section in
      records(section, document[section].indices(having: [hash], \.owner)).filter { record in
        record.owner == owner && record.accessToken == nil
      }
    }
  }

  package func accessTokens(of owner: String, having scope: String?) -> [CredentialRecord] {
    let hash = AccountHash(owner).number
    let index = scope.map { TenantScope($0) }
    return [UnifiedSection.accessToken, .own].flatMap { section in
      records(section, document[section].indices(of: hash, having: index?.scope)).compactMap(
        \.accessToken
      )
      .filter { $0.homeAccountID == owner && $0.hasIndexName(scope) }
    }
  }

  package func allAccounts() -> [CacheRecord] {
    [UnifiedSection.refreshToken, .idToken, .account, .own].flatMap { section in
      records(section, document[section].indices).filter(UnifiedCache.isOfAccount)
    }
  }

  /// Whether there is a record of any account.
  ///
  /// Decodes no more entries than necessary.
  package var hasAccount: Bool {
    [UnifiedSection.account, .refreshToken, .idToken, .own].contains { section in
      document[section].indices.contains { index in
        record(section, index).map(UnifiedCache.isOfAccount) ?? false
      }
    }
  }

  private static func isOfAccount(_ record: CacheRecord) -> Bool {
    switch record {
    case .account, .accountMetadata, .legacyAccount: true
    case .credential(let token): token.type.isRefreshToken || token.type == .idToken
    default: false
    }
  }

  package mutating func put(_ record: CacheRecord) {
    if case .foreign(let foreign) = record { store(foreign) } else { store(record) }
    isChanged = true
  }

  package mutating func remove(_ key: RecordKey) {
    if key.type == ForeignRecord.typeNumber {
      removeForeign(key)
      isChanged = true
      return
    }
    for section in UnifiedCache.sections(of: key) {
      for index in entriesToChange(of: key, in: section) {
        drop(section, index)
        isChanged = true
      }
    }
  }

  package mutating func removeEverything() {
    for section in UnifiedSection.known {
      for index in document[section].indices { document[section].remove(at: index) }
    }
    resetIndexes()
    isChanged = true
  }
}
