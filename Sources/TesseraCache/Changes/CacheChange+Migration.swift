// SPDX-License-Identifier: MIT
// Merging of an older cache with the store. The transaction decides which tokens are added, and reports it.

import TesseraWire

/// A part of an older cache, to be merged with the store in one commit.
package struct MigrationBatch: Sendable {
  /// The ADAL cache items with refresh tokens.
  package let items: [LegacyItem]
  /// The records of the unified schema.
  package let records: [CacheRecord]

  /// Creates a batch.
  package init(items: [LegacyItem], records: [CacheRecord]) {
    self.items = items
    self.records = records
  }

  /// The keys of the stored records that the outcome depends on.
  package var keys: [RecordKey] {
    Set(texts: items.map(\.userID)).texts.map(LegacyAccountRecord.key) + records.map(\.key)
  }
}

/// The outcome of merging a batch, in the order of its items and records.
package struct MigrationOutcome: Sendable, Hashable {
  /// The result of adding each item.
  package var items: [LegacyTokenSet.AddResult] = []
  /// The stored record with the key of each record, which was kept, or `nil` if the record was added.
  package var records: [CacheRecord?] = []

  /// Whether an item or a record was added.
  package var isChange: Bool { items.contains(.added) || records.contains(nil) }
}

extension MigrationBatch {
  /// Adds the items and records that a table lacks.
  ///
  /// The record of a user name is read and written once.
  func apply<Table: CacheTable>(
    to table: inout Table
  ) throws(Table.Failure) -> MigrationOutcome {
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
    return outcome
  }
}
