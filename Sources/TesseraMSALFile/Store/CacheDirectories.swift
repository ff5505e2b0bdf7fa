// SPDX-License-Identifier: MIT
// The directories in which other applications store their caches.

import CTesseraSystem
import TesseraEngine
import TesseraPlatform

/// The directories in which other applications store their caches, resolved as they do it.
struct CacheDirectories: Sendable, Hashable {
  /// The home directory of the user, `~`.
  let home: String
  /// The directory of Azure CLI: `$AZURE_CONFIG_DIR`, or `.azure` in the home directory.
  let azure: String
  /// The directory of Azure Developer CLI: `$AZD_CONFIG_DIR`, or `.azd` in the home directory.
  let developer: String
  /// The directory LocalApplicationData of .NET: `$XDG_DATA_HOME`, or `.local/share` in the home directory.
  let data: String
  /// `$XDG_CACHE_HOME`, or `.cache` in the home directory.
  let cache: String

  /// Reads the directories from environment variables.
  ///
  /// Relative paths are ignored, except for Azure CLI.
  ///
  /// - Parameter advice: The end of the message if HOME is not set.
  /// - Throws: `fixStorage` if HOME is not set, or if the directory of Azure CLI is relative to the current directory.
  init(
    _ variable: (String) -> String? = { CacheDirectories.variable($0) },
    advice: String = "Set store.msal_cache to the path of the cache."
  ) throws(TesseraError) {
    func absolute(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let home = absolute("HOME") else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "HOME is not set, so the caches of other tools cannot be located. \(advice)")
    }
    self.home = home
    azure = try CacheDirectories.azure(variable("AZURE_CONFIG_DIR"), home)
    developer = absolute("AZD_CONFIG_DIR") ?? home + "/.azd"
    data = absolute("XDG_DATA_HOME") ?? home + "/.local/share"
    cache = absolute("XDG_CACHE_HOME") ?? home + "/.cache"
  }

  /// Resolves the variable of Azure CLI, which is an absolute path or starts with `~`.
  private static func azure(_ value: String?, _ home: String) throws(TesseraError) -> String {
    guard let value, !value.isEmpty else { return home + "/.azure" }
    if value.hasPrefix("/") { return value }
    if value == "~" { return home }
    if value.hasPrefix("~/") { return home + value.dropFirst() }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      "AZURE_CONFIG_DIR is not an absolute path, so the location of Azure CLI's cache depends on the working directory."
    )
  }

  private static func variable(_ name: String) -> String? {
    ctessera_environment(name).flatMap { String(validatingCString: $0) }
  }
}
