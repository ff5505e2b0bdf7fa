// SPDX-License-Identifier: MIT
// The explanation of a silent request: its decision, and each candidate with the reasons against it.

import Tessera
import TesseraTesting

/// Checks the explanations of a cached, an expired and a missing token.
func checkExplanations() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication { $0.store = .memory }
  let account = try application.signIn().account
  let request = SilentRequest(account: account, scopes: ["read"])
  let cached: Explanation = try application.explain(request)
  expect(cached.decision, Explanation.Decision.use)
  expect(cached.reason, "valid")
  expect(cached.homeAccountID, account.homeAccountID)
  expect(cached.environments, [account.environment])
  expect(cached.scopes, ["read"])
  expect(cached.store, StoreKind.memory)
  expect(cached.message.isEmpty, false)
  expect(cached.totalTime, nil)
  let used: TokenCandidate = expectValue(cached.candidates.first { $0.role == .used })
  expect(used.credentialType, "AccessToken")
  expect(used.obstacles, [])
  expect(used.clientID, "client")
  expect(used.expiresAt, machine.clock.date.addingTimeInterval(3600))
  let spare = expectValue(cached.candidates.first { $0.credentialType == "RefreshToken" })
  expect(spare.role, TokenCandidate.Role.notUsed)
  expect(spare.obstacles, [RejectionReason.notNeeded])
  machine.clock.advance(by: .seconds(3600))
  let expired = try application.explain(request)
  expect(expired.decision, Explanation.Decision.refresh)
  let obstacles = expired.candidates.flatMap(\.obstacles)
  expect(obstacles, [RejectionReason.expired])
  expect(RejectionReason(rawValue: "expired"), RejectionReason.expired)
  expect(try object(expired.jsonDocument).string("decision"), "refresh")
  let explained = try application.acquireTokenSilentExplained(request, cancellation: nil)
  let attached = expectValue(explained.explanation)
  expect(attached.decision, Explanation.Decision.refresh)
  expect(attached.totalTime != nil)
  let unknown = try application.explain(
    SilentRequest(homeAccountID: "unknown.account", scopes: ["read"]))
  expect(unknown.decision, Explanation.Decision.signIn)
  expect(unknown.error?.remedy, .signIn)
  expect(unknown.candidates, [])
}
