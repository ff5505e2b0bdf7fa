// SPDX-License-Identifier: MIT
// Accounts of OpenID Connect providers: subjects are distinguished, and Microsoft's claims are ignored.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct OpenIDIdentityTests {
  private let bench = TestBench()

  /// A transport that changes token responses.
  private struct Changing: Transport {
    let network: LocalTransport
    var claims: JSONObject = [:]
    var members: JSONObject = [:]

    func send(
      _ request: HTTPRequest, within limits: CallLimits
    ) throws(TesseraError) -> HTTPResponse {
      let response = try network.send(request, within: limits)
      guard let json = response.json, let text = json["id_token"]?.string,
        let token = try? JSONWebToken(Secret(text))
      else { return response }
      let parts = [token.header, token.claims.overlaid(with: claims)]
        .map { Base64URL.encode(JSONValue.object($0).bytes) }
      var changed = json.overlaid(with: members)
      changed["id_token"] = .string((parts + ["c2ln"]).joined(separator: "."))
      return .json(.object(changed), status: response.status)
    }
  }

  private func signIn(_ issuer: String? = "main", _ change: (inout Changing) -> Void) throws
    -> (application: PublicClientApplication, result: TokenResult)
  {
    var network = Changing(network: bench.transport)
    change(&network)
    let application = try bench.application(issuer: issuer, transport: network)
    return (application, try bench.signIn(application))
  }

  @Test(arguments: [
    ("Alice", "alice"), ("jo\u{308}rg", "j\u{f6}rg"), ("A\u{30a}", "\u{212b}"), ("s1", "s1 "),
    ("s1", "\u{a0}s1"), ("\u{212a}", "k"), ("\u{f6}", "%C3%B6"), ("\u{f6}", "%c3%b6"),
  ])
  func `similar subjects are different accounts`(
    _ one: String, _ other: String
  ) throws {
    var tokens: [Secret] = []
    var accounts: [Account] = []
    for subject in [one, other] {
      let signedIn = try signIn { $0.claims = ["sub": .string(subject)] }
      tokens.append(signedIn.result.accessToken)
      accounts.append(signedIn.result.account)
    }
    let application = try bench.application(issuer: "main")
    #expect(try application.accounts().count == 2)
    for (account, token) in zip(accounts, tokens) {
      #expect(try application.account(homeAccountID: account.homeAccountID) == account)
      let request = SilentRequest(account: account, scopes: ["user.read"])
      #expect(try application.acquireTokenSilent(request).accessToken == token)
    }
    let refresh = try bench.application(
      issuer: "main",
      transport: Changing(network: bench.transport, claims: ["sub": .string(other)]))
    var request = SilentRequest(account: accounts[0], scopes: ["user.read"])
    request.forcesRefresh = true
    expect(.accountMismatch) { _ = try refresh.acquireTokenSilent(request) }
    #expect(try application.removeAccount(accounts[0]))
    #expect(try application.accounts() == [accounts[1]])
  }

  @Test func `a subject keeps its spelling, and the account ID is percent-encoded`()
    throws
  {
    let account = try signIn { $0.claims = ["sub": "j\u{f6}rg x"] }.result.account
    #expect(account.homeAccountID == "j%c3%b6rg%20x")
    #expect(account.tenantProfiles.map(\.localAccountID) == ["j\u{f6}rg x"])
    #expect(try signIn { $0.claims = ["sub": "auth0|7"] }.result.account.homeAccountID == "auth0|7")
  }

  @Test(arguments: ["22222222-2222-4222-8222-222222222222", "somewhere"])
  func `a tid claim does not affect the cached tokens`(_ tenant: String) throws {
    let (application, result) = try signIn { $0.claims = ["tid": .string(tenant)] }
    #expect(result.tenantID == "")
    let request = SilentRequest(account: result.account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).source == .cache)
    #expect(bench.refreshes == 0)
  }

  @Test func `client_info is ignored`() throws {
    let info: JSONValue = ["uid": "somebody", "utid": "else"]
    let account = try signIn {
      $0.members = ["client_info": .string(Base64URL.encode(info.bytes))]
      $0.claims = ["sub": "Me"]
    }.result.account
    #expect(account.homeAccountID == "Me")
    #expect(account.environment == "http://127.0.0.1:8400/oidc/main")
    let application = try bench.application(issuer: "main")
    expect(.accountNotFound) { _ = try application.account(homeAccountID: "me") }
  }

  @Test func `client IDs are compared without case at Entra only`() throws {
    let claims: JSONObject = ["aud": "CLIENT"]
    #expect(try signIn(nil) { $0.claims = claims }.result.source == .network)
    let error = #expect(throws: TesseraError.self) { try signIn { $0.claims = claims } }
    #expect(error?.code == .invalidIDToken)
    #expect(error?.message.contains("CLIENT") == true)
  }
}
