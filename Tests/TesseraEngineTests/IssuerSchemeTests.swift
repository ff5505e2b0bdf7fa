// SPDX-License-Identifier: MIT
// The scheme is part of an issuer's identity: http and https never share accounts or tokens.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct IssuerSchemeTests {
  /// A kind of authority at the same host and port, over https and over http.
  struct Kind: Sendable, CustomTestStringConvertible {
    let type: AuthorityType
    let path: String
    var testDescription: String { type.rawValue }
  }

  private static let kinds = [
    Kind(type: .entra, path: "/common"),
    Kind(type: .b2c, path: "/customers.onmicrosoft.com/b2c_1_signin"),
    Kind(type: .ciam, path: "/external.onmicrosoft.com"),
    Kind(type: .adfs, path: "/adfs"), Kind(type: .openID, path: "/oidc/main"),
  ]

  private static let schemes = [("https", "http"), ("http", "https")]

  private func application(
    _ bench: TestBench, _ kind: Kind, _ scheme: String
  ) throws -> PublicClientApplication {
    try bench.application { configuration in
      configuration.authority = "\(scheme)://localhost:9555\(kind.path)"
      configuration.authorityType = kind.type
    }
  }

  @Test(arguments: kinds, schemes)
  func `http and https at one host share neither accounts nor tokens`(
    _ kind: Kind, _ schemes: (String, String)
  ) throws {
    let clock = VirtualClock()
    let store = MemoryStore(time: clock)
    let first = TestBench(origin: "\(schemes.0)://localhost:9555", clock: clock, store: store)
    let second = TestBench(origin: "\(schemes.1)://localhost:9555", clock: clock, store: store)
    let signedIn = try first.signIn(application(first, kind, schemes.0))
    let other = try application(second, kind, schemes.1)
    var request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    request.environment = nil
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(request) }
    request.forcesRefresh = true
    expect(.interactionRequired) { _ = try other.acquireTokenSilent(request) }
    #expect(second.refreshes == 0)
    let again = try second.signIn(other)
    #expect(again.account.environment != signedIn.account.environment)
    #expect(again.account.homeAccountID == signedIn.account.homeAccountID)
    request.forcesRefresh = false
    let token = try application(first, kind, schemes.0).acquireTokenSilent(request)
    #expect(token.accessToken == signedIn.accessToken)
  }

  // At Entra, the sign-in state is stored by account and application for all clouds.
  @Test(arguments: kinds.filter { [.adfs, .openID].contains($0.type) })
  func `a sign-out over one scheme does not sign out the other`(_ kind: Kind) throws {
    let clock = VirtualClock()
    let store = MemoryStore(time: clock)
    let secure = TestBench(origin: "https://localhost:9555", clock: clock, store: store)
    let clear = TestBench(origin: "http://localhost:9555", clock: clock, store: store)
    let signedIn = try secure.signIn(application(secure, kind, "https"))
    let other = try application(clear, kind, "http")
    let account = try clear.signIn(other).account
    #expect(try other.removeAccount(account))
    let request = SilentRequest(account: signedIn.account, scopes: ["user.read"])
    #expect(try application(secure, kind, "https").acquireTokenSilent(request).source == .cache)
  }

  @Test(arguments: [
    ("https://localhost:9555/common", AuthorityType.entra, "localhost:9555"),
    ("http://localhost:9555/common", .entra, "http://localhost:9555"),
    ("https://localhost:9555/adfs", .adfs, "localhost:9555"),
    ("http://localhost:9555/adfs", .adfs, "http://localhost:9555"),
    ("https://localhost:9555/t", .openID, "localhost:9555/t"),
    ("http://localhost:9555/t", .openID, "http://localhost:9555/t"),
    ("HTTP://localhost:9555/t", .openID, "http://localhost:9555/t"),
    ("https://http://localhost:9555/t", .openID, "https://http://localhost:9555/t"),
  ])
  func `the environment of an http issuer contains the scheme`(
    _ text: String, _ type: AuthorityType, _ environment: String
  ) throws {
    let authority = try Authority(text, type: type)
    #expect((authority.cloud?.preferredCache ?? authority.issuerEnvironment) == environment)
  }
}
