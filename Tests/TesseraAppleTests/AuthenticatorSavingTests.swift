// SPDX-License-Identifier: MIT
// The records stored from Microsoft Authenticator responses, and the content of the requests.

import TesseraApple
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct AuthenticatorSavingTests: AuthenticatorSuite {
  let machine = LocalMachine()

  private func error(
    _ application: PublicClientApplication, scopes: [String] = ["read"],
    _ changes: [String: String?]
  ) throws -> TesseraError {
    try #require(throws: TesseraError.self) {
      _ = try complete(application, scopes: scopes, changes)
    }
  }

  @Test func `no access token is stored on a shared device`() throws {
    let application = try application()
    let result = try complete(application, ["device_mode": "shared"])
    #expect(try !credentials().contains { $0.type == .accessToken })
    #expect(try credentials().contains { $0.type == .refreshToken })
    let silent = try application.acquireTokenSilent(
      SilentRequest(account: result.account, scopes: ["read"]))
    #expect(silent.source == .network)
  }

  @Test func `for a family member, the refresh token is stored twice`() throws {
    _ = try complete(try application(), ["foci": "1"])
    #expect(try credentials().count { $0.type == .refreshToken } == 2)
  }

  @Test func `the application token of a response is sent with the next request`() throws {
    let application = try application()
    #expect(try authenticator.parameters(of: begin(application).url)["application_token"] == nil)
    _ = try complete(application, ["application_token": "seen"])
    let next = try begin(try self.application()).url
    #expect(authenticator.parameters(of: next)["application_token"] == "seen")
    let other = try begin(try self.application(client: "other")).url
    #expect(authenticator.parameters(of: other)["application_token"] == nil)
    _ = try error(application, ["success": "0", "application_token": "anew"])
    let last = try begin(application).url
    #expect(authenticator.parameters(of: last)["application_token"] == "anew")
  }

  @Test func `a response with fewer scopes is stored and reported; email may be missing`() throws {
    let application = try application()
    _ = try complete(application, scopes: ["read", "email"], ["scope": "read"])
    let result = try complete(application, scopes: ["read", "write"], ["scope": "read"])
    #expect(result.declinedScopes == ["write"])
    #expect(result.scopes.contains("read"))
  }

  @Test func `additional tokens are stored after success and after an error`() throws {
    let application = try application()
    let plain = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["mam"]))
    let fields: JSONObject = [
      "access_token": "mam-token", "token_type": "Bearer", "expires_in": "3600", "scope": "mam",
      "id_token": .string(plain.idToken?.reveal() ?? ""),
      "client_info": .string(clientInfo(LocalUser.alice)),
    ]
    let text = JSONValue.object(fields).serialized
    let rejection = try error(
      application,
      [
        "success": "0", "broker_error_domain": "MSIDErrorDomain", "broker_error_code": "-51430",
        "additional_tokens": text, "x-broker-app-ver": "6.2",
        "error_metadata": #"{"username":"alice@contoso.com","home_account_id":"a.b"}"#,
      ])
    #expect(rejection.code == .protectionPolicyRequired)
    #expect(rejection.username == "alice@contoso.com")
    #expect(rejection.homeAccountID == "a.b")
    let cause = try #require(rejection.causes.first)
    #expect(cause.domain == .authenticator && cause.number == -51430)
    #expect(cause.message == "MSIDErrorDomain: no description (broker 6.2)")
    let silent = try application.acquireTokenSilent(
      SilentRequest(account: plain.account, scopes: ["mam"]))
    #expect(silent.accessToken == Secret("mam-token"))
    // Additional tokens that cannot be stored do not fail the sign-in.
    _ = try complete(application, ["additional_tokens": #"{"access_token":"x"}"#])
    _ = try complete(application, ["additional_tokens": "no JSON"])
  }

  @Test func `an error for declined scopes with additional tokens is a result`() throws {
    let application = try application()
    let plain = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    let fields: JSONObject = [
      "access_token": "granted", "token_type": "Bearer", "expires_in": "3600", "scope": "read",
      "id_token": .string(plain.idToken?.reveal() ?? ""),
      "client_info": .string(clientInfo(LocalUser.alice)),
    ]
    var response: [String: String?] = [
      "success": "0", "broker_error_domain": "MSIDErrorDomain", "broker_error_code": "-51415",
      "error_metadata": #"{"granted_scopes":"read","declined_scopes":"write"}"#,
    ]
    let rejection = try error(application, scopes: ["read", "write"], response)
    #expect(rejection.code == .serverDeclinedScopes)
    #expect(rejection.declinedScopes == ["write"])
    response["additional_tokens"] = JSONValue.object(fields).serialized
    let result = try complete(application, scopes: ["read", "write"], response)
    #expect(result.accessToken == Secret("granted"))
    #expect(result.declinedScopes == ["write"])
  }

  @Test func `a response must name an authority in the requested cloud`() throws {
    let application = try application()
    #expect(try error(application, ["authority": nil]).code == .brokerResponseCorrupted)
    let china = "https://login.partner.microsoftonline.cn/common"
    #expect(try error(application, ["authority": china]).code == .issuerMismatch)
    #expect(try error(application, ["token_type": "pop"]).code == .brokerResponseCorrupted)
    #expect(try credentials().isEmpty)
  }

  @Test func `a broker inside another application uses that application's redirect URI`() throws {
    let application = try application()
    let begun = try begin(application) {
      $0.authenticator?.brokerClientID = "hub"
      $0.authenticator?.brokerRedirectURI = "msauth.com.hub://auth"
    }
    let url = try #require(authenticator.signIn(begun.url))
    #expect(begun.redirectURI == "msauth.com.hub://auth")
    #expect(url.hasPrefix("msauth.com.hub://auth?"))
    _ = try application.completeSignIn(
      RedirectResponse(state: begun.state, response: .address(Secret(url))))
  }

  @Test func `a request contains the options of the application and the sign-in`() throws {
    let application = try application {
      $0.clientCapabilities = ["CP1"]
      $0.redirectURI = "https://app.contoso.com/auth"
    }
    let url = try begin(application) {
      $0.extraScopesToConsent = ["more"]
      $0.loginHint = "alice@contoso.com"
      $0.domainHint = "contoso.com"
      $0.prompt = .selectAccount
      $0.claims = #"{"access_token":{"a b":null}}"#
      $0.correlationID = "e3b0c442-98fc-1c14-9afb-f4c8996fb924"
    }.url
    #expect(url.hasPrefix("https://login.microsoftonline.com/applebroker/msauthv2?"))
    let sent = authenticator.parameters(of: url)
    #expect(sent["client_capabilities"] == "CP1")
    #expect(sent["claims"] == "%7B%22access_token%22%3A%7B%22a+b%22%3Anull%7D%7D")
    #expect(sent["extra_consent_scopes"] == "more")
    #expect(sent["login_hint"] == "alice@contoso.com")
    #expect(sent["extra_query_param"] == "domain_hint=contoso.com")
    #expect(sent["prompt"] == "select_account")
    #expect(sent["correlation_id"] == "E3B0C442-98FC-1C14-9AFB-F4C8996FB924")
    #expect(sent["client_version"] == TesseraVersion.text)
  }

  @Test func `a request that the broker would reject fails without network`() throws {
    func code(
      _ change: (inout ApplicationConfiguration) -> Void = { _ in },
      _ request: (inout SignInRequest) -> Void = { _ in }
    ) throws -> TesseraError.Code? {
      try #require(throws: TesseraError.self) {
        _ = try begin(try application(change: change), change: request)
      }.code
    }
    #expect(try code({ $0.redirectURI = "http://localhost" }) == .invalidRedirectURI)
    #expect(try code({ $0.redirectURI = "msal-x://auth" }) == .invalidRedirectURI)
    let plain = machine.provider.issuer("main")
    #expect(
      try code({
        $0.authority = plain
        $0.authorityType = .openID
      }) == .flowUnsupported)
    for schemes in [[], ["msauthv2"], ["msauthv3", "x"]] {
      #expect(
        try code({ _ in }, { $0.authenticator?.querySchemes = schemes })
          == .redirectSchemeNotRegistered)
    }
    #expect(try code({ _ in }, { $0.extraTokenParameters = ["a": "b"] }) == .invalidMember)
    #expect(try code({ _ in }, { $0.authenticator?.brokerClientID = "x" }) == .invalidMember)
    #expect(machine.transport.requests.isEmpty)
    _ = try begin(try application()) {
      $0.authenticator?.querySchemes = ["msauthv3", "msauthv2"]
    }
  }

  private func clientInfo(_ user: LocalUser) -> String {
    let parts = user.homeAccountID.split(separator: ".").map(String.init)
    return Base64URL.encode(
      Array(#"{"uid":"\#(parts[0])","utid":"\#(parts[1])"}"#.utf8))
  }
}
