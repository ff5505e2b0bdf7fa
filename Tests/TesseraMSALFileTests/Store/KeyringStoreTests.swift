// SPDX-License-Identifier: MIT
// The store in a keyring item: compatible with other libraries, without lost updates.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct KeyringStoreTests {
  private let bench: KeyringBench

  init() throws {
    bench = try KeyringBench()
  }

  @Test(arguments: StoreRule.all.indices)
  func `the store fulfills the contract`(_ index: Int) throws {
    let rule = StoreRule.all[index]
    do {
      try rule.verify(time: SystemTime(), reportsVersions: false) { [bench] in
        bench.store(.azureIdentity, time: SystemTime())
      }
    } catch {
      Issue.record("\(rule.name): \(error)")
    }
  }

  @Test(arguments: [KnownCache.azureIdentity, .azurePowerShell])
  func `a new item has the format of its owner, and its file is empty`(_ cache: KnownCache) throws {
    let (item, signal) = try bench.item(cache)
    try bench.commit("secret", to: bench.store(cache))
    let stored = try #require(bench.keyring[item])
    #expect(stored.label == item.label && !item.label.isEmpty)
    #expect(stored.text.hasPrefix("{") == (cache == .azureIdentity))
    #expect(ItemEncoding.read(stored.secret).encoding == item.encoding)
    #expect(try bench.files(beside: signal) == ["msal.cache.nocae"])
    var status = stat()
    #expect(stat(signal, &status) == 0)
    #expect(status.st_size == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(try bench.secrets(bench.store(cache)) == ["secret"])
  }

  @Test(arguments: [ItemEncoding.text, .base64])
  func `unknown members, the encoding and the label of an item are preserved`(
    _ encoding: ItemEncoding
  ) throws {
    let (item, signal) = try bench.item(.azureIdentity)
    let theirs = #"{"Future":{"x":[1.50,null]},"name":"Zoë"}"#
    bench.keyring.put(String(decoding: encoding.secret(Array(theirs.utf8)), as: UTF8.self), item)
    try bench.touch(signal)
    try bench.commit("ours", to: bench.store(.azureIdentity))
    let stored = try #require(bench.keyring[item])
    let read = ItemEncoding.read(stored.secret)
    #expect(read.encoding == encoding && stored.label == "theirs")
    #expect(String(decoding: read.text, as: UTF8.self).contains(#""Future":{"x":[1.50,null]}"#))
  }

  @Test func `the modification time of the file is set ahead of coarser clocks`() throws {
    let (_, signal) = try bench.item(.azureIdentity)
    try bench.commit("secret", to: bench.store(.azureIdentity))
    let stamp = try #require(CacheStamp(at: signal))
    #expect(stamp.modified > stamp.changed + 1_000_000_000)
  }

  @Test func `an item that changed without the lock is not overwritten`() throws {
    let (item, _) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity)
    try bench.commit("ours", to: store)
    bench.keyring.beforeStoring { [bench] in
      bench.keyring.put(#"{"Theirs":{}}"#, item)
    }
    try bench.commit("newer", to: store)
    let text = try #require(bench.keyring[item]?.text)
    #expect(text.contains(#""Theirs":{}"#) && text.contains("newer"))
    #expect(!text.contains("ours"))
  }

  @Test func `two caches in one item lose no records`() throws {
    let stores = [KnownCache.azurePowerShell, .azurePowerShellCAE].map { bench.store($0) }
    for (number, store) in stores.enumerated() {
      try bench.commit("secret \(number)", owner: "person \(number)", to: store)
    }
    for number in 0...1 {
      for store in stores {
        #expect(try bench.secrets(store, owner: "person \(number)") == ["secret \(number)"])
      }
    }
    let places = try stores.map { try $0.currentLocation(.none).lockFiles().locks }
    #expect(places.first == places.last)
  }

  @Test func `a deleted item is missing, and the next commit creates it`() throws {
    let (item, signal) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity)
    try bench.commit("old", to: store)
    bench.keyring[item] = nil
    try bench.touch(signal)
    #expect(try store.snapshot(bench.ownerSelection, within: .none).condition == .missing)
    try bench.commit("new", to: store)
    #expect(try bench.secrets(store) == ["new"])
    #expect(bench.keyring[item]?.label == item.label)
  }

  @Test func `an empty item is reported as missing`() throws {
    let (item, signal) = try bench.item(.azureIdentity)
    bench.keyring.put("", item)
    try bench.touch(signal)
    let store = bench.store(.azureIdentity)
    #expect(try store.snapshot(bench.ownerSelection, within: .none).condition == .missing)
    try bench.commit("secret", to: store)
    #expect(try bench.secrets(store) == ["secret"])
  }

  @Test(arguments: ["[{\"tenant\": \"t\"}]", "{\"AccessToken\": {\"a\"", "what is this?"])
  func `an item that is not a cache is never overwritten`(_ secret: String) throws {
    let (item, signal) = try bench.item(.azureIdentity)
    bench.keyring.put(secret, item)
    try bench.touch(signal)
    let store = bench.store(.azureIdentity)
    for error in [bench.readError(store), bench.commitError(store)] {
      #expect(error?.remedy == .fixStorage && error?.code == .storeUnavailable)
      #expect(error?.message.contains("msal.cache.nocae") == true)
    }
    #expect(bench.keyring[item]?.text == secret)
    #expect(try bench.files(beside: signal) == ["msal.cache.nocae"])
  }

  @Test func `an item above the size limit of the bus is not stored`() throws {
    let (item, signal) = try bench.item(.azureIdentity)
    try bench.touch(signal)
    let document = CacheItem(item: item, keyring: bench.keyring, file: CacheFile(signal))
    let files = try MSALFileBench()
    let bytes = [UInt8](repeating: 0x20, count: CacheItem.maximumByteCount + 1)
    let error = #expect(throws: TesseraError.self) {
      try document.write(bytes, replacing: nil, under: files.lock(of: signal), within: .none)
    }
    #expect(error?.code == .storeUnavailable)
    #expect(bench.keyring[item] == nil)
  }
}
