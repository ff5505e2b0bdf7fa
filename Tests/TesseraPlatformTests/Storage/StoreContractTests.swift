// SPDX-License-Identifier: MIT
// The store contract, checked for each store.

import TesseraEngine
import TesseraPlatform
import TesseraTesting
import Testing

@Suite struct StoreContractTests {
  @Test(arguments: StoreRule.all.indices)
  func `the memory store fulfills the contract`(_ index: Int) throws {
    let store = MemoryStore(time: SystemTime())
    try verify(StoreRule.all[index]) { store }
  }

  @Test(arguments: StoreRule.all.indices)
  func `the SQLite store fulfills the contract`(_ index: Int) throws {
    let directory = try TemporaryDirectory()
    try verify(StoreRule.all[index]) {
      SQLiteStore(
        group: "contract", directory: directory.path, protection: PlaintextProtection(),
        time: SystemTime())
    }
  }

  private func verify(
    _ rule: StoreRule, _ open: @escaping @Sendable () -> any CredentialStore
  ) throws {
    do {
      try rule.verify(time: SystemTime(), open: open)
    } catch {
      Issue.record("\(rule.name): \(error)")
    }
  }
}
