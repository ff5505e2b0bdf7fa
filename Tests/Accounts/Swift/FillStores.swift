// SPDX-License-Identifier: MIT
// Fills a store for each case of Tests/Vectors/accounts.json, for the same tests in C and Python.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TestVectors

/// `tessera-fixtures DIRECTORY`: creates the groups `case-0`, `case-1`, … in the order of the file.
@main struct FillStores {
  static func main() throws {
    guard let directory = CommandLine.arguments.dropFirst().first else {
      return print("usage: tessera-fixtures DIRECTORY")
    }
    for (index, fixture) in AccountFixture.all.enumerated() {
      let store = SQLiteStore(
        group: "case-\(index)", directory: directory, protection: PlaintextProtection(),
        time: SystemTime())
      try store.commit(fixture.change, within: .none)
    }
    print(AccountFixture.all.count)
  }
}
