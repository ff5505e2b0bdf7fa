// SPDX-License-Identifier: MIT
// Older caches with changed bytes: whatever was changed, something comes of it, and it is not much.

import TesseraCache
import TesseraWire
import TestVectors
import Testing

@Suite struct LegacyMutationTests {
  @Test(arguments: [
    ("adal-dotnet-v3-oldcache.serialized", LegacyFormat.adalDotNet),
    ("generated-adal-dotnet-v3.bin", .adalDotNet),
    ("cachecompat_dotnet_dictionary.bin", .msalDotNet),
    ("cachecompat_python.bin", .msalMacOS), ("token_cache_adfs.json", .msalMacOS),
  ])
  func `a cache with changed bytes is read or refused`(_ name: String, _ format: LegacyFormat) {
    var bytes = TestVector.bytes(of: "legacy-archives/\(name)")
    #expect(!bytes.isEmpty)
    var random = SeededGenerator(seed: 6)
    for _ in 0..<100 {
      var changes: [(place: Int, byte: UInt8)] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        changes.append((place, bytes[place]))
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      let met = MetEntries(bytes, as: format)
      #expect(met.items.count + met.records.count + met.damaged.count <= 100)
      _ = LegacyFormat.recognised(in: bytes)
      for change in changes.reversed() { bytes[change.place] = change.byte }
    }
  }

  @Test(arguments: [
    #"[{"_authority":"https://x.example/t","_clientId":"a","userId":"u","refreshToken":"r"}]"#
  ])
  func `a text cut off anywhere is read or refused`(_ text: String) {
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count {
      let met = MetEntries(Array(bytes[..<length]), as: .adalPython)
      #expect(met.end?.code == "cache_damaged" && met.items.isEmpty)
    }
  }
}

/// The same numbers every time (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
