// SPDX-License-Identifier: MIT
// Common parts of the Microsoft Authenticator tests: machine, application and responses.

import TesseraApple
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

/// Tests on a machine with a local Authenticator.
protocol AuthenticatorSuite {
  var machine: LocalMachine { get }
}

extension AuthenticatorSuite {
  var authenticator: LocalAuthenticator {
    LocalAuthenticator(at: machine.provider, as: machine.browser)
  }

  /// Returns an application with a redirect URI for Authenticator.
  func application(
    client: String = "client", in dependencies: Dependencies? = nil,
    change: (inout ApplicationConfiguration) -> Void = { _ in }
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = machine.provider.entraAuthority()
    configuration.authorityType = .entra
    configuration.bundleID = "com.contoso.app"
    change(&configuration)
    return try PublicClientApplication(configuration, in: dependencies ?? machine.dependencies)
  }

  /// Begins a sign-in with Authenticator.
  func begin(
    _ application: PublicClientApplication, scopes: [String] = ["read"],
    change: (inout SignInRequest) -> Void = { _ in }
  ) throws -> SignInSession {
    var request = SignInRequest(scopes: scopes)
    request.authenticator = AuthenticatorOptions()
    change(&request)
    return try application.beginSignIn(request)
  }

  /// Returns the response of Authenticator, with some fields changed.
  func completion(
    _ begun: SignInSession, _ changes: [String: String?] = [:]
  ) throws -> RedirectResponse {
    let url = try #require(authenticator.signIn(begun.url, changes: changes))
    return RedirectResponse(state: begun.state, response: .address(Secret(url)))
  }

  /// Begins and completes a sign-in with Authenticator.
  func complete(
    _ application: PublicClientApplication, scopes: [String] = ["read"],
    _ changes: [String: String?] = [:]
  ) throws -> TokenResult {
    try application.completeSignIn(completion(begin(application, scopes: scopes), changes))
  }

  /// Returns the stored credentials.
  func credentials() throws -> [CredentialRecord] {
    var selection = SnapshotSelection()
    selection.everything = true
    return try machine.store.snapshot(selection, within: .none).credentials
  }
}
