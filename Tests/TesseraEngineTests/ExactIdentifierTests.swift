// SPDX-License-Identifier: MIT
// Users whose identifiers are canonically equivalent in Unicode are different users.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ExactIdentifierTests {
  private static let pairs = [
    ("caf\u{E9}", "cafe\u{301}"), ("K1", "\u{212A}1"), ("\u{8C48}", "\u{F900}"),
  ]
  private let bench = TestBench()

  /// Stores a sign-in of a user in two realms, with the identifier as the user name.
  private func store(
    _ home: String, _ secret: String, at environment: String = "issuer.example"
  ) throws {
    var change = CacheChange()
    for realm in ["r1", "r2"] {
      var account = AccountRecord(homeAccountID: home, environment: environment, realm: realm)
      account.username = home
      change.steps.append(.mergeAccount(account))
    }
    for type in [CredentialType.refreshToken, .accessToken] {
      var token = CredentialRecord(type: type, secret: Secret(secret))
      token.homeAccountID = home
      token.environment = environment
      token.clientID = "client"
      if type == .accessToken {
        token.realm = ""
        token.target = "read"
        token.expiresAt = bench.clock.now.adding(seconds: 3600)
        token["cached_at"] = String(bench.clock.now.secondsSince1970)
      }
      change.steps.append(.put(.credential(token)))
    }
    try bench.store.commit(change, within: .none)
  }

  private func bytes(_ accounts: [Account]) -> [[UInt8]] {
    accounts.map { Array($0.homeAccountID.utf8) }
  }

  @Test(arguments: pairs)
  func `an account is found by its own identifier only`(_ one: String, _ other: String) throws {
    let application = try bench.application(issuer: "main")
    try store(one, "one")
    expect(.accountNotFound) { _ = try application.account(homeAccountID: other) }
    expect(.accountNotFound) { _ = try application.account(username: other) }
    try store(other, "other")
    #expect(Set(bytes(try application.accounts())) == [Array(one.utf8), Array(other.utf8)])
    for home in [one, other] {
      let account = try application.account(homeAccountID: home)
      #expect(bytes([account]) == [Array(home.utf8)] && account.tenantProfiles.count == 2)
      #expect(try application.account(username: home) == account)
    }
    #expect(
      try application.account(homeAccountID: one) != application.account(homeAccountID: other))
  }

  @Test(arguments: pairs)
  func `a token is returned to its own user only`(_ one: String, _ other: String) throws {
    let application = try bench.application(issuer: "main")
    let environment = try bench.signIn(application).account.environment
    try store(one, "one", at: environment)
    bench.transport.network = .down
    var request = SilentRequest(homeAccountID: other, scopes: ["read"])
    #expect(throws: TesseraError.self) { _ = try application.acquireTokenSilent(request) }
    try store(other, "other", at: environment)
    for (home, secret) in [(one, "one"), (other, "other")] {
      request.homeAccountID = home
      #expect(try application.acquireTokenSilent(request).accessToken.reveal() == secret)
    }
  }

  @Test(arguments: pairs)
  func `removing an account leaves the other one`(_ one: String, _ other: String) throws {
    let application = try bench.application(issuer: "main")
    try store(one, "one")
    try store(other, "other")
    #expect(try application.removeAccount(application.account(homeAccountID: one)))
    #expect(bytes(try application.accounts()) == [Array(other.utf8)])
  }

  @Test(arguments: pairs)
  func `a failure is recorded for its own user only`(_ one: String, _ other: String) {
    let memory = InMemoryThrottles()
    let clocks = bench.clock.clocks
    for (name, home) in [("1", one), ("2", other)] {
      memory.add(
        ThrottleRecord(
          name: name, homeAccountID: home, clientID: "client", at: clocks, blockedForSeconds: 60,
          backoffForSeconds: 60, failures: 1, error: JSONObject()), at: clocks)
    }
    #expect(memory.records(of: one).map(\.name) == ["1"])
    memory.removeRecords(of: one)
    #expect(memory.records(of: other).map(\.name) == ["2"])
  }
}
