// SPDX-License-Identifier: MIT
// Sign-ins in the broker's window, sign-outs there, and what else it is asked for.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct BrokeredSignInTests {
  private let bench = TestBench()
  private let broker = ScriptedBroker()

  @Test func `a person signs in in the broker's window`() throws {
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

  @Test func `a browser is opened where there is no broker`() throws {
    let (application, _) = try known(.prefer)
    broker.fail(.skipped(.notRunning, "nobody is there"))
    let result = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    #expect(result.source == .network)
    #expect(result.browserReason != nil)
    #expect(result.brokers.first?.reason == "broker_not_running")
  }

  @Test func `no browser is opened after a person has said no, or where a broker is required`()
    throws
  {
    let (application, _) = try known(.prefer)
    broker.answer(.interactive, ["brokerTokenResponse": ["error": ["status": 7]]])
    expect(.accessDenied) {
      _ = try application.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    }
    let strict = try bench.application(broker, .require)
    broker.fail(.skipped(.noSessionBus, "there is none"))
    expect(.brokerUnavailable) {
      _ = try strict.acquireTokenInteractive(InteractiveRequest(scopes: ["user.read"]))
    }
  }

  @Test func `the broker forgets whoever signs out of it`() throws {
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
    broker.fail(.skipped(.notRunning, "nobody is there"))
    #expect(try application.signOut(request).broker?.error?.code == .brokerUnavailable)
  }

  @Test func `a cookie goes to pages of the authority's cloud alone`() throws {
    let (application, signedIn) = try known(.never)
    let home = signedIn.account.homeAccountID
    broker.answer(.cookie, ["cookieName": "x-ms-RefreshTokenCredential", "cookieContent": "jwt"])
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

  @Test func `version, accounts and signatures are asked for in so many words`() throws {
    let (application, signedIn) = try known(.never)
    broker.answer(.version, ["linuxBrokerVersion": "2.5.2"])
    broker.answer(.signedRequest, ["signedHttpRequest": "s.h.r"])
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

  /// An application whose person has an account with the broker.
  private func known(_ policy: BrokerPolicy) throws -> (PublicClientApplication, TokenResult) {
    let application = try bench.application(broker, policy)
    let signedIn = try bench.signIn(application)
    broker.has(signedIn, at: bench.clock.now)
    return (application, signedIn)
  }
}
