// SPDX-License-Identifier: MIT
// Sign-ins with Microsoft Authenticator, from the URL to the stored token.

import TesseraApple
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AuthenticatorTests: AuthenticatorSuite {
  let machine = LocalMachine()

  @Test func `after a sign-in, a silent call returns the token and later refreshes it`() throws {
    let begun = try begin(try application())
    #expect(begun.url.hasPrefix("msauthv2://broker?"))
    #expect(begun.redirectURI == "msauth.com.contoso.app://auth")
    var dumped = ""
    dump(begun, to: &dumped)
    #expect(!"\(begun)\(dumped)".contains("broker_key"))
    let result = try application().completeSignIn(completion(begun))
    #expect(result.account.homeAccountID == LocalUser.alice.homeAccountID)
    #expect(result.isPersisted)
    let request = SilentRequest(account: result.account, scopes: ["read"])
    #expect(try application().acquireTokenSilent(request).accessToken == result.accessToken)
    machine.clock.advance(seconds: 7200)
    #expect(try application().acquireTokenSilent(request).source == .network)
  }

  @Test func `a response is accepted once`() throws {
    let application = try application()
    let completion = try completion(begin(application))
    _ = try application.completeSignIn(completion)
    expect(.signInUsed) { _ = try application.completeSignIn(completion) }
  }

  @Test func `an invalid response is rejected, and the sign-in remains pending`() throws {
    let application = try application()
    let begun = try begin(application)
    let right = try completion(begun)
    let another = try completion(begin(application))
    for (answer, code) in [
      (another.response, TesseraError.Code.brokerDecryptionFailed),
      (.address(Secret("")), .brokerResponseMissing),
      (.address(Secret("msauth.com.contoso.app://auth?x=y")), .brokerVersionUnsupported),
      (.address(Secret("other://auth?msg_protocol_ver=3")), .brokerStateMismatch),
      (.form(Secret("a=b")), .invalidMember),
      (.address(Secret("msauth://wpj?username=u")), .workplaceJoinRequired),
    ] {
      // With a wrong key, the padding may be valid by chance. Then the text or the hash is wrong.
      let codes =
        code == .brokerDecryptionFailed ? [code, .brokerHashMismatch] : [code]
      let found = error(
        of: RedirectResponse(state: begun.state, response: answer), application)
      #expect(found.map { codes.contains($0.code) } == true)
    }
    let nonce = try #require(authenticator.signIn(begun.url, changes: ["broker_nonce": "other"]))
    let foreign = RedirectResponse(state: begun.state, response: .address(Secret(nonce)))
    #expect(error(of: foreign, application)?.code == .brokerNonceMismatch)
    _ = try application.completeSignIn(right)
  }

  @Test func `a state is bound to its application, store and redirect URI`() throws {
    let completion = try completion(begin(try application()))
    #expect(error(of: completion, try application(client: "other"))?.code == .brokerStateMissing)
    var damaged = completion
    damaged.state = Secret(String(completion.state.reveal().dropLast(4)))
    #expect(error(of: damaged, try application())?.code == .brokerStateMissing)
    let moved = try application { $0.redirectURI = "app://com.contoso.app" }
    #expect(error(of: completion, moved)?.code == .brokerStateInvalid)
    var page = completion
    page.state = Secret("t1." + completion.state.reveal().dropFirst(3))
    #expect(error(of: page, try application())?.code == .invalidSignInState)
    try machine.store.commit(CacheChange([.removeEverything]), within: .none)
    let lost = error(of: completion, try application())
    #expect(lost?.code == .signInLost && lost?.remedy == .signIn)
  }

  @Test func `a response from another application or after the lifetime is rejected`() throws {
    let application = try application()
    var completion = try completion(begin(application) { $0.lifetime = .seconds(60) })
    completion.sourceApplication = "com.evil.app"
    #expect(error(of: completion, application)?.code == .brokerStateMismatch)
    completion.sourceApplication = "com.microsoft.azureauthenticator"
    machine.clock.advance(seconds: 60)
    #expect(error(of: completion, application)?.code == .signInExpired)
  }

  @Test func `a different account than requested is rejected`() throws {
    let application = try application()
    let asked = try begin(application) { $0.homeAccountID = LocalUser.bob.homeAccountID }
    let sent = authenticator.parameters(of: asked.url)
    #expect(sent["home_account_id"] == LocalUser.bob.homeAccountID)
    let found = error(of: try completion(asked), application)
    #expect(found?.code == .accountMismatch)
    #expect(found?.username == LocalUser.alice.username)
    #expect(try application.accounts().isEmpty)
    let anybody = try begin(application) {
      $0.homeAccountID = LocalUser.bob.homeAccountID
      $0.acceptsOtherAccount = true
    }
    #expect(authenticator.parameters(of: anybody.url)["skip_validate_result_account"] == "YES")
    _ = try application.completeSignIn(try completion(anybody))
  }

  private func error(
    of completion: RedirectResponse, _ application: PublicClientApplication
  ) -> TesseraError? {
    do throws(TesseraError) {
      _ = try application.completeSignIn(completion)
      return nil
    } catch {
      return error
    }
  }
}
