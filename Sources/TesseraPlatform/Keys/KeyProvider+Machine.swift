// SPDX-License-Identifier: MIT
// The key sources of this machine.

package import TesseraEngine

extension KeyProvider {
  /// Creates the key provider for a configuration, with the sources of this machine.
  ///
  /// No source is accessed before a key is needed.
  package convenience init(
    _ configuration: ApplicationConfiguration, time: any TimeSource, randomness: any Randomness
  ) {
    let options = configuration.store.sqliteOptions
    let location = try? StoreLocation(
      group: options.group, directory: options.directory)
    self.init(
      configuration,
      storages: [
        SecretService(), KernelKeyring(),
        KeyFile(directory: KeyFile.defaultDirectory, storeDirectory: location?.directory),
      ], time: time, randomness: randomness)
  }
}
