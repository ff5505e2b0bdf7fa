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
    let location = try? StoreLocation(
      group: configuration.group, directory: configuration.storeDirectory)
    self.init(
      configuration,
      storages: [
        SecretService(), KernelKeyring(),
        KeyFile(directory: KeyFile.defaultDirectory, storeDirectory: location?.directory),
      ], time: time, randomness: randomness)
  }
}
