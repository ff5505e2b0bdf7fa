// SPDX-License-Identifier: MIT
// The cache of an older library, read from a file.

public import TesseraEngine
import TesseraPlatform

extension MigrationRequest {
  /// The cache that a file holds; the file is read and never changed.
  ///
  /// - Throws: `fixRequest` with code `legacy_cache_invalid` for a file that is not there, is no plain file, cannot be read
  ///   or is larger than ``largest``.
  public init(path: String, format: String? = nil) throws(TesseraError) {
    guard let data = SmallFile.contents(of: path, limit: MigrationRequest.largest) else {
      throw TesseraError(
        .fixRequest, .legacyCacheInvalid,
        """
        \(path) cannot be taken over: it must be a plain file that this program may read, of at most \
        \(MigrationRequest.largest >> 20) MB.
        """)
    }
    self.init(data: data, format: format)
  }
}
