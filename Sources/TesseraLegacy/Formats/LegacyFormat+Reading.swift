// SPDX-License-Identifier: MIT
// A common reader for all formats of older caches.

import TesseraCache

extension LegacyFormat {
  /// Calls `emit` with each entry of a cache of this format, in cache order.
  ///
  /// An entry that cannot be read is passed on as damaged, and reading continues.
  ///
  /// - Throws: ``LegacyCacheError`` if the position of the next entry is unknown. The entries before it were passed on.
  package func read(
    _ bytes: [UInt8], _ emit: (LegacyEntry) -> Void
  ) throws(LegacyCacheError) {
    switch self {
    case .adalDotNet: try ADALDotNetReader.read(bytes, emit)
    case .msalDotNet: try MSALDotNetReader.read(bytes, emit)
    case .msalMacOS: try UnifiedFileReader.read(bytes, emit)
    case .adalPython, .azureCLI, .adalNode: try ADALEntryReader.read(bytes, emit)
    case .adalAppleItem: try AppleItemReader.read(bytes, emit)
    case .adalMacOS: try MacOSCacheReader.read(bytes, emit)
    case .appleKeychain: try KeychainReader.read(bytes, emit)
    }
  }
}
