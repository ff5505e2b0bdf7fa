// SPDX-License-Identifier: MIT
// Refresh tokens: rotation, reuse, revocation, families, and separation of issuers.

import TesseraTesting
import TesseraWire
import Testing

@Suite struct RefreshTokenTests {
  let bench = Bench()
  private let entra = Bench.Endpoints.entra("common")
  private let plain = Bench.Endpoints.plain("main")

  @Test func `a refresh returns new tokens`() throws {
    let first = try bench.signIn(entra)
    let second = bench.refresh(entra, first["refresh_token"])
    #expect(second.status == 200)
    #expect(second["refresh_token"] != first["refresh_token"])
    #expect(second["access_token"] != first["access_token"])
    #expect(bench.refresh(entra, second["refresh_token"]).status == 200)
  }

  @Test func `reuse revokes the token chain and is counted`() throws {
    let first = try bench.signIn(entra)
    let second = bench.refresh(entra, first["refresh_token"])
    let reused = bench.refresh(entra, first["refresh_token"])
    #expect(reused["error"] == "invalid_grant")
    #expect(reused["suberror"] == "bad_token")
    #expect(reused.json["error_codes"] == [70043])
    #expect(bench.refresh(entra, second["refresh_token"])["error"] == "invalid_grant")
    #expect(bench.provider.counts.refreshTokenReuses == 1)
  }

  @Test func `reuse does not revoke tokens of another sign-in`() throws {
    let first = try bench.signIn(entra)
    let other = try bench.signIn(entra)
    _ = bench.refresh(entra, first["refresh_token"])
    _ = bench.refresh(entra, first["refresh_token"])
    #expect(bench.refresh(entra, other["refresh_token"]).status == 200)
  }

  @Test func `without rotation, the old token remains valid`() throws {
    try bench.provider.perform(.set([.rotation(false)]))
    for endpoints in [entra, plain] {
      let first = try bench.signIn(endpoints)
      let second = bench.refresh(endpoints, first["refresh_token"])
      #expect(bench.refresh(endpoints, first["refresh_token"]).status == 200)
      // Entra returns a new token nevertheless; an OpenID Connect issuer returns none.
      #expect((second["refresh_token"] == nil) == (endpoints.token == plain.token))
    }
    #expect(bench.provider.counts.refreshTokenReuses == 0)
  }

  @Test func `two issuers on one host share no refresh tokens`() throws {
    let main = try bench.signIn(.plain("main"))
    let other = try bench.signIn(.plain("other"))
    let mainClaims = try Bench.claims(main["id_token"])
    let otherClaims = try Bench.claims(other["id_token"])
    #expect(mainClaims["sub"] == otherClaims["sub"])
    #expect(mainClaims["iss"] != otherClaims["iss"])
    #expect(bench.refresh(.plain("other"), main["refresh_token"])["error"] == "invalid_grant")
    #expect(bench.refresh(entra, main["refresh_token"])["error"] == "invalid_grant")
    // The rejected attempts did not redeem it.
    #expect(bench.refresh(.plain("main"), main["refresh_token"]).status == 200)
  }

  @Test func `an Entra refresh token is valid for every tenant of the user`() throws {
    let first = try bench.signIn(entra, as: .carol)
    let guest = bench.refresh(.entra("contoso.com"), first["refresh_token"])
    let claims = try Bench.claims(guest["id_token"])
    #expect(claims["tid"] == "11111111-1111-4111-8111-111111111111")
    #expect(claims["oid"]?.string != LocalUser.carol.objectID)
    let clientInfo = try #require(guest["client_info"])
    #expect(try ClientInfo(clientInfo).homeAccountID == LocalUser.carol.homeAccountID)
    #expect(bench.refresh(.entra("consumers"), guest["refresh_token"])["error"] == "invalid_grant")
  }

  @Test func `revokeRefreshTokens revokes the tokens of one user`() throws {
    let alice = try bench.signIn(plain, as: .alice)
    let bob = try bench.signIn(plain, as: .bob)
    try bench.provider.perform(.revokeRefreshTokens(username: "alice@contoso.com"))
    #expect(bench.refresh(plain, alice["refresh_token"])["error"] == "invalid_grant")
    #expect(bench.refresh(plain, bob["refresh_token"]).status == 200)
  }

  @Test func `clients of a family share refresh tokens`() throws {
    try bench.provider.perform(.set([.familyClients(["mail", "files"])]))
    let mail = try bench.signIn(entra, client: "mail")
    #expect(mail["foci"] == "1")
    let files = bench.refresh(entra, mail["refresh_token"], client: "files")
    #expect(files["foci"] == "1")
    let stranger = bench.refresh(entra, files["refresh_token"], client: "app")
    #expect(stranger["suberror"] == "client_mismatch")
    #expect(bench.refresh(entra, files["refresh_token"], client: "mail").status == 200)
  }

  @Test func `an OpenID Connect issuer grants no additional scopes`() throws {
    let first = try bench.signIn(plain)
    let wider = bench.refresh(plain, first["refresh_token"], scope: "openid files.write")
    #expect(wider["error"] == "invalid_scope")
    let narrower = bench.refresh(plain, first["refresh_token"], scope: "files.read")
    #expect(narrower["scope"] == "files.read")
  }
}
