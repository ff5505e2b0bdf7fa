// SPDX-License-Identifier: MIT
// Throttle records in process memory, for failures that could not be recorded in the store.

package import TesseraCache
package import TesseraWire

/// Throttle records that could not be stored, for example because the store is full or read-only.
package final class InMemoryThrottles: Sendable {
  /// The maximum number of records, as in MSAL for Apple.
  ///
  /// If it is exceeded, expired records are evicted, or else all.
  private static let capacity = 1000

  private let records = SpinLock<[String: ThrottleRecord]>([:])

  package init() {}

  /// Returns the records of an account.
  package func records(of homeAccountID: String) -> [ThrottleRecord] {
    records.withLock { records in
      records.isEmpty ? [] : records.values.filter { $0.homeAccountID == homeAccountID }
    }
  }

  /// Adds a record.
  package func add(_ record: ThrottleRecord, at clocks: Clocks) {
    records.withLock { records in
      if records.count >= InMemoryThrottles.capacity {
        records = records.filter { !$0.value.hasExpired(at: clocks) }
      }
      if records.count >= InMemoryThrottles.capacity { records = [:] }
      records[record.name] = record
    }
  }

  /// Removes the records of an account, either all or those with the given names.
  package func removeRecords(of homeAccountID: String, names: Set<String>? = nil) {
    records.withLock { records in
      guard !records.isEmpty else { return }
      records = records.filter { name, record in
        record.homeAccountID != homeAccountID || names?.contains(name) == false
      }
    }
  }
}
