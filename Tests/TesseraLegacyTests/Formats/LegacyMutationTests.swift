// SPDX-License-Identifier: MIT
// Mutated caches of older libraries are parsed or rejected, with a limited number of errors.

import TesseraCache
import TesseraLegacy
import TesseraWire
import TestVectors
import Testing

@Suite struct LegacyMutationTests {
  @Test(arguments: [
    ("adal-dotnet-v3-oldcache.serialized", LegacyFormat.adalDotNet),
    ("generated-adal-dotnet-v3.bin", .adalDotNet),
    ("cachecompat_dotnet_dictionary.bin", .msalDotNet),
    ("cachecompat_python.bin", .msalMacOS), ("token_cache_adfs.json", .msalMacOS),
    ("generated-adal-python.json", .adalPython), ("generated-azure-cli.json", .azureCLI),
    ("generated-adal-node.json", .adalNode),
  ])
  func `a mutated cache is parsed or rejected`(_ name: String, _ format: LegacyFormat)
    throws
  {
    let bytes = TestVector.bytes(of: "legacy-archives/\(name)")
    try #require(!bytes.isEmpty)
    var random = SeededGenerator(seed: UInt64(bytes.count))
    var emitted = 0
    for _ in 0..<SeededGenerator.mutations {
      let mutation = random.mutation(of: bytes)
      let entries = ParsedEntries(mutation, as: format)
      emitted += entries.items.count + entries.records.count
      #expect(entries.damaged.count <= 100, "the errors of a damaged cache are limited")
      _ = LegacyFormat.detectedFormat(in: mutation)
    }
    #expect(emitted > 0, "some mutations leave a cache one")
  }

  @Test(arguments: [
    #"[{"_authority":"https://x.example/t","_clientId":"a","userId":"u","refreshToken":"r"}]"#
  ])
  func `a truncated cache is rejected`(_ text: String) {
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count {
      let emitted = ParsedEntries(Array(bytes[..<length]), as: .adalPython)
      #expect(emitted.end?.code == "cache_malformed" && emitted.items.isEmpty)
    }
  }
}
