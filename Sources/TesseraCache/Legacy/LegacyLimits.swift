// SPDX-License-Identifier: MIT
// What no cache of people has: there reading stops, since somebody means harm.

/// How much of an older cache is read.
package enum LegacyLimits {
  /// The most entries of one cache: a cache of the largest size with one token in each has fewer.
  package static let entries = 500_000
  /// The longest value of an item of a keychain, in bytes.
  package static let value = 32 << 20
  /// The most members of an object, and the most values in an item of a keychain.
  package static let members = 10_000

  /// What is said of a cache that has more entries.
  static func tooMany(_ entry: Int) -> LegacyDamage {
    LegacyDamage(
      entry: entry, "cache_too_large",
      "The cache has more than \(entries) entries, and no more of them are read.")
  }
}
