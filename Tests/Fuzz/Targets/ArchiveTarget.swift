// SPDX-License-Identifier: MIT
// The caches of ADAL and MSAL for Apple: archives, property lists and keychains, read and written back.

import TesseraCache
import TesseraLegacy
import TesseraWire

/// Fuzzes archives of an item and of the macOS cache, exported keychains, login keychains and property lists.
func fuzzArchives(_ input: FuzzInput) {
  switch input.choice {
  case 0:
    guard case .item(let item)? = try? AppleItemReader.entry(input.bytes) else { return }
    require(item.kind != nil, "an item has a token")
    guard let copy = try? KeychainItem(item) else {
      return require(false, "an item can be archived")
    }
    guard case .item(let again)? = try? AppleItemReader.entry(copy.value) else {
      return require(false, "what was archived is an item")
    }
    require(again.refreshToken == item.refreshToken, "a token is read as it was written")
    require(again.clientID == item.clientID, "an application is read as it was written")
  case 1: fuzzCache(input.bytes)
  case 2:
    _ = try? KeychainReader.read(input.bytes) { entry in
      if case .record(let record) = entry { _ = KeychainItem.items(of: [record]) }
    }
  case 3: _ = try? UnifiedFileReader.read(input.bytes) { _ in }
  case 4: _ = try? XMLPropertyList.read(input.bytes)
  default:
    guard var list = try? BinaryPropertyList(input.bytes), let tree = try? list.tree(list.top),
      tree.binary.count < 1 << 16
    else { return }
    var again = try? BinaryPropertyList(tree.binary)
    let top = again?.top ?? 0
    require((try? again?.tree(top))?.binary == tree.binary, "a list is read as it was written")
  }
}

/// Checks that a readable cache can be changed without losing items, or is left unchanged.
private func fuzzCache(_ bytes: [UInt8]) {
  var before: [LegacyItem] = []
  _ = try? MacOSCacheReader.read(bytes) { entry in
    if case .item(let item) = entry { before.append(item) }
  }
  var item = LegacyItem(
    environment: "login.example", realm: "common", clientID: "fuzz", userID: "fuzz")
  item.refreshToken = .init("token")
  guard let changed = try? MacOSCacheWriter.blob(changing: bytes, storing: [item]) else { return }
  var after: [LegacyItem] = []
  _ = try? MacOSCacheReader.read(changed) { entry in
    if case .item(let item) = entry { after.append(item) }
  }
  require(after.contains { $0.clientID == "fuzz" }, "what was put is there")
  require(after.count >= before.count, "what was there stays")
}
