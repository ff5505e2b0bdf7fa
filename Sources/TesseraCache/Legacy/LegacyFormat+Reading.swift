// SPDX-License-Identifier: MIT
// One way into every older cache: whichever format it has, what lies in it is met entry by entry.

extension LegacyFormat {
  /// Meets every entry of a cache of this format, in the order of the cache.
  ///
  /// An entry that cannot be read is met as damaged, and those after it are read all the same.
  ///
  /// - Throws: ``LegacyDamage`` if nobody can tell where the next entry begins; those before it have been met.
  package func read(
    _ bytes: [UInt8], _ meet: (LegacyEntry) -> Void
  ) throws(LegacyDamage) {
    switch self {
    case .adalDotNet: try ADALDotNetReader.read(bytes, meet)
    case .msalDotNet: try MSALDotNetReader.read(bytes, meet)
    case .msalMacOS: try UnifiedFileReader.read(bytes, meet)
    case .adalPython, .azureCLI, .adalNode: try ADALEntryReader.read(bytes, meet)
    case .adalAppleItem: try AppleItemReader.read(bytes, meet)
    case .adalMacOS: try MacOSCacheReader.read(bytes, meet)
    case .appleKeychain: try KeychainReader.read(bytes, meet)
    }
  }
}
