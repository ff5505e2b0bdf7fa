// SPDX-License-Identifier: MIT
// tessera store: rare commands for the token store.

import ArgumentParser

/// The rare commands for the token store.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Copy, migrate and re-encrypt the token store.",
    subcommands: [Copy.self, Migrate.self, Caches.self, RotateKey.self])
}
