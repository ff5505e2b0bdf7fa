// SPDX-License-Identifier: MIT
// The limits for reading older caches. No legitimate cache exceeds them.

import TesseraCache

/// The limits for reading an older cache.
package enum LegacyLimits {
  /// The maximum number of entries in a cache.
  ///
  /// A cache of the maximum size with a token in each entry has fewer entries.
  package static let entries = 500_000
  /// The maximum size of a keychain item's value, in bytes.
  package static let value = 32 << 20
  /// The maximum number of members of an object, and of values in a keychain item.
  package static let members = 10_000

  /// Returns the error for a cache with too many entries.
  static func tooMany(_ entry: Int) -> LegacyCacheError {
    LegacyCacheError(
      entry: entry, "cache_too_large",
      "The cache has more than \(entries) entries; the others were not read.")
  }
}
