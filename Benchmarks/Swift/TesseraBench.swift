// SPDX-License-Identifier: MIT
// Fills stores for the benchmarks, writes to them, and measures the Swift interface.

import CLibrary
internal import Tessera
internal import TesseraEngine
internal import TesseraMSALFile
internal import TesseraPlatform

/// The program: `tessera-bench fill|write|floor|hit DIRECTORY GROUP CLIENT AUTHORITY [REQUESTS]`, or
/// `tessera-bench older FILE`.
@main
struct TesseraBench {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "older" {
      return OlderCaches(path: arguments[2]).run()
    }
    guard arguments.count >= 6 else { return usage() }
    let place = MeasuredStore(
      directory: arguments[2], group: arguments[3], clientID: arguments[4], authority: arguments[5])
    switch arguments[1] {
    case "fill": try Filler(place).run()
    case "write": try Writer(place).serve()
    case "floor" where arguments.count == 7:
      try RowFloor(place, requests: arguments[6]).serve()
    case "hit" where arguments.count == 7: try Hits(place, requests: arguments[6]).serve()
    default: usage()
    }
  }

  private static func usage() {
    print(
      """
      usage: tessera-bench fill|write|floor|hit DIRECTORY GROUP CLIENT AUTHORITY [REQUESTS]
             tessera-bench older FILE
      """)
  }
}

/// The measured store and its application.
///
/// The store is Tessera's own in a directory, or the shared MSAL cache file, with a path that ends in `.json`.
struct MeasuredStore {
  let directory: String
  let group: String
  let clientID: String
  let authority: String

  /// The configuration of the application.
  var configuration: ApplicationConfiguration {
    var configuration = ApplicationConfiguration(clientID: clientID)
    configuration.authority = authority
    if isShared {
      configuration.store = .msalFile(.file(directory))
      return configuration
    }
    configuration.store = .sqlite(group: group, directory: directory, keySources: [.keyFile])
    return configuration
  }

  /// Whether the store is the shared MSAL cache file.
  private var isShared: Bool { directory.hasSuffix(".json") }

  /// The store, encrypted with a key in a file.
  var store: any CredentialStore {
    isShared ? MSALFileStore(.file(directory), configuration, time: SystemTime()) : ownStore
  }

  private var ownStore: SQLiteStore {
    SQLiteStore(group: group, directory: directory, protection: protection, time: SystemTime())
  }

  /// The key provider of the store.
  var protection: KeyProvider {
    KeyProvider(configuration, time: SystemTime(), randomness: SystemRandomness())
  }
}

/// Prints one result and flushes the output.
func printResult(_ answer: some CustomStringConvertible) {
  print(answer)
  fflush(nil)
}
