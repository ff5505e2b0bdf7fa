// SPDX-License-Identifier: MIT
// Redirect URIs with a private scheme: the registration is checked before any request.

import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import Testing

@Suite struct RedirectSchemeRegistrationTests {
  private let machine = LocalMachine()

  /// Returns an application without network on a desktop without registered schemes.
  private func application(
    _ redirectURI: String? = "my-app://auth", schemes: [String]? = nil, hasBrowser: Bool = true
  ) throws -> PublicClientApplication {
    machine.isOnline = false
    var facts = EnvironmentFacts()
    if hasBrowser {
      facts.variables["DISPLAY"] = ":0"
      facts.programs["xdg-open"] = "/bin/true"
    }
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    configuration.redirectURI = redirectURI
    configuration.registeredSchemes = schemes
    var dependencies = machine.dependencies
    let known = facts
    dependencies.browser = SystemBrowser(
      time: machine.clock, facts: { known }, folders: { DesktopDirectories { _ in "/not/there" } })
    return try PublicClientApplication(configuration, in: dependencies)
  }

  private func code(
    _ application: PublicClientApplication, change: (inout InteractiveRequest) -> Void = { _ in }
  ) -> TesseraError.Code? {
    var request = InteractiveRequest(scopes: ["read"])
    change(&request)
    do throws(TesseraError) {
      _ = try application.acquireTokenInteractive(request)
    } catch {
      return error.code
    }
    return nil
  }

  private func beginningCode(
    _ application: PublicClientApplication, _ delivery: SignInRequest.Delivery
  ) -> TesseraError.Code? {
    let request = SignInRequest(scopes: ["read"], delivery: delivery)
    do throws(TesseraError) {
      _ = try application.beginSignIn(request)
    } catch {
      return error.code
    }
    return nil
  }

  @Test func `an unregistered scheme is an error before any request`() throws {
    #expect(code(try application()) == .redirectSchemeNotRegistered)
    #expect(code(try application(hasBrowser: false)) == .redirectSchemeNotRegistered)
    #expect(beginningCode(try application(), .system) == .redirectSchemeNotRegistered)
    let unregistered = try application()
    var numbers: (Int64?, Int64?)
    do throws(TesseraError) {
      _ = try unregistered.acquireTokenInteractive(InteractiveRequest(scopes: ["read"]))
    } catch {
      numbers = (error.msalCode?.code, error.msalCode?.internalCode)
      #expect(error.message.contains("tessera scheme register my-app"))
    }
    #expect(numbers == (-50000, -42001))
  }

  @Test func `a host that receives redirects itself needs no registered scheme`() throws {
    #expect(beginningCode(try application(), .host) == .networkFailed)
    #expect(code(try application()) { $0.browser.webviewType = .embedded } == .networkFailed)
  }

  @Test func `registeredSchemes of the configuration is trusted`() throws {
    #expect(code(try application(schemes: ["my-app"])) == .networkFailed)
    #expect(beginningCode(try application(schemes: ["my-app"]), .system) == .networkFailed)
  }

  @Test func `form_post is rejected for a private scheme`() throws {
    #expect(
      code(try application(schemes: ["my-app"])) { $0.responseMode = .formPost } == .invalidMember)
  }

  @Test func `other redirect URIs need no registered scheme`() throws {
    for redirectURI in [nil, "http://127.0.0.1:8000/", "https://app.example/auth"] {
      #expect(beginningCode(try application(redirectURI), .system) == .networkFailed)
    }
    #expect(code(try application(nil)) == .networkFailed)
  }

  @Test func `pasting the address needs no registered scheme unless a browser opens here`() throws {
    let paste: (inout InteractiveRequest) -> Void = { $0.browser.answerDescriptor = 0 }
    #expect(code(try application(), change: paste) == .redirectSchemeNotRegistered)
    #expect(code(try application(hasBrowser: false), change: paste) == .networkFailed)
    let shown = code(try application()) { request in
      paste(&request)
      request.browser.choice = .show
    }
    #expect(shown == .networkFailed)
  }
}
