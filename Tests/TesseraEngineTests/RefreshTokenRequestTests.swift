// SPDX-License-Identifier: MIT
// The request for a refresh token (OpenID Connect Core section 11), and the warnings about its result.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RefreshTokenRequestTests {
  private let machine = LocalMachine()

  private func application(
    issuer: String? = "main", transport: (any Transport)? = nil,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority =
      issuer.map(machine.provider.issuer) ?? machine.provider.entraAuthority()
    configuration.authorityType = issuer == nil ? .entra : .openID
    change(&configuration)
    var dependencies = machine.dependencies
    if let transport { dependencies.transport = transport }
    return try PublicClientApplication(configuration, in: dependencies)
  }

  /// Returns the query fields of the authorization URL.
  private func page(
    _ application: PublicClientApplication, _ prompt: SignInPromptType? = nil
  ) throws -> FormFields {
    var request = SignInRequest(scopes: ["read"])
    request.prompt = prompt
    let url = try application.beginSignIn(request).url
    return FormFields(decoding: url.split(separator: "?").dropFirst().first ?? "")
  }

  @Test func `prompt=none requests no refresh token from OpenID Connect providers`() throws {
    #expect(try page(application(), SignInPromptType.none)["scope"] == "read openid profile")
    #expect(try page(application())["scope"] == "read openid profile offline_access")
    #expect(try page(application(), .login)["scope"] == "read openid profile offline_access")
    let entra = try page(application(issuer: nil), SignInPromptType.none)
    #expect(entra["scope"] == "read openid profile offline_access")
  }

  @Test(arguments: [nil, "main"])
  func `a sign-in without the requested refresh token has a warning`(
    _ issuer: String?
  ) throws {
    let transport = EditedTransport(network: machine.transport) { _, response in
      response.without("refresh_token")
    }
    let result = try application(issuer: issuer, transport: transport)
      .acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    #expect(result.warnings.count == 1)
    #expect(result.warnings.first?.contains("no refresh token") == true)
    let other = try application(issuer: issuer)
      .acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    #expect(other.warnings.isEmpty)
  }

  @Test func `a device code sign-in without the requested refresh token has a warning`() throws {
    let bench = TestBench()
    let transport = EditedTransport(network: bench.transport) { _, response in
      response.without("refresh_token")
    }
    let result = try bench.signIn(bench.application(issuer: "main", transport: transport))
    #expect(result.warnings.first?.contains("no refresh token") == true)
  }
}

extension RefreshTokenRequestTests {
  @Test(arguments: [nil, "main"], [SignInPromptType.none, nil])
  func `request_refresh_token applies regardless of the prompt`(
    _ issuer: String?, _ prompt: SignInPromptType?
  ) throws {
    for (requests, scope) in [
      (true, "read openid profile offline_access"), (false, "read openid profile"),
    ] {
      let application = try application(issuer: issuer) { $0.requestsRefreshToken = requests }
      #expect(try page(application, prompt)["scope"] == scope)
    }
  }

  @Test(arguments: [nil, "main"])
  func `without requestsRefreshToken, no request has offline_access`(
    _ issuer: String?
  ) throws {
    let application = try application(issuer: issuer) { $0.requestsRefreshToken = false }
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    #expect(result.warnings.isEmpty)
    let begun = try application.beginSignIn(SignInRequest(scopes: ["read"]))
    let answer = try #require(machine.browser.visit(begun.url))
    let completed = try application.completeSignIn(
      RedirectResponse(state: begun.state, response: answer))
    #expect(completed.warnings.isEmpty)
    let provider = machine.provider
    _ = try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["read"])) { prompt in
      try? provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }
    let log = provider.requestLog
    #expect(!log.contains { $0.fields["scope"]?.contains("offline_access") == true })
    #expect(log.count { $0.fields["grant_type"] == "authorization_code" } == 2)
  }

  @Test func `without requestsRefreshToken, a refresh requests no new refresh token`()
    throws
  {
    let account = try application()
      .acquireTokenInteractive(InteractiveRequest(scopes: ["read"])).account
    var request = SilentRequest(account: account, scopes: ["read"])
    request.forcesRefresh = true
    _ = try application { $0.requestsRefreshToken = false }.acquireTokenSilent(request)
    let sent = machine.provider.requestLog.last { $0.fields["grant_type"] == "refresh_token" }
    #expect(sent?.fields["scope"] == "read openid profile")
  }

  @Test(
    arguments: [
      (nil, "consent"), (SignInPromptType.login, "login consent"), (.consent, "consent"),
      (SignInPromptType.none, "none"),
    ] as [(SignInPromptType?, String)])
  func `offline_access_prompt adds consent to the prompt of other providers`(
    _ prompt: SignInPromptType?, _ sent: String
  ) throws {
    let consenting = try application { $0.offlineAccessPrompt = .consent }
    #expect(try page(consenting, prompt)["prompt"] == sent)
    let plain = try application()
    #expect(try page(plain, prompt)["prompt"] == prompt?.rawValue)
    let entra = try application(issuer: nil) { $0.offlineAccessPrompt = .consent }
    #expect(try page(entra, prompt)["prompt"] == prompt?.rawValue)
    let without = try application {
      $0.offlineAccessPrompt = .consent
      $0.requestsRefreshToken = false
    }
    #expect(try page(without, prompt)["prompt"] == prompt?.rawValue)
  }

  /// Returns the error of a sign-in that the provider rejects.
  private func rejection(
    _ oauthError: String, _ application: PublicClientApplication
  ) throws -> TesseraError? {
    let begun = try application.beginSignIn(SignInRequest(scopes: ["read"]))
    let page = FormFields(decoding: begun.url.split(separator: "?").dropFirst().first ?? "")
    let answer = RawAuthorizationResponse.address(
      Secret("\(begun.redirectURI)?error=\(oauthError)&state=\(page["state"] ?? "")"))
    return #expect(throws: TesseraError.self) {
      try application.completeSignIn(RedirectResponse(state: begun.state, response: answer))
    }
  }

  @Test(arguments: ["invalid_request", "invalid_scope", "consent_required"])
  func `an error that the requested refresh token may cause has advice on settings`(
    _ oauthError: String
  ) throws {
    let error = try rejection(oauthError, application())
    #expect(error?.oauthError == oauthError)
    #expect(error?.message.contains(#"set tokens.offline_access_prompt to "consent""#) == true)
    #expect(error?.message.contains("set tokens.request_refresh_token to false") == true)
    let prompted = try rejection(oauthError, application { $0.offlineAccessPrompt = .consent })
    #expect(prompted?.message.contains("offline_access_prompt") == false)
    #expect(prompted?.message.contains("request_refresh_token") == true)
  }

  @Test func `an error unrelated to the refresh token has no advice`() throws {
    let declined = try rejection("access_denied", application())
    #expect(declined?.message.contains("request_refresh_token") == false)
    let without = try rejection("invalid_scope", application { $0.requestsRefreshToken = false })
    #expect(without?.message.contains("request_refresh_token") == false)
    let entra = try rejection("invalid_scope", application(issuer: nil))
    #expect(entra?.message.contains("request_refresh_token") == false)
  }
}
