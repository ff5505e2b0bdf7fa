// SPDX-License-Identifier: MIT
// The store contract, checked for each store.

import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TestSupport
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

  @Test(arguments: StoreRule.all.indices, [true, false])
  func `the store of a host fulfills the contract`(_ index: Int, _ isComplete: Bool) throws {
    let host = TestHostStore(reportsVersions: isComplete, hasLocks: isComplete)
    try verify(StoreRule.all[index], reportsVersions: isComplete) {
      HostCredentialStore(
        host, partition: "contract", protection: PlaintextProtection(), time: SystemTime())
    }
  }

  @Test(arguments: StoreRule.all.indices)
  func `the store of a slow host fulfills the contract`(_ index: Int) throws {
    let host = TestHostStore()
    host.faults.delay = 500
    try verify(StoreRule.all[index]) {
      HostCredentialStore(
        host, partition: "contract", protection: PlaintextProtection(), time: SystemTime())
    }
  }

  private func verify(
    _ rule: StoreRule, reportsVersions: Bool = true,
    _ open: @escaping @Sendable () -> any CredentialStore
  ) throws {
    do {
      try rule.verify(time: SystemTime(), reportsVersions: reportsVersions, open: open)
    } catch {
      Issue.record("\(rule.name): \(error)")
    }
  }
}
