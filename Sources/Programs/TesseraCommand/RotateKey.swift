// SPDX-License-Identifier: MIT
// tessera rotate-key: rotates the key of the store.

import ArgumentParser
import Tessera

/// Rotates the key of the store.
struct RotateKey: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Encrypt the token store with a new key.",
    usage: "tessera rotate-key [<options>]",
    discussion: """
      Works offline. Applications that have the store open continue to work. A key that an application supplies can be \
      rotated by that application only.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    // The store is common to all applications of a group.
    var configuration = ApplicationConfiguration(clientID: "tessera-rotate-key")
    store.apply(to: &configuration)
    let isRotated: Bool
    do throws(TesseraError) {
      isRotated = try PublicClientApplication(configuration).rotateStoreKey()
    } catch {
      Output.report(error, asJSON: store.json)
      throw ExitCode(error.remedy.rawValue)
    }
    guard !store.json else {
      return Output.printLine(.object(["rotated": .bool(isRotated)]))
    }
    Output.report(
      isRotated
        ? "The token store is encrypted with a new key."
        : "The token store contains nothing to encrypt. No key was created.")
  }
}
