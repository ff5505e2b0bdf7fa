// SPDX-License-Identifier: MIT
// Tokens, accounts and the reports of sign-outs.

import Tessera
import TesseraTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the result of a sign-in and the token of a later silent call.
func checkTokens() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  let token: TokenResult = try application.signIn(scopes: ["read", "write"])
  expect(token.source, TokenSource.network)
  expect(token.tokenType, "Bearer")
  expect(token.authorizationHeader, Secret("Bearer \(token.accessToken.reveal())"))
  expect(String(describing: token.accessToken), "<redacted>")
  expect(Set(token.scopes).isSuperset(of: ["read", "write"]))
  expect(token.declinedScopes, [])
  expect(token.tenantID, LocalUser.alice.homeTenantID)
  expect(token.authority, machine.provider.entraAuthority(token.tenantID))
  expect(token.isPersisted)
  expect(token.expiresAt, machine.clock.date.addingTimeInterval(3600))
  expect(token.refreshAt, nil)
  expect(token.browserReason, "requested by a test")
  expect(token.brokers, [])
  let cached = try application.silentToken(token.account)
  expect(cached.source, TokenSource.cache)
  expect(cached.accessToken, token.accessToken)
  let document = try object(cached.jsonDocument.reveal())
  expect(document.string("source"), TokenSource.cache.rawValue)
  expect(document.string("access_token"), cached.accessToken.reveal())
  machine.clock.advance(by: .seconds(3600))
  expect(try application.silentToken(token.account).source, TokenSource.network)
  checkClaims(expectValue(token.idTokenClaims))
  checkDescription(token)
}

/// Checks the claims of Alice's ID token.
private func checkClaims(_ claims: TokenClaims) {
  expect(claims.string("oid"), LocalUser.alice.objectID)
  expect(claims.string("preferred_username"), LocalUser.alice.username)
  expect(claims.names.contains("aud"))
  expect(claims.strings("aud"), ["client"])
  let expiry = expectValue(claims.integer("exp"))
  expect(claims.date("exp"), Date(timeIntervalSince1970: Double(expiry)))
  expect(claims.bool("oid"), nil)
  expect("\(claims)".contains(LocalUser.alice.username), false)
  expect(TokenClaims(json: claims.json), claims)
  expect(TokenClaims(json: "[]"), nil)
}

/// Checks the description of an ID token and of an opaque token.
private func checkDescription(_ token: TokenResult) {
  let description = TokenDescription(expectValue(token.idToken))
  expect(description.kind, TokenDescription.Kind.jwt)
  expect(description.algorithm, "RS256")
  expect(description.audiences, ["client"])
  expect(description.tenantID, LocalUser.alice.homeTenantID)
  expect(description.username, LocalUser.alice.username)
  expect(description.expiresAt, token.idTokenClaims?.date("exp"))
  let opaque = TokenDescription(Secret("opaque"))
  expect(opaque.kind, TokenDescription.Kind.opaque)
  expect(opaque.issuer, nil)
  expect(opaque.hint.isEmpty, false)
  expectCases(of: TokenDescription.Kind.self, ["jwt", "opaque"])
}

/// Checks the accounts of an application, and its current account.
func checkAccounts() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  let account: Account = try application.signIn().account
  expect(try application.accounts(), [account])
  expect(account.homeAccountID, LocalUser.alice.homeAccountID)
  expect(account.environment, machine.provider.origin)
  expect(account.username, LocalUser.alice.username)
  expect(account.name, LocalUser.alice.name)
  let profile: TenantProfile = expectValue(account.tenantProfiles.first)
  expect(profile.tenantID, LocalUser.alice.homeTenantID)
  expect(profile.localAccountID, LocalUser.alice.objectID)
  expect(profile.isHomeTenant)
  expect(profile.username, account.username)
  expect(try object(account.jsonDocument).string("username"), account.username)
  let all = try application.accounts(AccountsRequest(includesClaims: true))
  let claims = expectValue(all.first?.tenantProfiles.first?.claims)
  expect(claims.string("oid"), profile.localAccountID)
  expect(try application.account(AccountsRequest(username: "ALICE@contoso.com")), account)
  expect(try application.accounts(AccountsRequest(username: LocalUser.bob.username)), [])
  let first: CurrentAccount = try application.currentAccount()
  expect(first, CurrentAccount(account: account))
  expect(try application.removeAccount(account))
  let second = try application.currentAccount()
  expect(second.account, nil)
  expect(second.previousAccount?.homeAccountID, account.homeAccountID)
}

/// Checks the report of a sign-out: removed, revoked and remaining tokens.
func checkSignOut() throws {
  let machine = LocalMachine()
  let application = try machine.issuerApplication()
  let account = try application.signIn().account
  _ = try machine.issuerApplication(client: "other").signIn()
  var request = SignOutRequest(
    account: account, scope: .application, revokesTokens: true, wantsEndSessionURL: true)
  request.postLogoutRedirectURI = "https://app.example/bye"
  let report: SignOutReport = try application.signOut(request)
  expect(report.scope, SignOutScope.application)
  expect(report.accounts, [account])
  var removed = SignOutReport.Removed()
  removed.accessTokens = 1
  removed.refreshTokens = 1
  removed.idTokens = 1
  expect(report.removed, removed)
  let leftover: SignOutReport.LeftoverToken = expectValue(report.remaining.first)
  expect(leftover.kind, SignOutReport.LeftoverToken.Kind.otherApplication)
  expect(leftover.clientID, "other")
  expect(report.remaining.last, SignOutReport.LeftoverToken(.browserSession))
  let revocation: SignOutReport.Revocation = expectValue(report.revocations.first)
  expect(revocation.clientID, "client")
  expect(revocation.error?.message, nil)
  expect(machine.provider.counts.revocations, 1)
  let url = expectValue(report.endSessionURL)
  expect(url.hasPrefix(machine.provider.issuer("main") + "/logout?"))
  expect(report.broker?.removed, nil)
  expect(report.warnings, [])
  expect(try object(report.jsonDocument).string("scope"), SignOutScope.application.rawValue)
  expect(try application.accounts(), [])
  let machineWide = try application.signOut(SignOutRequest(scope: .machine))
  expect(machineWide.removed.accounts, 1)
  expectCases(of: SignOutScope.self, ["application", "every_application", "machine"])
  expectCases(
    of: SignOutReport.LeftoverToken.Kind.self,
    [
      "other_application", "family_refresh_token", "handed_out_access_tokens",
      "unrevoked_refresh_tokens", "browser_session", "set_aside_store", "other_group",
    ])
}
