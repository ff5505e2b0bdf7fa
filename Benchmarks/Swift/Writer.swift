// SPDX-License-Identifier: MIT
// The writing process: commits on command, and measures the time of a sign-in's commit.

internal import Tessera
internal import TesseraCache
internal import TesseraPlatform
internal import TesseraWire

/// Executes `write [HOME [SCOPE]]`, `person`, `sign-in SECONDS` and `quit`.
///
/// Each command except `quit` prints one number, in nanoseconds.
///
/// With a home account ID, `write` stores a token of that account and scope, otherwise one that is never requested.
/// `person` signs an account in to the measured application and out again, in turn.
struct Writer {
  private let store: any CredentialStore
  private let place: MeasuredStore

  init(_ place: MeasuredStore) {
    self.place = place
    store = place.store
  }

  /// Executes commands from standard input.
  func serve() throws {
    printResult("ready")
    // Prepared in advance, so that only the commits are measured. Each record differs from the stored one.
    let signIns = (0..<64).map(signIn)
    var number = 0
    while let line = readLine(), line != "quit" {
      let words = line.split(separator: " ")
      if words.first == "sign-in" {
        let seconds = words.last.flatMap { Double($0) } ?? 0.1
        printResult(
          try Stopwatch(seconds: seconds).medianNanoseconds {
            number += 1
            try store.commit(signIns[number % signIns.count], within: .none)
          })
      } else if words.first == "person" {
        number += 1
        let start = Stopwatch.now
        try store.commit(person(number), within: .none)
        printResult(Stopwatch.now - start)
      } else {
        number += 1
        printResult(try replace(number, of: words.dropFirst().first, for: words.dropFirst(2).first))
      }
    }
  }

  /// Commits an access token: of an account or of the writer's own, for a scope or a default one.
  ///
  /// - Returns: The duration in nanoseconds.
  func replace(_ number: Int, of home: Substring?, for scope: Substring?) throws -> UInt64 {
    var token = accessToken(number)
    if let home { token.homeAccountID = String(home) }
    if let scope { token.target = "openid profile \(scope)" }
    let start = Stopwatch.now
    try store.commit(CacheChange([.replaceAccessToken(token)]), within: .none)
    return Stopwatch.now - start
  }

  /// Returns a change that adds an account to the list, or removes it.
  private func person(_ number: Int) -> CacheChange {
    let home = "person.\(Writer.tenant)"
    guard number % 2 == 0 else {
      let account = AccountRecord(
        homeAccountID: home, environment: Writer.environment, realm: Writer.tenant)
      return CacheChange([
        .mergeAccount(account),
        .signIn(homeAccountID: home, clientID: place.clientID, requested: "x", result: "x"),
      ])
    }
    return CacheChange([
      .signOut(
        CacheChange.SignOut(
          homeAccountID: home, clientID: place.clientID, environments: [Writer.environment],
          isEntra: true))
    ])
  }

  /// Returns the records of a sign-in: access token, ID token, refresh token and account, all of them new.
  private func signIn(_ number: Int) -> CacheChange {
    var refreshToken = credential(.refreshToken, number, length: 1300)
    refreshToken.familyID = nil
    var account = AccountRecord(
      homeAccountID: Writer.home(number), environment: Writer.environment, realm: Writer.tenant)
    account.name = "The \(number). sign-in"
    return CacheChange([
      .replaceAccessToken(accessToken(number)),
      .put(.credential(credential(.idToken, number, length: 1100))),
      .put(.credential(refreshToken)), .mergeAccount(account),
    ])
  }

  private func accessToken(_ number: Int) -> CredentialRecord {
    var token = credential(.accessToken, number, length: 2048)
    token.target = "openid profile offline_access https://graph.example/Read"
    token.cachedAt = Instant(secondsSince1970: 1_700_000_000)
    token.expiresAt = Instant(secondsSince1970: 4_000_000_000 + Int64(number))
    return token
  }

  private func credential(_ type: CredentialType, _ number: Int, length: Int) -> CredentialRecord {
    let start = "eyJ\(number)."
    var record = CredentialRecord(
      type: type,
      secret: Secret(start + String(repeating: "x", count: max(length - start.utf8.count, 0))))
    record.homeAccountID = Writer.home(number)
    record.environment = Writer.environment
    record.clientID = place.clientID
    if !type.isRefreshToken { record.realm = Writer.tenant }
    return record
  }

  /// Returns one of eight accounts that only the writer uses.
  private static func home(_ number: Int) -> String { "writer-\(number % 8).\(tenant)" }

  private static let tenant = "ffffffff-0000-4000-8000-000000000000"
  private static let environment = "login.windows.net"
}
