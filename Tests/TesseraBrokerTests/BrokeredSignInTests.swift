// SPDX-License-Identifier: MIT
// Sign-in and sign-out with the broker, and its other calls.

import TesseraBroker
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct BrokeredSignInTests {
  private let bench = TestBench()
  private let broker = ScriptedBroker()

  @Test func `an interactive sign-in uses the broker's window`() throws {
    let (application, signedIn) = try known(.prefer)
    var request = InteractiveRequest(scopes: ["user.read"])
    request.homeAccountID = signedIn.account.homeAccountID
    request.prompt = .login
    let result = try application.acquireTokenInteractive(request)
    #expect(result.source == .broker)
    #expect(result.browserReason == nil)
    let parameters = broker.calls.last?.body["authParameters"]?.object
    #expect(parameters?["authorizationType"]?.integer == 6)
    #expect(parameters?["prompt"]?.string == "login")
    #expect(parameters?["username"]?.string == LocalUser.alice.username)
    let silent = SilentRequest(account: result.account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(silent).source == .cache)
    #expect(try application.accounts().count == 1)
  }

  @Test func `a signed-out account must enter credentials again at the broker`() throws {
    let (application, signedIn) = try known(.prefer)
    try application.removeAccount(signedIn.account)
    var request = InteractiveRequest(scopes: ["user.read"])
    request.homeAccountID = signedIn.account.homeAccountID.uppercased()
    for (wanted, sent) in [(nil, "login"), (.consent, "consent")] as [(SignInPromptType?, String)] {
      request.prompt = wanted
      _ = try application.acquireTokenInteractive(request)
      let parameters = broker.calls.last?.body["authParameters"]?.object
      #expect(parameters?["prompt"]?.string == sent)
      try application.removeAccount(signedIn.account)
    }
  }

  @Test func `without a broker, the sign-in uses the browser`() throws {
    let (application, _) = try known(.prefer)
    broker.fail(.skipped(.notRunning, "no broker is running"))
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    #expect(result.source == .network)
    #expect(result.browserReason != nil)
    #expect(result.brokers.first?.reason == "broker_not_running")
  }

  @Test func `no browser opens after a refusal by the user, or if a broker is required`()
    throws
  {
    let (application, _) = try known(.prefer)
    broker.setResponse(.interactive, ["brokerTokenResponse": ["error": ["status": 7]]])
    expect(.accessDenied) {
      _ = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    }
    let strict = try bench.application(broker, .require)
    broker.fail(.skipped(.noSessionBus, "there is none"))
    expect(.brokerUnavailable) {
      _ = try strict.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    }
  }

  @Test func `no browser opens while another broker window is open`() throws {
    let (application, _) = try known(.prefer)
    let busy = TesseraError(.fixRequest, .interactionInProgress, "There is a window.")
    broker.fail(.ended(busy), at: .interactive)
    expect(.interactionInProgress) {
      _ = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    }
  }

  @Test func `a sign-out with fromBroker removes the account from the broker`() throws {
    let (application, signedIn) = try known(.prefer)
    var request = SignOutRequest(account: signedIn.account)
    #expect(try application.signOut(request).broker == nil)
    #expect(broker.calls.isEmpty)
    request.account = nil
    request.homeAccountID = signedIn.account.homeAccountID
    request.fromBroker = true
    let report = try application.signOut(request)
    #expect(report.broker?.removed == 1)
    #expect(report.broker?.error == nil)
    #expect(broker.calls.map(\.method) == [.accounts, .removeAccount])
    broker.fail(.skipped(.notRunning, "no broker is running"))
    #expect(try application.signOut(request).broker?.error?.code == .brokerUnavailable)
  }

  @Test(
    arguments: [(16, nil), (6, TesseraError.Code.requestRejected)] as [(Int64, TesseraError.Code?)])
  func `a failed removal from the broker does not stop the others`(
    _ status: Int64, _ code: TesseraError.Code?
  ) throws {
    let (application, _) = try known(.prefer)
    let homes: [JSONValue] = ["a.t", "b.t", "c.t"].map { ["homeAccountId": .string($0)] }
    broker.setResponse(.accounts, ["accounts": .array(homes)])
    broker.setResponse(
      .removeAccount, sequence: [[:], ["error": ["status": .integer(status)]], [:]])
    var request = SignOutRequest(scope: .machine)
    request.fromBroker = true
    let report = try application.signOut(request)
    #expect(broker.calls.map(\.method).filter { $0 == .removeAccount }.count == 3)
    #expect(report.broker?.removed == 2)
    #expect(report.broker?.error?.code == code)
  }

  @Test func `after a broker timeout, no further removal is attempted`() throws {
    let (application, _) = try known(.prefer)
    let homes: [JSONValue] = ["a.t", "b.t"].map { ["homeAccountId": .string($0)] }
    broker.setResponse(.accounts, ["accounts": .array(homes)])
    broker.fail(.skipped(.timeout, "slow"), at: .removeAccount)
    var request = SignOutRequest(scope: .machine)
    request.fromBroker = true
    #expect(try application.signOut(request).broker?.error?.code == .brokerUnresponsive)
    #expect(broker.calls.map(\.method) == [.accounts, .removeAccount])
  }

  @Test func `an expired ID token from the broker is accepted`() throws {
    let (application, signedIn) = try known(.require)
    bench.clock.advance(seconds: 7200)
    broker.addAccount(signedIn, at: bench.clock.now)
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    #expect(result.source == .broker)
  }

  @Test func `a different account is rejected unless acceptsOtherAccount is set`() throws {
    let (application, _) = try known(.prefer)
    var request = InteractiveRequest(scopes: ["user.read"])
    request.homeAccountID = LocalUser.bob.homeAccountID
    let error = #expect(throws: TesseraError.self) {
      try application.acquireTokenInteractive(request)
    }
    #expect(error?.code == .accountMismatch)
    #expect(error?.username == LocalUser.alice.username)
    request.acceptsOtherAccount = true
    #expect(try application.acquireTokenInteractive(request).source == .broker)
  }

  @Test func `an error of the browser also reports the skipped broker`() throws {
    let (application, _) = try known(.prefer)
    broker.fail(.skipped(.notRunning, "no broker is running"))
    let browser = try #require(bench.dependencies.browser as? LocalBrowser)
    browser.decision = .decline
    var request = InteractiveRequest(scopes: ["user.read"])
    let refused = #expect(throws: TesseraError.self) {
      try application.acquireTokenInteractive(request)
    }
    #expect(refused?.code == .accessDenied)
    #expect(refused?.causes.map(\.code).contains("broker_not_running") == true)
    browser.decision = .accept
    try bench.provider.perform(.set([.grantedScope("user.read")]))
    request.scopes = ["user.read", "mail.read"]
    let result = try application.acquireTokenInteractive(request)
    #expect(result.declinedScopes == ["mail.read"])
    #expect(result.brokers.first?.reason == "broker_not_running")
  }

  @Test func `a broker result with fewer scopes reports the broker as its source`() throws {
    let (application, _) = try known(.prefer)
    let result = try application.acquireTokenInteractive(
      InteractiveRequest(scopes: ["user.read", "mail"]))
    #expect(result.declinedScopes == ["mail"])
    #expect(result.source == .broker)
    #expect(result.brokers.map(\.outcome) == [.used])
  }

  @Test func `SSO cookies are requested only for pages of the authority's cloud`() throws {
    let (application, signedIn) = try known(.never)
    let home = signedIn.account.homeAccountID
    broker.setResponse(
      .cookie, ["cookieName": "x-ms-RefreshTokenCredential", "cookieContent": "jwt"])
    let page = bench.provider.entraAuthority("common") + "/oauth2/authorize?sso_nonce=n"
    let cookies = try application.brokerCookies(
      BrokerCookieRequest(homeAccountID: home, ssoURL: page))
    #expect(cookies.map(\.name) == ["x-ms-RefreshTokenCredential"])
    #expect(broker.calls.last?.body["ssoUrl"]?.string == page)
    let count = broker.calls.count
    for page in ["https://elsewhere.example/authorize", "http://login.microsoftonline.com/", "x"] {
      expect(.invalidMember) {
        _ = try application.brokerCookies(BrokerCookieRequest(homeAccountID: home, ssoURL: page))
      }
    }
    #expect(broker.calls.count == count)
    expect(.accountNotFound) {
      _ = try application.brokerCookies(BrokerCookieRequest(homeAccountID: "x.y", ssoURL: page))
    }
  }

  @Test func `version, accounts and signed requests are available without a policy`() throws {
    let (application, signedIn) = try known(.never)
    broker.setResponse(.version, ["linuxBrokerVersion": "2.5.2"])
    broker.setResponse(.signedRequest, ["signedHttpRequest": "s.h.r"])
    #expect(try application.brokerVersion() == "2.5.2")
    let accounts = try application.brokerAccounts()
    #expect(accounts.map(\.homeAccountID) == [signedIn.account.homeAccountID])
    let request = BrokerSigningRequest(
      homeAccountID: signedIn.account.homeAccountID, httpMethod: "GET",
      url: "https://api.example/v1/things?x=y")
    #expect(try application.brokerSignedRequest(request).reveal() == "s.h.r")
    let parameters = broker.calls.last?.body["popParams"]?.object
    #expect(parameters?["uriHost"]?.string == "api.example")
    #expect(parameters?["uriPath"]?.string == "/v1/things")
  }

  @Test(arguments: [
    ("https://api.example", "/"), ("https://api.example?x=/y", "/"),
    ("https://api.example/", "/"), ("https://api.example/v1/", "/v1/"),
    ("https://api.example:8443//a%2Fb//c/?x=y#z", "//a%2Fb//c/"),
  ])
  func `the path of a signed request is unchanged`(_ url: String, _ path: String) throws {
    let (application, _) = try known(.never)
    broker.setResponse(.signedRequest, ["signedHttpRequest": "s.h.r"])
    _ = try application.brokerSignedRequest(
      BrokerSigningRequest(homeAccountID: "x.y", httpMethod: "GET", url: url))
    let parameters = broker.calls.last?.body["popParams"]?.object
    #expect(parameters?["uriPath"]?.string == path)
  }

  /// Returns an application and a broker that has the account.
  private func known(_ policy: BrokerPolicy) throws -> (PublicClientApplication, TokenResult) {
    let application = try bench.application(broker, policy)
    let signedIn = try bench.signIn(try bench.application())
    broker.addAccount(signedIn, at: bench.clock.now)
    return (application, signedIn)
  }
}
