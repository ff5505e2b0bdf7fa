// SPDX-License-Identifier: MIT
// Revalidation of a snapshot after other processes have written to the file.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@testable import TesseraMSALFile

@Suite struct MSALFileRenewalTests {
  private let bench: MSALFileBench

  init() throws {
    bench = try MSALFileBench()
  }

  private func commit(_ secret: String, of owner: String) throws {
    let token = SampleToken.refresh(secret, owner)
    try bench.store().commit(CacheChange([.put(.credential(token))]), within: .none)
  }

  private func version(_ store: MSALFileStore) throws -> StoreVersion {
    try #require(try store.snapshot(bench.ownerSelection, within: .none).version)
  }

  @Test func `a version is revalidated after a commit for another account`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    let version = try version(store)
    try commit("other", of: "other home")
    #expect(!store.isCurrent(version))
    let revalidated = try #require(store.revalidated(version))
    #expect(store.isCurrent(revalidated))
    #expect(revalidated == (try self.version(store)))
  }

  @Test func `a version is revalidated right after a write, also after one in place`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    try commit("other", of: "other home")
    let version = try version(store)
    try bench.write(try bench.text().replacingOccurrences(of: "other", with: "third"))
    #expect(!store.isCurrent(version))
    #expect(store.mayRevalidate(version))
    // The version changes as soon as the clock of the file system has advanced.
    #expect(store.revalidated(version) != nil)
    try bench.write(try bench.text().replacingOccurrences(of: "secret", with: "sfcrft"))
    #expect(store.revalidated(version) == nil)
  }

  @Test func `a version is stale after its own records have changed`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    let version = try version(store)
    try commit("new", of: "home")
    #expect(store.revalidated(version) == nil)
    try commit("secret", of: "home")
    #expect(store.revalidated(version) != nil)
  }

  @Test func `a missing, truncated or unsafe file revalidates nothing and causes no wait`() throws {
    let clock = VirtualClock()
    let store = bench.store(time: clock)
    try commit("secret", of: "home")
    let version = try version(store)
    let text = try bench.text()
    let begin = clock.now
    for torn in ["", "{", String(text.prefix(40))] {
      try bench.write(torn)
      #expect(store.revalidated(version) == nil)
    }
    chmod(bench.path, 0o622)
    #expect(store.revalidated(version) == nil)
    unlink(bench.path)
    #expect(store.revalidated(version) == nil)
    #expect(clock.now == begin)
    #expect(try bench.files() == [])
  }

  @Test func `the account list is read again after every write`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    var everybody = SnapshotSelection()
    everybody.allAccounts = true
    let version = try #require(try store.snapshot(everybody, within: .none).version)
    #expect(store.isCurrent(version))
    try commit("other", of: "other home")
    #expect(!store.mayRevalidate(version))
    #expect(store.revalidated(version) == nil)
  }
}
