// SPDX-License-Identifier: MIT
// The interval between lookups in the keyring of a cache that does not exist.

import Foundation
import Synchronization
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct AbsentCacheLocationTests {
  private let directory: TemporaryDirectory
  private let clock = VirtualClock()
  private let looks = LookupCounter()
  private var path: String { directory.path + "/.IdentityService/msal.cache.nocae" }

  /// Counts the lookups.
  private final class LookupCounter: Sendable {
    let count = Atomic(0)
  }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func finder(finding location: DocumentLocation) -> MSALFileFinder {
    let (home, looks) = (directory.path, looks)
    return MSALFileFinder(
      .known(.azureIdentity), KeyringItems(SecretService(address: nil), time: clock), time: clock,
      search: { locations, _ in
        looks.count.add(1, ordering: .relaxed)
        let exists = LocationFinder.file(at: locations.file) != nil
        return LocationFinder.LocatedCache(
          location: exists ? .file(locations.file) : location, exists: exists)
      },
      folders: { () throws(TesseraError) in
        try CacheDirectories { $0 == "HOME" ? home : nil }
      })
  }

  /// Returns the number of lookups during three accesses to the cache.
  private func looks(_ finder: MSALFileFinder) -> Int {
    let before = looks.count.load(ordering: .relaxed)
    for _ in 0..<3 { _ = try? finder.find(within: .none) }
    return looks.count.load(ordering: .relaxed) - before
  }

  @Test(arguments: [true, false])
  func `a missing cache is looked up once and then again after five seconds`(
    isItem: Bool
  ) {
    let item = KeyringItem(schema: "x", attributes: [])
    let finder = finder(finding: isItem ? .item(item, signal: path) : .file(path))
    #expect(looks(finder) == 1)
    #expect(looks(finder) == 0)
    clock.advance(seconds: 6)
    #expect(looks(finder) == 1)
  }

  @Test func `a created or deleted file is noticed at once`() throws {
    let finder = finder(finding: .file(path))
    #expect(try finder.find(within: .none).exists == false)
    try FileManager.default.createDirectory(
      atPath: directory.path + "/.IdentityService", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try finder.find(within: .none).exists)
    #expect(looks(finder) == 3)
    try FileManager.default.removeItem(atPath: path)
    #expect(looks(finder) == 1)
  }
}
