// SPDX-License-Identifier: MIT
// Migration requests with the cache of an older library at its known location.

public import TesseraEngine
import TesseraPlatform

extension MigrationRequest {
  /// A known location of a cache.
  public enum Place: String, Sendable, CaseIterable {
    /// The file `accessTokens.json` of the Azure CLI before 2.30.
    ///
    /// Its path is `AZURE_ACCESS_TOKEN_FILE`, or else in the directory `AZURE_CONFIG_DIR`, by default `~/.azure`.
    case azureCLI = "azure_cli"
  }

  /// Reads the cache of an older library from a known location.
  ///
  /// The file is not changed.
  ///
  /// - Throws: `fixRequest` with the code `legacy_cache_invalid` if the file does not exist or cannot be read, or if
  ///   the environment does not define its path.
  public init(place: Place, format: Format? = nil) throws(TesseraError) {
    switch place {
    case .azureCLI:
      guard let path = AzureCLITokens.path else {
        throw TesseraError(
          .fixRequest, .legacyCacheInvalid,
          "Neither AZURE_ACCESS_TOKEN_FILE nor AZURE_CONFIG_DIR nor HOME is set: pass the path of accessTokens.json."
        )
      }
      try self.init(path: path, format: format ?? .azureCLI)
    }
  }
}
