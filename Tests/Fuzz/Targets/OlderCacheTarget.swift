// SPDX-License-Identifier: MIT
// Caches of older libraries.

import TesseraCache
import TesseraLegacy
import TesseraWire

/// Fuzzes a cache in the format of the first byte, or in the detected format.
func fuzzOlderCaches(_ input: FuzzInput) {
  let formats: [LegacyFormat] = [.adalDotNet, .msalDotNet, .msalMacOS, .adalPython]
  let chosen = Int(input.choice)
  let format =
    formats.indices.contains(chosen)
    ? formats[chosen] : LegacyFormat.detectedFormat(in: input.bytes)
  guard let format else { return }
  var count = 0
  do throws(LegacyCacheError) {
    try format.read(input.bytes) { entry in
      check(entry)
      count += 1
    }
  } catch {
    require(!error.code.isEmpty && !error.message.isEmpty, "damage has a name")
  }
  require(count <= input.bytes.count, "no entry takes less than a byte")
}

private func check(_ entry: LegacyEntry) {
  switch entry {
  case .item(let item):
    _ = (item.kind, item.hashValue)
    require(item.extraMembers["refresh_token"] == nil, "no token is noted in clear")
    if let stored = LegacyItem(members: item.members) {
      require(stored.identity == item.identity, "a stored item has the same account")
    }
  case .record(let record): _ = (record.key.number, record.owner, record.hashValue)
  case .damaged(let damage): require(!damage.message.isEmpty, "damage has a message")
  case .preserved: break
  }
}
