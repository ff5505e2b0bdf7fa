// SPDX-License-Identifier: MIT
// tessera store rotate-key: rotates the key of the store.

import ArgumentParser
import Tessera

/// Rotates the key of the store.
struct RotateKey: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Encrypt the token store with a new key.",
    usage: "tessera store rotate-key [<options>]",
    discussion: """
      Works offline. Applications that have the store open continue to work. A key that an application supplies can be \
      rotated by that application only.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    try Output.run(store, named: "tessera-rotate-key") { configuration in
      report(isRotated: try PublicClientApplication(configuration).rotateStoreKey())
    }
  }

  private func report(isRotated: Bool) {
    guard !store.json else {
      return Output.printLine(.object(["rotated": .bool(isRotated)]))
    }
    Output.report(
      isRotated
        ? "The token store is encrypted with a new key."
        : "The token store contains nothing to encrypt. No key was created.")
  }
}
