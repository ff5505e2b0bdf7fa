// SPDX-License-Identifier: MIT
// Requests: interactive, by device code, silent, and sign-ins that the application drives.

import Tessera
import TesseraTesting

/// Checks interactive requests with their options.
func checkInteractiveRequests() throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  var options = AuthorizationOptions(
    scopes: ["read"], loginHint: LocalUser.bob.username, prompt: .login)
  options.extraQueryParameters = ["dc": "ESTS-PUB"]
  options.responseMode = ResponseMode.formPost
  var request = InteractiveRequest(options)
  request.browser = BrowserPreferences(prefersEphemeralWebBrowserSession: false)
  request.uiLocales = "de"
  expect(request.options.uiLocales, "de")
  expect(request.prompt, SignInPromptType.login)
  machine.browser.username = LocalUser.bob.username
  var shown: [SignInPrompt] = []
  let token = try application.acquireTokenInteractive(request, cancellation: nil) {
    shown.append($0)
  }
  expect(token.account.username, LocalUser.bob.username)
  let prompt = expectValue(shown.first)
  expect(prompt.opensBrowser)
  expect(prompt.reason, "requested by a test")
  for parameter in [
    "prompt=login", "response_mode=form_post", "ui_locales=de", "login_hint=bob%40contoso.com",
    "dc=ESTS-PUB",
  ] {
    expect(prompt.url.contains(parameter))
  }
  expect(try object(prompt.jsonDocument).string("url"), prompt.url)
  var silent = InteractiveRequest(scopes: ["read"], triesSilentFirst: true)
  silent.homeAccountID = token.account.homeAccountID
  expect(try application.acquireTokenInteractive(silent, cancellation: nil).source, .cache)
  expectCases(
    of: SignInPromptType.self, ["select_account", "login", "consent", "create", "none"])
  expect(ResponseMode.allCases, [.query, .formPost])
}

/// Checks a device code, its prompt and the cancellation of a call.
func checkDeviceCodes() throws {
  let machine = LocalMachine()
  let application = try machine.issuerApplication()
  var request = DeviceCodeRequest(scopes: ["read"])
  request.explains = true
  var prompts: [DeviceCodePrompt] = []
  let token = try application.acquireTokenByDeviceCode(request, cancellation: nil) { prompt in
    prompts.append(prompt)
    try? machine.provider.perform(
      .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
  }
  let prompt = expectValue(prompts.first)
  expect(prompt.verificationURI, machine.provider.devicePage)
  expect(prompt.message.contains(prompt.userCode))
  expect(prompt.interval, .seconds(5))
  expect(prompt.expiresAt > machine.clock.date)
  expect(try object(prompt.jsonDocument).string("user_code"), prompt.userCode)
  expect(token.account.username, LocalUser.alice.username)
  let cancellation = Cancellation()
  expect(cancellation.isCancelled, false)
  let error = expectError(.cancelled) {
    _ = try application.acquireTokenByDeviceCode(request, cancellation: cancellation) { _ in
      cancellation.cancel()
    }
  }
  expect(error.remedy, .cancelled)
  expect(cancellation.isCancelled)
}

/// Checks silent requests, also in their asynchronous form.
func checkSilentRequests() async throws {
  let machine = LocalMachine()
  let application = try machine.entraApplication()
  let account = try application.signIn(scopes: ["user.read"]).account
  var request = SilentRequest(account: account, scopes: ["user.read"])
  expect(request.homeAccountID, account.homeAccountID)
  expect(try await application.acquireTokenSilent(request).source, .cache)
  request.forcesRefresh = true
  request.extraTokenParameters = ["claims_set": "1"]
  request.correlationID = "11111111-2222-4333-8444-555555555555"
  expect(try await application.acquireTokenSilent(request).source, .network)
  request.timeout = .zero
  expectError(.deadlineExceeded) {
    _ = try application.acquireTokenSilent(request, cancellation: nil)
  }
  let resource = SilentRequest(account: account, resource: "https://graph.microsoft.com")
  expect(resource.scopes, ["https://graph.microsoft.com/.default"])
  expect(SilentRequest(forApplicationWithScopes: ["read"]).isForApplication)
}

/// Checks a sign-in whose pages and redirect the application handles.
func checkDrivenSignIns() async throws {
  let machine = LocalMachine()
  let application = try machine.issuerApplication()
  var request = SignInRequest(
    AuthorizationOptions(scopes: ["read"]), delivery: SignInRequest.Delivery.host)
  request.lifetime = .seconds(600)
  let begun: SignInSession = try await application.beginSignIn(request)
  expect(begun.expiresAt, machine.clock.date.addingTimeInterval(600))
  expect(begun.redirectURI, "http://localhost")
  let answer: RawAuthorizationResponse = expectValue(machine.browser.visit(begun.url))
  guard case .address(let address) = answer else {
    fail("the response is a form", file: #fileID, line: #line)
  }
  expect(address.reveal().hasPrefix(begun.redirectURI))
  let other = RedirectResponse(
    state: begun.state, response: .address(Secret("http://localhost?code=c&state=other")))
  expectError(.stateMismatch) {
    _ = try application.completeSignIn(other, cancellation: nil)
  }
  let token = try await application.completeSignIn(
    RedirectResponse(state: begun.state, response: answer))
  expect(token.account.username, LocalUser.alice.username)
  expectCases(of: SignInRequest.Delivery.self, ["host", "system"])
}
