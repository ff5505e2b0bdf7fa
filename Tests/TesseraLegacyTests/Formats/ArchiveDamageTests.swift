// SPDX-License-Identifier: MIT
// Damaged and hostile archives are parsed or rejected, with little time and memory.

import TesseraCache
import TesseraLegacy
import TestVectors
import Testing

@Suite struct ArchiveDamageTests {
  private static let files = [
    "adal-objc-genuine-1.x-no-resource", "adal-objc-genuine-1.x-with-resource",
    "generated-2.2-ios-tombstone", "generated-2.6-ios-access-token", "generated-2.6-ios-adfs",
    "generated-2.6-ios-frt", "generated-2.6-ios-mrrt", "generated-2.6-ios-single-resource",
    "generated-2.6-mac-blob", "generated-msid-ios-access-token", "generated-msid-ios-adfs",
    "generated-msid-ios-frt", "generated-msid-ios-mrrt", "generated-msid-ios-single-resource",
    "generated-msid-mac-blob", "generated-wipe",
  ]

  /// Mutates, truncates and duplicates bytes, with the same seed in each run.
  ///
  /// `TESSERA_MUTATIONS` sets the number of runs.
  @Test(arguments: files)
  func `a mutated archive is parsed or rejected`(_ file: String) throws {
    let bytes = TestVector.bytes(of: "legacy-archives/\(file).bplist")
    try #require(!bytes.isEmpty)
    var random = SeededGenerator(seed: UInt64(bytes.count))
    var emitted = 0
    let isBlob = file.hasSuffix("mac-blob")
    let read = isBlob ? MacOSCacheReader.read : AppleItemReader.read
    for _ in 0..<SeededGenerator.mutations {
      _ = try? read(random.mutation(of: bytes)) { _ in emitted += 1 }
    }
    #expect(emitted > 0, "some mutations leave an archive one")
  }

  @Test(arguments: [
    ("a count of a billion", 0xA0), ("two gigabytes of bytes", 0x40),
    ("two gigabytes of text", 0x50), ("a billion of UTF-16", 0x60), ("a billion of pairs", 0xD0),
  ])
  func `a length beyond the end of the data is rejected`(_ name: String, _ kind: UInt8) throws {
    for length: [UInt8] in [
      [0x12, 0x7F, 0xFF, 0xFF, 0xFF], [0x13] + [UInt8](repeating: 0x7F, count: 8),
    ] {
      var list = try BinaryPropertyList(Self.list([[kind | 0x0F] + length]))
      #expect(throws: LegacyCacheError.self, "\(name)") { try list.node(0) }
    }
  }

  @Test func `an object count above the data size is rejected`() {
    var bytes = Self.list([[0x09]])
    bytes.replaceSubrange(
      bytes.count - 24..<bytes.count - 16, with: [0, 0, 0, 0, 0x3B, 0x9A, 0xCA, 0])
    #expect(throws: LegacyCacheError.self) { _ = try BinaryPropertyList(bytes) }
  }

  @Test func `a cyclic or exponentially nested array is rejected`() throws {
    var list = try BinaryPropertyList(Self.list([[0xA1, 0x00]]))
    #expect(throws: LegacyCacheError.self) { try list.tree(0) }
    // Thirty arrays, each with two references to the next one: a billion values in a hundred bytes.
    let doubled = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
    list = try BinaryPropertyList(Self.list(doubled))
    #expect(throws: LegacyCacheError.self) { try list.tree(0) }
  }

  /// Returns a property list of the objects.
  ///
  /// The first one is the root.
  static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let start = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [UInt8(objects.count), 0, start] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }
}
