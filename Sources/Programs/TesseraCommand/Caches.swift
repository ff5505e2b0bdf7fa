// SPDX-License-Identifier: MIT
// tessera store caches: the token caches of other tools.

import ArgumentParser
import Tessera

/// Lists the token caches of Microsoft tools.
struct Caches: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "List the token caches of Azure CLI, azure-identity and Azure PowerShell on this machine.",
    discussion: """
      Takes no lock, changes nothing and works offline. A locked keyring is reported as locked. An asterisk marks the \
      location in use if a cache has several.
      """)

  @Flag(help: "Include the locations that do not exist.")
  var all = false

  @Flag(help: "Print one JSON document with all locations.")
  var json = false

  func run() throws {
    let caches: [FoundCache]
    do throws(TesseraError) {
      caches = try knownCaches()
    } catch {
      Output.report(error, asJSON: json, showsNextStep: false)
      throw ExitCode(error.remedy.rawValue)
    }
    guard !json else {
      let list = JSONText.array(caches.map { .document($0.jsonDocument) })
      return Output.printLine(.object(["caches": list]))
    }
    let shown = caches.filter { all || $0.state != .missing }
    if shown.isEmpty { Output.printError("No token cache of these tools found.") }
    Output.report(rows: shown.map(Caches.row))
  }

  /// Returns the columns of a cache: its name, its state and its location.
  private static func row(_ cache: FoundCache) -> [String] {
    let what =
      switch cache.state {
      case .usable: cache.accounts == 1 ? "1 account" : "\(cache.accounts ?? 0) accounts"
      case .missing, .locked, .unreadable, .unavailable: cache.state.rawValue
      }
    let place = cache.schema.map { "keyring item \($0), \(cache.path)" } ?? cache.path
    let name = "\(cache.isSelected ? "*" : " ") \(cache.name)"
    return [name, what, place] + (cache.reason.map { [$0] } ?? [])
  }
}
