// SPDX-License-Identifier: MIT
// The other process: commits when it is told to, and measures how long one sign-in's commit takes.

internal import Tessera
internal import TesseraCache
internal import TesseraPlatform
internal import TesseraWire

/// Answers `write [HOME [SCOPE]]`, `person`, `sign-in SECONDS` and `quit` with one number each: nanoseconds.
///
/// With a home account id it writes a token of that person, for that scope, otherwise one of somebody nobody asks for;
/// `person` signs somebody in or out of the application that is measured, in turn.
struct Writer {
  private let store: any CredentialStore
  private let place: StorePlace

  init(_ place: StorePlace) {
    self.place = place
    store = place.store
  }

  /// Serves the commands.
  func serve() throws {
    tell("ready")
    // Made before, so that only the commits are measured; no record is ever what is stored already.
    let signIns = (0..<64).map(signIn)
    var number = 0
    while let line = readLine(), line != "quit" {
      let words = line.split(separator: " ")
      if words.first == "sign-in" {
        let seconds = words.last.flatMap { Double($0) } ?? 0.1
        tell(
          try Stopwatch(seconds: seconds).medianNanoseconds {
            number += 1
            try store.commit(signIns[number % signIns.count], within: .none)
          })
      } else if words.first == "person" {
        number += 1
        let start = Stopwatch.now
        try store.commit(person(number), within: .none)
        tell(Stopwatch.now - start)
      } else {
        number += 1
        tell(try replace(number, of: words.dropFirst().first, for: words.dropFirst(2).first))
      }
    }
  }

  /// Commits an access token: of a person or of somebody nobody asks for, for a scope or another one.
  ///
  /// - Returns: how many nanoseconds that took.
  func replace(_ number: Int, of home: Substring?, for scope: Substring?) throws -> UInt64 {
    var token = accessToken(number)
    if let home { token.homeAccountID = String(home) }
    if let scope { token.target = "openid profile \(scope)" }
    let start = Stopwatch.now
    try store.commit(CacheChange([.replaceAccessToken(token)]), within: .none)
    return Stopwatch.now - start
  }

  /// What makes one more account in the list, or one less.
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

  /// What a sign-in stores: access token, ID token, refresh token, account; all of them are new.
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

  /// Nobody whom the measured programs ask for: a person of the writer's own, the same few again and again.
  private static func home(_ number: Int) -> String { "writer-\(number % 8).\(tenant)" }

  private static let tenant = "ffffffff-0000-4000-8000-000000000000"
  private static let environment = "login.windows.net"
}
