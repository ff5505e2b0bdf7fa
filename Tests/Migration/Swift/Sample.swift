// SPDX-License-Identifier: MIT
// The genuine and generated caches of Tests/Vectors/legacy-archives, and their mutations.

import TesseraCache
import TesseraLegacy
import TestVectors

/// A cache of Tests/Vectors/legacy-archives.
struct Sample {
  let file: String
  let format: LegacyFormat

  static let all: [Sample] =
    archives.map { name in
      Sample(
        file: "\(name).bplist", format: name.hasSuffix("mac-blob") ? .adalMacOS : .adalAppleItem)
    } + [
      Sample(file: "adal-dotnet-v3-oldcache.serialized", format: .adalDotNet),
      Sample(file: "generated-adal-dotnet-v3.bin", format: .adalDotNet),
      Sample(file: "cachecompat_dotnet_dictionary.bin", format: .msalDotNet),
      Sample(file: "cachecompat_python.bin", format: .msalMacOS),
      Sample(file: "token_cache_adfs.json", format: .msalMacOS),
      Sample(file: "generated-adal-python.json", format: .adalPython),
      Sample(file: "generated-azure-cli.json", format: .azureCLI),
      Sample(file: "generated-adal-node.json", format: .adalNode),
    ]

  private static let archives = [
    "adal-objc-genuine-1.x-no-resource", "adal-objc-genuine-1.x-with-resource",
    "generated-2.2-ios-tombstone", "generated-2.6-ios-access-token", "generated-2.6-ios-adfs",
    "generated-2.6-ios-frt", "generated-2.6-ios-mrrt", "generated-2.6-ios-single-resource",
    "generated-2.6-mac-blob", "generated-msid-ios-access-token", "generated-msid-ios-adfs",
    "generated-msid-ios-frt", "generated-msid-ios-mrrt", "generated-msid-ios-single-resource",
    "generated-msid-mac-blob", "generated-wipe",
  ]

  /// Reads the cache with changed bytes, the same in each run, as its own format and as the detected one.
  ///
  /// - Returns: The file, the number of reads, the number with a remaining entry, the longest time in milliseconds, and
  ///   the peak memory in megabytes.
  func mutated(_ count: Int) -> String {
    let bytes = TestVector.bytes(of: "legacy-archives/\(file)")
    var random = SeededGenerator(seed: UInt64(bytes.count))
    var (readable, slowest) = (0, 0)
    for _ in 0..<(bytes.isEmpty ? 0 : count) {
      let mutation = random.mutation(of: bytes)
      let took = Measured.milliseconds {
        if Count(mutation, as: format).good > 0 { readable += 1 }
        if let other = LegacyFormat.detectedFormat(in: mutation), other != format {
          _ = Count(mutation, as: other)
        }
      }
      slowest = max(slowest, took)
    }
    return "\(file)\t\(bytes.isEmpty ? 0 : count)\t\(readable)\t\(slowest)\t\(Measured.peak)"
  }
}
