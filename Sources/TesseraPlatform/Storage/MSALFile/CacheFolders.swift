// SPDX-License-Identifier: MIT
// The folders in which other programs keep their caches.

import CTesseraSystem
import TesseraEngine

/// The folders in which other programs keep their caches, as they find them.
struct CacheFolders: Sendable, Hashable {
  /// The person's own folder, `~`.
  let home: String
  /// Azure CLI's: `$AZURE_CONFIG_DIR`, or `.azure` in the home.
  let azure: String
  /// Azure Developer CLI's: `$AZD_CONFIG_DIR`, or `.azd` in the home.
  let developer: String
  /// What .NET calls LocalApplicationData: `$XDG_DATA_HOME`, or `.local/share` in the home.
  let data: String
  /// `$XDG_CACHE_HOME`, or `.cache` in the home.
  let cache: String

  /// The folders that an environment names; a variable that is no absolute path is ignored, but for Azure CLI's.
  ///
  /// - Throws: `fixStorage` when it names no home, or when Azure CLI's folder depends on where a program was started.
  init(
    _ variable: (String) -> String? = { CacheFolders.variable($0) }
  ) throws(TesseraError) {
    func absolute(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let home = absolute("HOME") else {
      throw TesseraError(
        .fixStorage, .storeUnavailable,
        "HOME is not set: where other programs keep their caches is not known. Give the path of the cache as msal_cache."
      )
    }
    self.home = home
    azure = try CacheFolders.azure(variable("AZURE_CONFIG_DIR"), home)
    developer = absolute("AZD_CONFIG_DIR") ?? home + "/.azd"
    data = absolute("XDG_DATA_HOME") ?? home + "/.local/share"
    cache = absolute("XDG_CACHE_HOME") ?? home + "/.cache"
  }

  /// Azure CLI takes its variable as it is, or with a `~` in front.
  private static func azure(_ value: String?, _ home: String) throws(TesseraError) -> String {
    guard let value, !value.isEmpty else { return home + "/.azure" }
    if value.hasPrefix("/") { return value }
    if value == "~" { return home }
    if value.hasPrefix("~/") { return home + value.dropFirst() }
    throw TesseraError(
      .fixStorage, .storeUnavailable,
      "AZURE_CONFIG_DIR is no absolute path: where Azure CLI's cache lies depends on where it is started."
    )
  }

  private static func variable(_ name: String) -> String? {
    ctessera_environment(name).flatMap { String(validatingCString: $0) }
  }
}
