// SPDX-License-Identifier: MIT
// The URL that ends a session at the provider (OpenID Connect RP-Initiated Logout 1.0).

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct EndSessionTests {
  private let bench = TestBench()

  private func signOut(
    _ application: PublicClientApplication, _ account: Account,
    scope: SignOutScope = .application
  ) throws -> SignOutReport {
    var request = SignOutRequest(account: account)
    request.scope = scope
    request.wantsEndSessionURL = true
    return try application.signOut(request)
  }

  private func fields(_ report: SignOutReport) -> FormFields {
    FormFields(
      decoding: report.endSessionURL?.split(separator: "?").dropFirst().first.map(Substring.init)
        ?? "")
  }

  @Test(arguments: [nil, "main"], [SignOutScope.application, .everyApplication])
  func `the end-session URL has the application's ID token of the account as a hint`(
    _ issuer: String?, _ scope: SignOutScope
  ) throws {
    let application = try bench.application(issuer: issuer)
    let other = try bench.application(client: "other", issuer: issuer)
    let token = try bench.signIn(application)
    try bench.signIn(other)
    try bench.signIn(application, as: .bob)
    let report = try signOut(application, token.account, scope: scope)
    #expect(fields(report)["id_token_hint"] == token.idToken?.reveal())
    #expect(fields(report)["client_id"] == "client")
    #expect(fields(report)["logout_hint"] == LocalUser.alice.username)
  }

  @Test func `an ID token of another provider is not sent as a hint`() throws {
    let account = try bench.signIn(try bench.application(issuer: "main")).account
    let other = try bench.application(issuer: "other")
    let report = try signOut(other, account, scope: .everyApplication)
    #expect(fields(report)["client_id"] == "client")
    #expect(fields(report)["id_token_hint"] == nil)
  }

  @Test func `an ID token longer than 4096 bytes is left out with a warning`() throws {
    let application = try bench.application(issuer: "main")
    let account = try bench.signIn(application).account
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    let stored = try bench.store.snapshot(selection, within: .none).credentials
    let short = try #require(stored.first { $0.type == .idToken })
    var token = CredentialRecord(
      type: .idToken, secret: Secret(String(repeating: "x", count: 4097)))
    token.homeAccountID = short.homeAccountID
    token.environment = short.environment
    token.clientID = short.clientID
    token.realm = short.realm
    try bench.store.commit(CacheChange([.put(.credential(token))]), within: .none)
    let report = try signOut(try bench.application(issuer: "main"), account)
    #expect(fields(report)["id_token_hint"] == nil)
    #expect(report.endSessionURL != nil)
    #expect(report.warnings.contains { $0.contains("more than 4096 bytes") })
  }

  @Test func `the description of a report does not contain the ID token`() throws {
    let application = try bench.application(issuer: "main")
    let token = try bench.signIn(application)
    let report = try signOut(application, token.account)
    let secret = try #require(token.idToken?.reveal())
    #expect(report.endSessionURL?.contains(secret) == true)
    var dumped = "\(report)"
    dump(report, to: &dumped)
    #expect(!dumped.contains(secret))
  }
}
