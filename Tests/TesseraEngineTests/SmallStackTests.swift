// SPDX-License-Identifier: MIT
// Threads with small stacks: no credential is redeemed if its response could not be stored.

import Synchronization
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct SmallStackTests {
  private let machine = LocalMachine()

  /// A thread with a configurable amount of free stack space.
  private final class Thread: Sendable {
    private let legacyItem: Mutex<Int?>

    init(bytesLeft: Int?) {
      legacyItem = Mutex(bytesLeft)
    }

    var bytesLeft: Int? {
      get { legacyItem.withLock { $0 } }
      set { legacyItem.withLock { $0 = newValue } }
    }
  }

  private func application(on thread: Thread) throws -> PublicClientApplication {
    var dependencies = machine.dependencies
    dependencies.stack = StackSpace { thread.bytesLeft }
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.entraAuthority("common")
    configuration.authorityType = .entra
    configuration.redirectURI = "http://localhost"
    return try PublicClientApplication(configuration, in: dependencies)
  }

  private func forced(_ result: TokenResult) -> SilentRequest {
    var request = SilentRequest(
      homeAccountID: result.account.homeAccountID, scopes: ["user.read"])
    request.forcesRefresh = true
    return request
  }

  private func signIn(_ application: PublicClientApplication) throws -> TokenResult {
    try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["user.read"])) { prompt in
      try? machine.provider.perform(
        .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
    }
  }

  private var refreshes: Int { machine.provider.counts.tokenRequests["refresh_token"] ?? 0 }

  @Test func `a refresh token is not sent if the stack is too small`() throws {
    let thread = Thread(bytesLeft: nil)
    let application = try application(on: thread)
    let request = forced(try signIn(application))
    thread.bytesLeft = 40_000
    let error = try #require(throws: TesseraError.self) {
      try application.acquireTokenSilent(request)
    }
    #expect(error.code == .stackTooSmall && error.remedy == .fixRequest && !error.isRetryable)
    #expect(error.message.contains("39 KiB left"))
    #expect(refreshes == 0)
    thread.bytesLeft = 100_000
    _ = try application.acquireTokenSilent(request)
    #expect(refreshes == 1)
  }

  @Test func `a stack of unknown size is accepted`() throws {
    let application = try application(on: Thread(bytesLeft: nil))
    _ = try application.acquireTokenSilent(forced(try signIn(application)))
    #expect(refreshes == 1)
  }

  @Test func `no device code is requested if the stack is too small`() throws {
    let application = try application(on: Thread(bytesLeft: 60_000))
    var waitForRequest = false
    expect(.stackTooSmall) {
      _ = try application.acquireTokenByDeviceCode(DeviceCodeRequest(scopes: ["user.read"])) { _ in
        waitForRequest = true
      }
    }
    #expect(!waitForRequest)
  }

  @Test func `a sign-in remains pending if the stack is too small to complete it`() throws {
    let thread = Thread(bytesLeft: nil)
    let application = try application(on: thread)
    let begun = try application.beginSignIn(SignInRequest(scopes: ["user.read"]))
    let answer = try #require(machine.browser.visit(begun.url))
    let completion = RedirectResponse(state: begun.state, response: answer)
    thread.bytesLeft = 40_000
    expect(.stackTooSmall) { _ = try application.completeSignIn(completion) }
    thread.bytesLeft = nil
    let result = try application.completeSignIn(completion)
    #expect(result.account.username == "alice@contoso.com")
  }
}
