// SPDX-License-Identifier: MIT
// Location of the token file of the Azure CLI before version 2.30.

import CTesseraSystem
import TesseraCache
import TesseraEngine

/// The token file of the Azure CLI before version 2.30.
package enum AzureCLITokens {
  /// The path of the file, which need not exist; nil if the environment does not determine it.
  ///
  /// `AZURE_ACCESS_TOKEN_FILE` is the path. Otherwise it is `accessTokens.json` in `AZURE_CONFIG_DIR` or in `~/.azure`.
  package static var path: String? {
    var environment: [String: String] = [:]
    for name in ["AZURE_ACCESS_TOKEN_FILE", "AZURE_CONFIG_DIR", "HOME"] {
      environment[name] = ctessera_environment(name).flatMap { String(validatingCString: $0) }
    }
    return AzureCLICachePaths.tokens(environment: environment).first
  }
}
