// SPDX-License-Identifier: MIT
// Malicious binary caches: lists with many references to one object, archives with many objects, unlimited counts.

import TesseraLegacy

extension HostileCache {
  static var propertyLists: [HostileCache] {
    [
      HostileCache(name: "list-one-item", format: .appleKeychain) { size in
        list([array(count: size - 1000, of: 1), [0xD1, 2, 3], [0x51, 0x61], [0x51, 0x62]])
      },
      HostileCache(name: "list-one-text", format: .appleKeychain) { size in
        // A great number of items, each with the same string of a quarter of the size.
        let text = [UInt8](repeating: 0x41, count: size / 4)
        return list([
          array(count: size * 3 / 4 - 1000, of: 1), [0xD1, 2, 3], [0x55] + Array("value".utf8),
          [0x5F, 0x12] + big(text.count, 4) + text,
        ])
      },
      HostileCache(name: "list-one-number", format: .appleKeychain) { size in
        list([[0xA1, 1], array(count: size - 1000, of: 2), [0x09]])
      },
      HostileCache(name: "list-doubled", format: .appleKeychain) { size in
        let doubled: [[UInt8]] = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] }
        return list(doubled + [[0x09], [0x4F, 0x12] + big(size - 1000, 4) + zeros(size - 1000)])
      },
      HostileCache(name: "list-data", format: .appleKeychain) { size in
        list([[0xA1, 1], [0xD1, 2, 3], [0x55] + Array("value".utf8), data(size - 1000)])
      },
      HostileCache(name: "archive-objects", format: .adalMacOS) { size in
        list(archive + [array(count: size - 1000, of: 6)])
      },
      HostileCache(name: "archive-data", format: .adalAppleItem) { size in
        list(archive + [[0xA2, 6, 12], data(size - 1000)])
      },
      HostileCache(name: "archive-pairs", format: .adalMacOS) { size in
        // The root is a dictionary with many equal keys.
        list(
          archive + [
            [0xA3, 6, 12, 13], [0xD3, 14, 15, 16, 17, 18, 18], [0xD1, 19, 20], text("$class"),
            text("NS.keys"), text("NS.objects"), [0x80, 2], array(count: size - 1000, of: 10),
            text("$classname"), text("NSDictionary"),
          ])
      },
    ]
  }

  static var dotNet: [HostileCache] {
    let entry = [13] + Array("a:::b:::c:::0".utf8) + [2] + Array("{}".utf8)
    return [
      HostileCache(name: "dotnet-nothing", format: .adalDotNet) { size in
        little(3) + little((size - 8) / 2) + zeros((size - 8) / 2 * 2)
      },
      HostileCache(name: "dotnet-entries", format: .adalDotNet) { size in
        let count = (size - 8) / entry.count
        var bytes = little(3) + little(count)
        bytes.reserveCapacity(size)
        for _ in 0..<count { bytes += entry }
        return bytes
      },
      HostileCache(name: "dotnet-key", format: .adalDotNet) { size in
        let length = size - 100
        let groups = [0, 7, 14, 21].map { UInt8(length >> $0 & 0x7F) | 0x80 }
        let key = [UInt8](repeating: UInt8(ascii: ":"), count: length)
        return little(3) + little(1) + groups + [UInt8(length >> 28)] + key + [2, 0x7B, 0x7D]
      },
    ]
  }

  /// The objects of a keyed archive before its table, which has the number 11.
  private static var archive: [[UInt8]] {
    [
      [0xD4, 1, 2, 3, 4, 5, 9, 11, 7], text("$version"), text("$archiver"), text("$objects"),
      text("$top"), [0x12, 0, 1, 0x86, 0xA0], text("$null"), [0xD1, 8, 10], text("root"),
      text("NSKeyedArchiver"), [0x80, 1],
    ]
  }

  private static func text(_ text: String) -> [UInt8] {
    [0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static func array(count: Int, of number: UInt8) -> [UInt8] {
    [0xAF, 0x12] + big(count, 4) + [UInt8](repeating: number, count: count)
  }

  private static func data(_ count: Int) -> [UInt8] { [0x4F, 0x12] + big(count, 4) + zeros(count) }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static func big(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func little(_ number: Int) -> [UInt8] { big(number, 4).reversed() }

  /// Returns a property list of these objects; the first one is the root.
  private static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    bytes.reserveCapacity(objects.reduce(1000) { $0 + $1.count })
    var offsets: [UInt8] = []
    for object in objects {
      offsets += big(bytes.count, 4)
      bytes += object
    }
    let start = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 1]
    for number in [objects.count, 0, start] { bytes += big(number, 8) }
    return bytes
  }
}
