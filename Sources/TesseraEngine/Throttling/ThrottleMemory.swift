// SPDX-License-Identifier: MIT
// What could not be remembered in the store is remembered in the process.

package import TesseraCache
package import TesseraWire

/// The failures that no store could take, such as one that is full or cannot be written.
package final class ThrottleMemory: Sendable {
  /// Failures that are remembered at most, as in MSAL for Apple; then all are forgotten.
  private static let capacity = 1000

  private let records = SpinLock<[String: ThrottleRecord]>([:])

  package init() {}

  /// The failures of an account's requests.
  package func records(of homeAccountID: String) -> [ThrottleRecord] {
    records.withLock { records in
      records.isEmpty ? [] : records.values.filter { $0.homeAccountID == homeAccountID }
    }
  }

  /// Remembers a failure.
  package func remember(_ record: ThrottleRecord, at clocks: Clocks) {
    records.withLock { records in
      if records.count >= ThrottleMemory.capacity {
        records = records.filter { !$0.value.isOver(at: clocks) }
      }
      if records.count >= ThrottleMemory.capacity { records = [:] }
      records[record.name] = record
    }
  }

  /// Forgets the failures of an account's requests; of those with some names, or of all of them.
  package func forget(_ homeAccountID: String, names: Set<String>? = nil) {
    records.withLock { records in
      guard !records.isEmpty else { return }
      records = records.filter { name, record in
        record.homeAccountID != homeAccountID || names?.contains(name) == false
      }
    }
  }
}
