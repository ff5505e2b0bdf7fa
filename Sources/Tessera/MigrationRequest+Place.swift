// SPDX-License-Identifier: MIT
// The cache of an older library that has a place of its own, so that nobody need know the path.

public import TesseraEngine
import TesseraPlatform

extension MigrationRequest {
  /// A place in which a program kept its cache.
  public enum Place: String, Sendable, CaseIterable {
    /// `accessTokens.json` of the Azure CLI before 2.30: the file that `AZURE_ACCESS_TOKEN_FILE` names, else the one in the
    /// folder that `AZURE_CONFIG_DIR` names, which is `~/.azure` otherwise.
    case azureCLI = "azure_cli"
  }

  /// The cache that lies in a place; it is read and never changed.
  ///
  /// - Throws: `fixRequest` with code `legacy_cache_invalid` where nothing lies that can be read, or where the environment
  ///   does not tell the place.
  public init(place: Place, format: String? = nil) throws(TesseraError) {
    switch place {
    case .azureCLI:
      guard let path = AzureCLITokens.path else {
        throw TesseraError(
          .fixRequest, .legacyCacheInvalid,
          "Neither AZURE_ACCESS_TOKEN_FILE nor AZURE_CONFIG_DIR nor HOME is set: give the path of accessTokens.json."
        )
      }
      try self.init(path: path, format: format ?? place.rawValue)
    }
  }
}
