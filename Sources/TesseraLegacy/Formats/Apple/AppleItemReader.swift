// SPDX-License-Identifier: MIT
// A reader for one keychain item of ADAL for Apple: a keyed archive of any version from 1.0 on.

import TesseraCache

/// A reader for one keychain value that ADAL for Apple wrote.
package enum AppleItemReader {
  /// Calls `emit` with the item.
  ///
  /// - Throws: ``LegacyCacheError`` if the value is not a valid item.
  package static func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    emit(try entry(bytes))
  }

  /// Returns the contents of an archive: an item, a broker's token or the wipe marker.
  package static func entry(_ bytes: [UInt8]) throws(LegacyCacheError) -> LegacyEntry {
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
