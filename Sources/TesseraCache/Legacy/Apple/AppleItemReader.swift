// SPDX-License-Identifier: MIT
// Reads one item of ADAL for Apple, as a keychain holds it: a keyed archive of any version from 1.0 on.

/// Reads one value of a keychain that ADAL for Apple wrote.
package enum AppleItemReader {
  /// Meets the item, or says why there is none.
  package static func read(
    _ bytes: [UInt8], _ meet: (LegacyEntry) -> Void
  ) throws(LegacyDamage) {
    meet(try entry(bytes))
  }

  /// What an archive holds: a token, a broker's token, the marker of a cache that was emptied.
  package static func entry(_ bytes: [UInt8]) throws(LegacyDamage) -> LegacyEntry {
    var archive = try KeyedArchive(bytes)
    switch try archive.value(at: archive.root) {
    case .instance(let instance): return try archive.entry(instance)
    case .dictionary(let dictionary):
      for pair in dictionary.pairs
      where try archive.value(at: pair.key).string == "wipeTime" {
        return .preserved(.wipeMarker)
      }
      return .preserved(.unknown)
    default: return .preserved(.unknown)
    }
  }
}
