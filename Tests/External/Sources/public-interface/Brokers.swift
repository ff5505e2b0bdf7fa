// SPDX-License-Identifier: MIT
// The identity broker of Linux: calls without a broker, and the values that an application passes and receives.

import Tessera
import TesseraTesting

/// Checks the calls of an application on a machine without a broker.
func checkBrokers() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication { $0.broker = BrokerPolicy.prefer }
  let token = try machine.entraApplication().signIn()
  var request = SilentRequest(account: token.account, scopes: ["read"])
  request.forcesRefresh = true
  let refreshed = try application.acquireTokenSilent(request, cancellation: nil)
  expect(refreshed.source, .network)
  let visit: BrokerVisit = expectValue(refreshed.brokers.first)
  expect(visit.outcome, BrokerVisit.Outcome.skipped)
  expect(visit.broker.isEmpty, false)
  expect(visit.message.isEmpty, false)
  expectCases(of: BrokerVisit.Outcome.self, ["used", "skipped"])
  var common = BrokerRequest(timeout: .seconds(5))
  common.correlationID = "11111111-2222-4333-8444-555555555555"
  let error = expectError(.brokerUnavailable) { _ = try application.brokerVersion(common) }
  expect(error.remedy, .fixConfiguration)
  expectError(.brokerUnavailable) { _ = try application.brokerAccounts(common) }
  let cookies = BrokerCookieRequest(
    homeAccountID: token.account.homeAccountID,
    ssoURL: machine.provider.entraAuthority() + "/oauth2/v2.0/authorize", common: common)
  expectError(.brokerUnavailable) { _ = try application.brokerCookies(cookies) }
  let signing = BrokerSigningRequest(
    homeAccountID: token.account.homeAccountID, httpMethod: "GET",
    url: "https://graph.microsoft.com/v1.0/me", nonce: "n", common: common)
  expectError(.brokerUnavailable) { _ = try application.brokerSignedRequest(signing) }
  try checkBrokerValues()
}

/// Checks the values that calls to a broker return.
private func checkBrokerValues() throws {
  let account = BrokerAccount(
    homeAccountID: "uid.utid", environment: "login.microsoftonline.com", tenantID: "utid",
    username: "alice@contoso.com", givenName: "Alice")
  let document = try object(account.jsonDocument)
  expect(document.string("home_account_id"), account.homeAccountID)
  expect(document.string("username"), account.username)
  expect(document.string("given_name"), "Alice")
  expect(document.string("family_name"), nil)
  let cookie = BrokerCookie(name: "x-ms-RefreshTokenCredential", content: Secret("the-cookie"))
  let cookieDocument = try object(cookie.jsonDocument.reveal())
  expect(cookieDocument.string("name"), cookie.name)
  expect(cookieDocument.string("content"), cookie.content.reveal())
  expect("\(cookie)".contains("the-cookie"), false)
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  let account2 = try application.signIn().account
  let report = try application.signOut(SignOutRequest(account: account2, fromBroker: true))
  let removal: BrokerRemoval = expectValue(report.broker)
  expect(removal.removed, 0)
  expect(removal.error?.code, .brokerUnavailable)
}
