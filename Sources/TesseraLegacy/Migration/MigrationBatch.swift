// SPDX-License-Identifier: MIT
// Merging of an older cache with the store. The transaction decides which tokens are added, and reports it.

import TesseraCache
import TesseraWire

/// A part of an older cache, to be merged with the store in one commit.
struct MigrationBatch: FeatureStep {
  /// The ADAL cache items with refresh tokens.
  let items: [LegacyItem]
  /// The records of the unified schema.
  let records: [CacheRecord]

  var hasOutcome: Bool { true }

  /// The keys of the stored records that the outcome depends on.
  var keys: [RecordKey] {
    Set(texts: items.map(\.userID)).texts.map(LegacyAccountRecord.key) + records.map(\.key)
  }

  /// Adds the items and records that a table lacks, and returns the ``MigrationOutcome``.
  ///
  /// The record of a user name is read and written once.
  func apply<Table: CacheTable>(to table: inout Table) throws(Table.Failure) -> CommitOutcome {
    var outcome = MigrationOutcome()
    outcome.items = Array(repeating: .known, count: items.count)
    let byName = Dictionary(grouping: items.indices) { ExactString(items[$0].userID) }
    for (name, indices) in byName.sorted(by: { $0.key < $1.key }) {
      var record = try table.legacyAccount(name.text) ?? LegacyAccountRecord(name: name.text)
      let results = record.merge(indices.map { items[$0] })
      for (index, result) in zip(indices, results) { outcome.items[index] = result }
      if results.contains(.added) { try table.put(.legacyAccount(record)) }
    }
    for record in records {
      let stored = try table.record(at: record.key)
      outcome.records.append(stored)
      if stored == nil { try table.put(record) }
    }
    return .completed(outcome)
  }
}

/// The outcome of merging a batch, in the order of its items and records.
struct MigrationOutcome: FeatureOutcome {
  /// The result of adding each item.
  var items: [LegacyTokenSet.AddResult] = []
  /// The stored record with the key of each record, which was kept, or `nil` if the record was added.
  var records: [CacheRecord?] = []

  /// Whether an item or a record was added.
  var isChange: Bool { items.contains(.added) || records.contains(nil) }
}

extension MigrationOutcome {
  /// Returns the outcome of a commit; `nil` if it migrated nothing.
  init?(_ outcome: CommitOutcome) {
    guard case .completed(let migration as MigrationOutcome) = outcome else { return nil }
    self = migration
  }
}
