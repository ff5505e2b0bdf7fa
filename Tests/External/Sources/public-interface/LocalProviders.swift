// SPDX-License-Identifier: MIT
// The testing product: the local provider, its commands, the virtual clock, seeded randomness and the local browser.

import Synchronization
import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the messages, commands, counts and log of a provider.
func checkLocalProvider() throws {
  let clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000))
  var settings = ProviderSettings()
  settings.intervalSeconds = 1
  let provider = LocalProvider(
    origin: "http://127.0.0.1:8400", settings: settings, now: { clock.date },
    randomBytes: SeededRandomness(seed: 7).bytes)
  let request = LocalProvider.Request(
    method: "POST", url: "/oidc/main/device",
    headers: [LocalProvider.Header("Content-Type", "application/x-www-form-urlencoded")],
    body: Array("client_id=client&scope=read".utf8))
  let response: LocalProvider.Response = provider.handle(request)
  expect(response.status, 200)
  expect(
    response.headers.first { $0.name.lowercased() == "content-type" }?.value, "application/json")
  let device = try object(String(decoding: response.body, as: UTF8.self))
  let userCode = expectValue(device.string("user_code"))
  expect(device.integer("interval"), 1)
  expect(provider.pendingUserCodes, [userCode])
  let command = ProviderCommand.approve(userCode: userCode, username: LocalUser.bob.username)
  try provider.perform(command)
  expect(provider.pendingUserCodes, [])
  let counts: ProviderCounts = provider.counts
  expect(counts.requests, 1)
  expect(counts.deviceAuthorizations, 1)
  expect(counts.tokensIssued, 0)
  let entry: ProviderLogEntry = expectValue(provider.requestLog.first)
  expect(entry.method, "POST")
  expect(entry.path, "/oidc/main/device")
  expect(entry.fields["client_id"], "client")
  expect(entry.receivedAt, clock.date)
  try checkCommands(provider)
}

/// Checks a change of settings, and the error of a command.
private func checkCommands(_ provider: LocalProvider) throws {
  try provider.perform(.set([ProviderSetting.accessTokenLifetime(seconds: 60), .rotation(false)]))
  expect(provider.settings.accessTokenLifetimeSeconds, 60)
  expect(provider.settings.rotatesRefreshTokens, false)
  do {
    try provider.perform(.decline(userCode: "unknown"))
    fail("the command did not throw", file: #fileID, line: #line)
  } catch {
    let error: ProviderCommandError = error
    expect(error.code.isEmpty, false)
    expect("\(error)", "\(error.code): \(error.message)")
  }
}

/// Checks a confidential client, and the counts of its requests.
func checkConfidentialClient() throws {
  let provider = LocalProvider(origin: "http://127.0.0.1:8400", now: { Date() })
  var client = LocalClient(clientID: "daemon")
  client.secrets = [Secret("s3cret")]
  client.roles = ["Mail.Read"]
  try provider.perform(.register(client))
  let tenant = "contoso.onmicrosoft.com"
  let form =
    "grant_type=client_credentials&client_id=daemon&client_secret=s3cret"
    + "&scope=https%3A%2F%2Fgraph.microsoft.com%2F.default"
  let request = LocalProvider.Request(
    method: "POST", url: "/\(tenant)/oauth2/v2.0/token",
    headers: [LocalProvider.Header("Content-Type", "application/x-www-form-urlencoded")],
    body: Array(form.utf8))
  expect(provider.handle(request).status, 200)
  try provider.perform(
    .limitTokenRequests(grantType: "client_credentials", requests: 0, seconds: 30))
  expect(provider.handle(request).status, 429)
  let source: TokenRequestSource = expectValue(provider.counts.tokenRequestsBySource.keys.first)
  expect(source.clientID, "daemon")
  expect(provider.counts.tokenRequests(grantType: source.grantType, tenant: source.tenant), 2)
  expect(provider.counts.earlyRetries, 0)
  let parsed = try LocalClient.parse(json: Array(#"[{"client_id":"daemon"}]"#.utf8))
  expect(parsed, [LocalClient(clientID: "daemon")])
}

/// Checks the clock, the random bytes and the users.
func checkDependencies() {
  let clock = VirtualClock()
  let start = clock.date
  let fired = Atomic(false)
  clock.schedule(after: .seconds(5)) { fired.store(true, ordering: .relaxed) }
  clock.advance(by: .seconds(4))
  expect(fired.load(ordering: .relaxed), false)
  clock.advance(by: .seconds(1))
  expect(fired.load(ordering: .relaxed))
  clock.shiftWallClock(by: .seconds(-3600))
  expect(clock.date, start.addingTimeInterval(5 - 3600))
  expect(SeededRandomness(seed: 3).bytes(16), SeededRandomness(seed: 3).bytes(16))
  expect(SeededRandomness(seed: 3).bytes(16) == SeededRandomness(seed: 4).bytes(16), false)
  expect(LocalUser.all.map(\.username).first, LocalUser.alice.username)
  let carol: LocalUser = .carol
  expect(carol.homeAccountID, "\(carol.objectID).\(carol.homeTenantID)")
}

/// Checks the decisions of the user of a local browser, and a machine without network.
func checkLocalBrowser() throws {
  let machine: LocalMachine = LocalMachine()
  let application = try machine.entraApplication()
  let browser: LocalBrowser = machine.browser
  for (decision, code) in [
    (LocalBrowser.Decision.close, TesseraError.Code.accessDenied), (.decline, .accessDenied),
  ] {
    browser.decision = decision
    expectError(code) { _ = try application.signIn() }
  }
  browser.decision = .accept
  let account = try application.signIn().account
  expect(browser.pages.isEmpty, false)
  machine.isOnline = false
  expect(try application.silentToken(account).source, .cache)
  expectError(.networkFailed) { _ = try application.silentToken(account, scopes: ["other"]) }
}
