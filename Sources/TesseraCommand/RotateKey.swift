// SPDX-License-Identifier: MIT
// tessera rotate-key: rotates the key of the store.

import ArgumentParser
import Tessera
import TesseraEngine
import TesseraWire

/// Rotates the key of the store.
struct RotateKey: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give the token store a new key, and seal everything in it with that.",
    usage: "tessera rotate-key [<options>]",
    discussion: """
      Asks no server. Programs that have the store open go on. A key that a program keeps itself is replaced by that \
      program.
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
      return Output.printLine(JSONValue.object(["rotated": .bool(isRotated)]))
    }
    Output.report(
      isRotated
        ? "The token store has a new key." : "The token store has nothing to seal: no new key.")
  }
}
