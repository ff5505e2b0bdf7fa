// SPDX-License-Identifier: MIT
// The content and the signature of the tokens.

import Crypto
import CryptoExtras
import TesseraTesting
import TesseraWire
import Testing

@Suite struct TokenTests {
  let bench = Bench()

  @Test func `the signature of an ID token is valid`() throws {
    let answer = try bench.signIn(.entra("common"))
    let token = try #require(answer["id_token"])
    let keys = bench.get("/common/discovery/v2.0/keys").json["keys"]?.array
    let jwk = try #require(keys?.first?.object)
    let parts = token.split(separator: ".").map(String.init)
    let header = try JSONWebToken(Secret(token)).header
    #expect(header["alg"] == "RS256")
    #expect(header["kid"] == jwk["kid"])

    let modulus = try #require(Base64URL.decode(jwk["n"]?.string ?? ""))
    let exponent = try #require(Base64URL.decode(jwk["e"]?.string ?? ""))
    let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
    let rawSignature = try #require(Base64URL.decode(parts[2]))
    let signature = _RSA.Signing.RSASignature(rawRepresentation: rawSignature)
    func isValid(_ text: String) -> Bool {
      key.isValidSignature(
        signature, for: SHA256.hash(data: Array(text.utf8)), padding: .insecurePKCS1v1_5)
    }
    #expect(isValid(parts[0] + "." + parts[1]))
    #expect(!isValid(parts[0] + "." + parts[1] + "x"))
  }

  @Test func `an ID token of Entra passes validation`() throws {
    let answer = try bench.signIn(.entra("common"), as: .alice)
    let text = try #require(answer["id_token"])
    let token = try JSONWebToken(Secret(text))
    try IDTokenValidator(
      issuer: Bench.origin + "/{tenantid}/v2.0", clientID: "app", now: bench.clock.now
    ).check(token)
    let claims = IDTokenClaims(token)
    #expect(claims.username == "alice@contoso.com")
    #expect(claims.objectID == LocalUser.alice.objectID)
    #expect(claims.tenantID == LocalUser.alice.homeTenantID)
    #expect(claims.all["ver"] == "2.0")
  }

  @Test func `the subject differs for each client`() throws {
    let first = try Bench.claims(try bench.signIn(.entra("common"), client: "a")["id_token"])
    let second = try Bench.claims(try bench.signIn(.entra("common"), client: "b")["id_token"])
    #expect(first["sub"] != second["sub"])
    #expect(first["oid"] == second["oid"])
  }

  @Test func `an OpenID Connect issuer has no tenants`() throws {
    let answer = try bench.signIn(.plain("main"))
    let claims = try Bench.claims(answer["id_token"])
    #expect(claims["tid"] == nil)
    #expect(claims["oid"] == nil)
    #expect(answer["client_info"] == nil)
    #expect(answer["scope"] == Bench.plainScope)
    #expect(claims["sub"]?.string == LocalUser.alice.objectID)
  }

  @Test func `Entra returns the default scopes of every sign-in`() throws {
    let answer = try bench.signIn(.entra("common"))
    #expect(answer["scope"] == "openid profile email https://graph.microsoft.com/User.Read")
    let claims = try Bench.claims(answer["access_token"])
    #expect(claims["aud"] == "https://graph.microsoft.com")
    #expect(claims["scp"] == "User.Read")
  }

  @Test func `a resource with a trailing slash keeps it in the audience`() throws {
    let first = try bench.signIn(.entra("common"))
    let scope = "https://vault.example//.default"
    let answer = bench.refresh(.entra("common"), first["refresh_token"], scope: scope)
    #expect(try Bench.claims(answer["access_token"])["aud"] == "https://vault.example/")
    #expect(answer["id_token"] == nil)
  }

  @Test func `settings determine the lifetimes of tokens`() throws {
    try bench.provider.perform(.set([.accessTokenLifetime(seconds: 120), .refreshIn(seconds: 60)]))
    let answer = try bench.signIn(.entra("common"))
    let tokens = try TokenResponse(answer.json, received: ResponseTime(at: bench.clock.now))
    #expect(tokens.expiresAt == bench.clock.now.adding(seconds: 120))
    #expect(tokens.refreshAt == bench.clock.now.adding(seconds: 60))
    #expect(tokens.extendedExpiresAt == tokens.expiresAt)
  }
}
