// SPDX-License-Identifier: MIT
// Migration requests with the cache of an older library in a file.

public import TesseraEngine
import TesseraPlatform

extension MigrationRequest {
  /// Reads the cache of an older library from a file.
  ///
  /// The file is not changed.
  ///
  /// - Throws: `fixRequest` with the code `legacy_cache_invalid` if the file does not exist, is not a regular file,
  ///   cannot be read or is larger than ``largest``.
  public init(path: String, format: Format? = nil) throws(TesseraError) {
    guard let data = SmallFile.contents(of: path, limit: MigrationRequest.largest) else {
      throw TesseraError(
        .fixRequest, .legacyCacheInvalid,
        """
        \(path) cannot be migrated: it must be a regular file that this process can read, of at most \
        \(MigrationRequest.largest >> 20) MB.
        """)
    }
    self.init(data: data, format: format)
  }
}
