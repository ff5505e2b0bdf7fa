// SPDX-License-Identifier: MIT
// The location of the token cache of the Azure CLI before 2.30. Other older libraries have no fixed location.

import TesseraCache
import TesseraWire

/// The cache location of the Azure CLI, based on its environment variables.
package enum AzureCLICachePaths {
  /// Returns the paths of the token cache, in the search order of the Azure CLI, or none if the location is unknown.
  ///
  /// `AZURE_ACCESS_TOKEN_FILE` is the path of the file. `AZURE_CONFIG_DIR` is its directory, by default `~/.azure`. A
  /// blank variable counts as not set.
  ///
  /// With ADAL for Python, ADAL for Node and ADAL.NET, the application chooses the location.
  package static func tokens(environment: [String: String]) -> [String] {
    if let file = environment["AZURE_ACCESS_TOKEN_FILE"]?.nonBlank { return [file] }
    let folder =
      environment["AZURE_CONFIG_DIR"]?.nonBlank
      ?? environment["HOME"]?.nonBlank.map { "\($0)/.azure" }
    return folder.map { ["\($0)/accessTokens.json"] } ?? []
  }
}
