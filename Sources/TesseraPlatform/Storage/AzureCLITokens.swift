// SPDX-License-Identifier: MIT
// Where the Azure CLI before 2.30 kept the tokens of whoever runs this program.

import CTesseraSystem
import TesseraCache

/// The tokens of the Azure CLI before 2.30.
package enum AzureCLITokens {
  /// The file, which need not be there; nil if the environment does not tell.
  ///
  /// `AZURE_ACCESS_TOKEN_FILE` names it, else it is `accessTokens.json` in `AZURE_CONFIG_DIR` or in `~/.azure`.
  package static var path: String? {
    var environment: [String: String] = [:]
    for name in ["AZURE_ACCESS_TOKEN_FILE", "AZURE_CONFIG_DIR", "HOME"] {
      environment[name] = ctessera_environment(name).flatMap { String(validatingCString: $0) }
    }
    return AzureCLIPlaces.tokens(environment: environment).first
  }
}
