// SPDX-License-Identifier: MIT
// What a call found stays true when others write to the file: it is read, and not looked through again.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct MSALFileRenewalTests {
  private let bench: MSALFileBench

  init() throws {
    bench = try MSALFileBench()
  }

  private func commit(_ secret: String, of owner: String) throws {
    let token = StoreBench.token(secret, owner)
    try bench.store().commit(CacheChange([.put(.credential(token))]), within: .none)
  }

  private func version(_ store: MSALFileStore) throws -> StoreVersion {
    try #require(try store.snapshot(bench.person, within: .none).version)
  }

  @Test func `a version is renewed when somebody else's token was stored`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    let version = try version(store)
    try commit("other", of: "somebody else")
    #expect(!store.isCurrent(version))
    let renewed = try #require(store.renewed(version))
    #expect(store.isCurrent(renewed))
    #expect(renewed == (try self.version(store)))
  }

  @Test func `a version is renewed in the moment of a write, also of one in place`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    try commit("other", of: "somebody else")
    let version = try version(store)
    try bench.write(try bench.text().replacingOccurrences(of: "other", with: "third"))
    #expect(!store.isCurrent(version))
    #expect(store.isRenewable(version))
    // As soon as the clock of the file system has gone on it is a new one.
    #expect(store.renewed(version) != nil)
    try bench.write(try bench.text().replacingOccurrences(of: "secret", with: "sfcrft"))
    #expect(store.renewed(version) == nil)
  }

  @Test func `a version is over when what it shows has changed`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    let version = try version(store)
    try commit("new", of: "home")
    #expect(store.renewed(version) == nil)
    try commit("secret", of: "home")
    #expect(store.renewed(version) != nil)
  }

  @Test func `a file that is gone, torn or not safe renews nothing, at once`() throws {
    let clock = VirtualClock()
    let store = bench.store(time: clock)
    try commit("secret", of: "home")
    let version = try version(store)
    let text = try bench.text()
    let begin = clock.now
    for torn in ["", "{", String(text.prefix(40))] {
      try bench.write(torn)
      #expect(store.renewed(version) == nil)
    }
    chmod(bench.path, 0o622)
    #expect(store.renewed(version) == nil)
    unlink(bench.path)
    #expect(store.renewed(version) == nil)
    #expect(clock.now == begin)
    #expect(try bench.files() == [])
  }

  @Test func `the list of the accounts is read again after every write`() throws {
    let store = bench.store()
    try commit("secret", of: "home")
    var everybody = SnapshotSelection()
    everybody.everyAccount = true
    let version = try #require(try store.snapshot(everybody, within: .none).version)
    #expect(store.isCurrent(version))
    try commit("other", of: "somebody else")
    #expect(!store.isRenewable(version))
    #expect(store.renewed(version) == nil)
  }
}
