// SPDX-License-Identifier: MIT
// The cache that every MSAL keeps, as a table of records: of a long document little is decoded, and little written anew.

import TesseraWire

/// A unified cache: one JSON document, with the records in it.
///
/// Records are found by their members, whatever their keys say. What is not changed stays byte for byte, what is not known
/// is kept. Writing obeys what the libraries need of each other's entries.
package struct UnifiedCache: CacheTable, Sendable {
  /// The document with its changes.
  var document: UnifiedDocument
  /// Whether anything was changed since it was read or written.
  package internal(set) var isChanged = false
  /// The newest time that an access token was stored with here: what came with it is as new.
  var newest: Int64?
  /// What the programs that share it call a cloud and a tenant.
  let names: UnifiedNames
  /// Which entries hold the records that were changed, for each section.
  var indexes = UnifiedSection.known.map { _ in UnifiedIndex() }
  /// The same of what is no record; nil as long as nothing of that was changed.
  var foreignIndex: ForeignIndex?

  /// Longer documents are not read.
  package static var mostBytes: Int { UnifiedDocument.mostBytes }

  /// An empty cache.
  package init(names: UnifiedNames = UnifiedNames()) {
    document = UnifiedDocument()
    self.names = names
  }

  /// Reads a document; the less of it changed since an older one was read, the quicker.
  package init(
    _ bytes: [UInt8], names: UnifiedNames = UnifiedNames(),
    after old: UnifiedCache = UnifiedCache()
  ) throws(UnifiedCacheDamage) {
    document = try UnifiedDocument(bytes, after: old.document)
    self.names = names
  }

  /// A cache with some records.
  package init(
    records: some Sequence<CacheRecord>, names: UnifiedNames = UnifiedNames()
  ) {
    self.init(names: names)
    for record in records { put(record) }
  }

  /// The document; what was not changed is copied.
  package mutating func bytes() -> [UInt8] {
    let written = document.written
    if isChanged, let document = try? UnifiedDocument(written, after: document) {
      begin(document)
    }
    isChanged = false
    return written
  }

  /// Goes on with a document in which entries have other numbers.
  private mutating func begin(_ document: UnifiedDocument) {
    self.document = document
    forgetIndexes()
  }

  private mutating func forgetIndexes() {
    indexes = UnifiedSection.known.map { _ in UnifiedIndex() }
    foreignIndex = nil
  }
}

extension UnifiedCache {
  /// All records, each once, and what other libraries have that is none.
  package func everything() -> [CacheRecord] {
    var cache = self
    cache.document.findOthers()
    return cache.foreignMembers()
      + cache.document.sections.flatMap { section in
        cache.records(section, cache.document[section].indices) { cache.entry(section, $0) }
      }
  }

  package func record(at key: RecordKey) -> CacheRecord? {
    guard key.type != ForeignRecord.typeNumber else { return foreign(at: key) }
    for section in UnifiedCache.sections(of: key) {
      let found = places(of: key, in: section).compactMap { record(section, $0) }
      if let record = UnifiedCache.newest(found) { return signedInAgain([record]).first }
    }
    return nil
  }

  package func records(of owner: String) -> [CacheRecord] {
    guard owner != ForeignRecord.owner else { return foreign }
    let mark = ScanPosition(owner).number
    return UnifiedSection.known.filter { $0 != .accessToken }.flatMap { section in
      records(section, document[section].indices(having: [mark], \.owner)).filter { record in
        record.owner == owner && record.accessToken == nil
      }
    }
  }

  package func accessTokens(of owner: String, having scope: String?) -> [CredentialRecord] {
    let mark = ScanPosition(owner).number
    return [UnifiedSection.accessToken, .own].flatMap { section in
      records(section, document[section].indices(of: mark, having: scope)).compactMap(
        \.accessToken
      )
      .filter { token in
        token.homeAccountID == owner
          && scope.map { token.scopes.significant.contains($0) } ?? true
      }
    }
  }

  package func everyAccount() -> [CacheRecord] {
    [UnifiedSection.refreshToken, .idToken, .account, .own].flatMap { section in
      records(section, document[section].indices).filter(UnifiedCache.isOfAccount)
    }
  }

  /// Whether there is a record of any account; no more is decoded than it takes to know.
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
      for index in placesToChange(of: key, in: section) {
        drop(section, index)
        isChanged = true
      }
    }
  }

  package mutating func removeEverything() {
    for section in UnifiedSection.known {
      for index in document[section].indices { document[section].remove(at: index) }
    }
    forgetIndexes()
    isChanged = true
  }
}
