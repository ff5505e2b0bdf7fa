// SPDX-License-Identifier: MIT
// The sources of keys that this machine may have.

package import TesseraEngine

extension KeyProvider {
  /// The keeper that a configuration wants, with the sources of this machine.
  ///
  /// Nothing is asked before a key is needed.
  package convenience init(
    _ configuration: ApplicationConfiguration, time: any TimeSource, randomness: any Randomness
  ) {
    let location = try? StoreLocation(
      group: configuration.group, directory: configuration.storeDirectory)
    self.init(
      configuration,
      holders: [
        SecretService(), KernelKeyring(),
        KeyFile(directory: KeyFile.usualDirectory, storeDirectory: location?.directory),
      ], time: time, randomness: randomness)
  }
}
