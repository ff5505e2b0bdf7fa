// SPDX-License-Identifier: MIT
// Intune app protection, and sign-ins with Microsoft Authenticator.

import Tessera
import TesseraTesting

/// Checks that requests for Authenticator contain the state of Intune.
func checkIntune() throws {
  let machine = LocalMachine()
  let text = #"{"enrollment_ids":[{"home_account_id":"uid.utid","enrollment_id":"enrolled"}]}"#
  var state = IntuneState()
  expect(state.isProtected, false)
  expect(state.mamResourceText, nil)
  state.enrollments = IntuneEnrollments(text)
  state.mamResources = ["login.microsoftonline.com": "https://mam.contoso.com"]
  expect(state.isProtected)
  expect(state.enrollmentIDsText, text)
  expect(
    state.mamResourceText, #"{"login.microsoftonline.com":"https://mam.contoso.com"}"#)
  expect(IntuneEnrollments(text)?.text, text)
  expect(IntuneEnrollments(#"{"enrollment_ids":5}"#), nil)
  let application = try machine.entraApplication { configuration in
    configuration.bundleID = "com.contoso.app"
    configuration.intune = state
  }
  var options = AuthenticatorOptions()
  options.clientAppName = "Mail"
  options.intune = state
  let begun = try application.beginSignIn(
    SignInRequest(scopes: ["read"], authenticator: options), cancellation: nil)
  let authenticator = LocalAuthenticator(at: machine.provider, as: machine.browser)
  let parameters = authenticator.parameters(of: begun.url)
  expect(parameters["intune_enrollment_ids"], text)
  expect(parameters["client_app_name"], "Mail")
  let url = expectValue(authenticator.signIn(begun.url))
  var completion = RedirectResponse(state: begun.state, response: .address(Secret(url)))
  completion.sourceApplication = "com.microsoft.azureauthenticator"
  let token = try application.completeSignIn(completion, cancellation: nil)
  expect(token.account.username, LocalUser.alice.username)
  let failed = expectValue(
    authenticator.responseURL(
      to: begun.url, ["success": "0", "broker_error_code": "-51419"]))
  expectError(.signInUsed) {
    _ = try application.completeSignIn(
      RedirectResponse(state: begun.state, response: .address(Secret(failed))), cancellation: nil)
  }
}
