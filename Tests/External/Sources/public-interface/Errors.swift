// SPDX-License-Identifier: MIT
// Errors of calls: remedies, codes, causes, and the server's own values.

import Tessera
import TesseraTesting

/// Checks the errors of a server that rejects, throttles or fails.
func checkErrors() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  let account = try application.signIn().account
  var request = SilentRequest(account: account, scopes: ["read"], forcesRefresh: true)
  request.correlationID = "11111111-2222-4333-8444-555555555555"
  try machine.provider.perform(
    .failTokenRequests(
      requests: 1, status: 400,
      body: #"{"error":"invalid_grant","suberror":"consent_required","error_codes":[65001]}"#))
  let rejected = expectError(TesseraError.Code.consentRequired) {
    _ = try application.acquireTokenSilent(request, cancellation: nil)
  }
  expect(rejected.remedy, TesseraError.Remedy.signIn)
  expect(rejected.remedy.name, "sign_in")
  expect(rejected.oauthError, "invalid_grant")
  expect(rejected.suberror, "consent_required")
  expect(rejected.serverCodes, [65001])
  expect(rejected.isRetryable, false)
  let cause: TesseraError.Cause = expectValue(rejected.causes.first)
  expect(cause.domain, TesseraError.Cause.Domain.http)
  expect(cause.number, 400)
  expect(rejected.errorDescription, rejected.message)
  expect(rejected.recoverySuggestion?.isEmpty, false)
  expect(rejected.jsonDocument.contains(#""code":"consent_required""#))
  expect(TesseraError.Code(rawValue: "consent_required"), TesseraError.Code.consentRequired)
  expect(TesseraError.Cause.Domain(rawValue: "libcurl"), .libcurl)
  expect(
    TesseraError.Remedy.allCases.map(\.name),
    [
      "sign_in", "retry_later", "fix_request", "fix_configuration", "fix_storage", "cancelled",
      "report_bug",
    ])
  try checkOutages(machine)
}

/// Checks the errors of a throttled request and of a missing network.
private func checkOutages(_ machine: LocalMachine) throws {
  let application = try machine.entraApplication(client: "other")
  let account = try application.signIn().account
  let request = SilentRequest(account: account, scopes: ["read"], forcesRefresh: true)
  try machine.provider.perform(.throttle(requests: 1, retryAfterSeconds: 60))
  let throttled = expectError(.throttled) {
    _ = try application.acquireTokenSilent(request, cancellation: nil)
  }
  expect(throttled.remedy, .retryLater)
  expect(throttled.retryAfter, .seconds(60))
  expect(throttled.isRetryable)
  machine.clock.advance(by: .seconds(61))
  machine.isOnline = false
  let offline = expectError(.networkFailed) {
    _ = try application.acquireTokenSilent(request, cancellation: nil)
  }
  expect(offline.remedy, .retryLater)
  machine.isOnline = true
}
