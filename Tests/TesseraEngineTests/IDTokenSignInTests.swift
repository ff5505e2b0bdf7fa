// SPDX-License-Identifier: MIT
// Sign-ins with the scope `openid` alone, which request an ID token.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct IDTokenSignInTests {
  private let machine = LocalMachine()

  private func application(_ kind: AuthorityType) throws -> PublicClientApplication {
    let provider = machine.provider
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authorityType = kind
    configuration.authority =
      switch kind {
      case .entra: provider.entraAuthority()
      case .b2c: provider.b2cAuthority("b2c_1_signin")
      case .ciam: provider.ciamAuthority
      case .adfs: provider.adfsAuthority
      case .openID: provider.issuer("main")
      }
    return try machine.application(configuration)
  }

  @Test(arguments: AuthorityType.allCases)
  func `the scope openid alone signs in for an ID token`(_ kind: AuthorityType) throws {
    let application = try application(kind)
    var shown = ""
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["openid"])) {
      shown = $0.url
    }
    #expect(result.idToken != nil)
    #expect(shown.contains("scope=openid%20profile%20offline_access&"))
    let silent = try application.acquireTokenSilent(
      SilentRequest(account: result.account, scopes: ["openid"]))
    #expect(silent.source == .cache)
    #expect(silent.idToken == result.idToken)
  }

  @Test func `the preferred languages are sent with the request`() throws {
    let application = try application(.openID)
    var request = InteractiveRequest(scopes: ["read"])
    request.uiLocales = "de en"
    var shown = ""
    _ = try application.acquireTokenInteractive(request) { shown = $0.url }
    #expect(shown.hasSuffix("&ui_locales=de%20en"))
  }

  @Test func `a device code signs in with the scope openid alone`() throws {
    let bench = TestBench()
    let application = try bench.application(issuer: "main")
    #expect(try bench.signIn(application, scopes: ["OpenID"]).idToken != nil)
  }

  @Test(arguments: [["profile"], ["offline_access", "profile"]])
  func `other scopes that the library adds do not suffice`(_ scopes: [String]) throws {
    let application = try application(.openID)
    expect(.scopesRequired) {
      _ = try application.acquireTokenInteractive(InteractiveRequest(scopes: scopes))
    }
  }
}
