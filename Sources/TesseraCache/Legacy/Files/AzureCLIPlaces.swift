// SPDX-License-Identifier: MIT
// Where the Azure CLI before 2.30 kept its tokens. No other of these caches has a place of its own.

import TesseraWire

/// The places of the Azure CLI, told from its environment.
package enum AzureCLIPlaces {
  /// Where the tokens lie, in the order in which the Azure CLI looks; none if nothing says where that is.
  ///
  /// `AZURE_ACCESS_TOKEN_FILE` names the file, `AZURE_CONFIG_DIR` its folder, which is `.azure` at home otherwise. A
  /// variable that says nothing counts as not set.
  ///
  /// ADAL for Python, ADAL for Node and ADAL.NET leave the place to the program, which must be asked for it.
  package static func tokens(environment: [String: String]) -> [String] {
    if let file = environment["AZURE_ACCESS_TOKEN_FILE"]?.nonBlank { return [file] }
    let folder =
      environment["AZURE_CONFIG_DIR"]?.nonBlank
      ?? environment["HOME"]?.nonBlank.map { "\($0)/.azure" }
    return folder.map { ["\($0)/accessTokens.json"] } ?? []
  }
}
