// SPDX-License-Identifier: MIT
// Commits tokens with a lifetime of a minute of a simulated clock, for many minutes.

internal import TesseraCache
internal import TesseraEngine
internal import TesseraPlatform
internal import TesseraTesting
internal import TesseraWire

/// Commits tokens with a lifetime of a minute, ten in every second, and prints the progress.
struct Growing {
  /// The number of progress reports.
  private static let progressReports = 20

  private let store: SQLiteStore
  private let clock = VirtualClock()
  private let filling = String(repeating: "x", count: 2000)

  init(directory: String) {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.store = .sqlite(keySources: [.keyFile])
    store = SQLiteStore(
      group: "default", directory: directory,
      protection: KeyProvider(configuration, time: clock, randomness: SystemRandomness()),
      time: clock)
  }

  /// Commits a number of tokens, each for other scopes.
  func run(_ count: Int) throws {
    for number in 0..<count {
      try store.commit(CacheChange([.put(.credential(token(number)))]), within: .none)
      if number % 10 == 9 { clock.advance(seconds: 1) }
      if number % max(1, count / Growing.progressReports) == 0 { printLine("\(number)") }
    }
    printLine("done")
  }

  private func token(_ number: Int) -> CredentialRecord {
    var token = CredentialRecord(type: .accessToken, secret: Secret("\(number)" + filling))
    token.homeAccountID = "home \(number % 50)"
    token.environment = "issuer.example"
    token.clientID = "client"
    token.realm = "tenant"
    token.target = "read.\(number)"
    token["cached_at"] = "\(clock.now.secondsSince1970)"
    token["expires_on"] = "\(clock.now.adding(seconds: 60).secondsSince1970)"
    return token
  }
}
