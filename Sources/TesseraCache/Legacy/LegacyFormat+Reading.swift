// SPDX-License-Identifier: MIT
// A common reader for all formats of older caches.

extension LegacyFormat {
  /// Calls `meet` with each entry of a cache of this format, in cache order.
  ///
  /// An entry that cannot be read is passed on as damaged, and reading continues.
  ///
  /// - Throws: ``LegacyDamage`` if the position of the next entry is unknown. The entries before it were passed on.
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
