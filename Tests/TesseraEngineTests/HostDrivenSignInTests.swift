// SPDX-License-Identifier: MIT
// Host-driven sign-ins: completed once, by any process with the same store, with the matching response only.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct HostDrivenSignInTests {
  private let machine = LocalMachine()

  private func application(
    client: String = "client", redirectURI: String? = nil, issuer: String = "main",
    on machine: LocalMachine? = nil
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: client)
    configuration.authority = self.machine.provider.issuer(issuer)
    configuration.redirectURI = redirectURI
    return try (machine ?? self.machine).application(configuration)
  }

  /// An application on this machine with a store in which selected calls fail or take time.
  private func application(
    _ fail: @escaping @Sendable (FailingStore.Call) throws(TesseraError) -> Void
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    var dependencies = machine.dependencies
    dependencies.store = FailingStore(machine.store, fail)
    return try PublicClientApplication(configuration, in: dependencies)
  }

  private var sentCodes: Int {
    machine.provider.counts.tokenRequests["authorization_code"] ?? 0
  }

  private func begin(
    _ application: PublicClientApplication, change: (inout SignInRequest) -> Void = { _ in }
  ) throws -> (begun: SignInSession, completion: RedirectResponse) {
    var request = SignInRequest(scopes: ["read"])
    change(&request)
    let begun = try application.beginSignIn(request)
    let answer = try #require(machine.browser.visit(begun.url))
    return (begun, RedirectResponse(state: begun.state, response: answer))
  }

  @Test func `another process completes a sign-in, once`() throws {
    let (begun, completion) = try begin(try application(redirectURI: "my-app://auth"))
    #expect(begun.redirectURI == "my-app://auth")
    let other = try application(redirectURI: "my-app://auth")
    let result = try other.completeSignIn(completion)
    #expect(result.account.username == LocalUser.alice.username)
    for application in [other, try application(redirectURI: "my-app://auth")] {
      expect(.signInUsed) { _ = try application.completeSignIn(completion) }
    }
    #expect(machine.provider.counts.tokenRequests["authorization_code"] == 1)
  }

  @Test func `a response of another sign-in is rejected, and the sign-in remains pending`() throws {
    let application = try application()
    let (begun, completion) = try begin(application)
    let (_, another) = try begin(application)
    for answer in [
      another.response, .address(Secret("http://localhost?code=c&state=wrong")),
      .address(Secret("http://localhost?error=access_denied")), .form(Secret("")),
      .address(Secret(String(repeating: "x", count: 1 << 20))),
    ] {
      expect(.stateMismatch) {
        _ = try application.completeSignIn(RedirectResponse(state: begun.state, response: answer))
      }
    }
    #expect(machine.provider.counts.tokenRequests["authorization_code"] == nil)
    _ = try application.completeSignIn(completion)
    _ = try application.completeSignIn(another)
  }

  @Test func `a state is bound to its application and redirect URI`() throws {
    let (begun, completion) = try begin(try application())
    for application in [
      try application(client: "other"), try application(redirectURI: "http://localhost/other"),
    ] {
      expect(.invalidSignInState) { _ = try application.completeSignIn(completion) }
    }
    let text = begun.state.reveal()
    for state in [
      "", "x", "t1.", "t1.AAAA", String(text.dropLast(2)), text + "AAAA", "t2" + text.dropFirst(2),
      text + ".", String(text.dropLast(4)) + "AAAA",
    ] {
      expect(.invalidSignInState) {
        _ = try application().completeSignIn(
          RedirectResponse(state: Secret(state), response: completion.response))
      }
    }
    _ = try application().completeSignIn(completion)
  }

  @Test func `a state whose key the store does not have asks for a new sign-in`() throws {
    let (begun, completion) = try begin(try application())
    let elsewhere = LocalMachine()
    for _ in 0..<2 {
      expect(.signInLost) { _ = try application(on: elsewhere).completeSignIn(completion) }
      // A store with another key does not have this one either.
      let other = SignInRecord(key: [UInt8](repeating: 1, count: SignInRecord.keyByteCount))
      try elsewhere.store.commit(CacheChange([.signIns(.add(other))]), within: .none)
    }
    // The ID of the key can be changed without the key.
    let renamed = "t1.AAAAAAAA." + begun.state.reveal().dropFirst(12)
    expect(.signInLost) {
      _ = try application().completeSignIn(
        RedirectResponse(state: Secret(renamed), response: completion.response))
    }
    _ = try application().completeSignIn(completion)
  }

  @Test func `a state of an earlier version, which names no key, is completed`() throws {
    let (begun, completion) = try begin(try application())
    let state = Secret("t1." + begun.state.reveal().dropFirst(12))
    let older = RedirectResponse(state: state, response: completion.response)
    expect(.signInLost) { _ = try application(on: LocalMachine()).completeSignIn(older) }
    _ = try application().completeSignIn(older)
    expect(.signInUsed) { _ = try application().completeSignIn(completion) }
  }

  @Test func `a state is encrypted, and its description is redacted`() throws {
    let begun = try application().beginSignIn(SignInRequest(scopes: ["read"]))
    let opened = try #require(Base64URL.decode(begun.state.reveal().dropFirst(12)))
    #expect(!String(decoding: opened, as: UTF8.self).contains("client"))
    #expect("\(begun)".contains("<redacted>"))
    #expect(begun.expiresOn == machine.clock.now.adding(seconds: 3600))
  }

  @Test func `a response after the lifetime is rejected`() throws {
    let application = try application()
    let (_, completion) = try begin(application) { $0.lifetime = .seconds(30) }
    machine.clock.advance(seconds: 30)
    expect(.signInExpired) { _ = try application.completeSignIn(completion) }
    expect(.invalidMember) {
      _ = try begin(application) { $0.lifetime = .zero }
    }
  }

  @Test func `a redirect opened by another application than requested is rejected`() throws {
    let application = try application()
    var (_, completion) = try begin(application) { $0.sourceApplication = "org.example.browser" }
    completion.sourceApplication = "org.example.other"
    expect(.stateMismatch) { _ = try application.completeSignIn(completion) }
    completion.sourceApplication = "org.example.browser"
    _ = try application.completeSignIn(completion)
  }

  @Test func `after a network failure, the same response can be submitted again`() throws {
    let application = try application()
    let (_, completion) = try begin(application)
    machine.isOnline = false
    expect(.networkFailed) { _ = try application.completeSignIn(completion) }
    machine.isOnline = true
    _ = try application.completeSignIn(completion)
    expect(.signInUsed) { _ = try application.completeSignIn(completion) }
  }

  @Test func `after a deadline before the code is sent, the sign-in remains pending`() throws {
    var (_, completion) = try begin(try application())
    completion.timeout = .seconds(1)
    let clock = machine.clock
    let slow = try application { call in
      if call == .commit { clock.advance(seconds: 2) }
    }
    let error = try #require(throws: TesseraError.self) { try slow.completeSignIn(completion) }
    #expect(error.code == .deadlineExceeded && !error.message.contains("begin"))
    #expect(sentCodes == 0)
    _ = try application().completeSignIn(completion)
    #expect(sentCodes == 1)
  }

  @Test func `after a deadline while the code is redeemed, the sign-in must be started again`()
    throws
  {
    let application = try application()
    var (_, completion) = try begin(application)
    machine.transport.latencyNanoseconds = 2_000_000_000
    completion.timeout = .seconds(1)
    let error = try #require(throws: TesseraError.self) {
      try application.completeSignIn(completion)
    }
    #expect(error.code == .deadlineExceeded && error.remedy == .cancelled)
    #expect(error.message.contains("begin the sign-in again"))
    machine.transport.latencyNanoseconds = 0
    expect(.signInUsed) { _ = try application.completeSignIn(completion) }
  }

  @Test(arguments: [TesseraError.Code.storeFull, .storeUnavailable, .storeReadOnly])
  func `no page is opened if the store cannot record the sign-in`(_ code: TesseraError.Code) throws
  {
    _ = try begin(try application())
    let unwritable = try application { call throws(TesseraError) in
      guard call != .snapshot else { return }
      throw TesseraError(.fixStorage, code, "The store cannot be written.")
    }
    expect(code) { _ = try begin(unwritable) }
  }

  @Test func `the code is sent to the authority of the state`() throws {
    let (_, completion) = try begin(try application())
    let result = try application(issuer: "second").completeSignIn(completion)
    #expect(result.authority == machine.provider.issuer("main"))
  }

  @Test func `an error response ends the sign-in`() throws {
    let application = try application()
    machine.browser.decision = .decline
    let (_, completion) = try begin(application)
    let error = #expect(throws: TesseraError.self) { try application.completeSignIn(completion) }
    #expect(error?.code == .accessDenied)
    #expect(error?.message.contains("was sent") == false)
    expect(.signInUsed) { _ = try application.completeSignIn(completion) }
  }

  @Test func `a response without iss or with another issuer is rejected`() throws {
    let application = try application()
    let (begun, completion) = try begin(application)
    guard case .address(let address) = completion.response else { return }
    for iss in ["", "&iss=https%3A%2F%2Fevil.example"] {
      let query = address.reveal().split(separator: "&").filter { !$0.hasPrefix("iss=") }
      let answer = RawAuthorizationResponse.address(Secret(query.joined(separator: "&") + iss))
      expect(.issuerMismatch) {
        _ = try application.completeSignIn(RedirectResponse(state: begun.state, response: answer))
      }
    }
    _ = try application.completeSignIn(completion)
  }

  @Test func `eight threads redeem the code of a response once`() async throws {
    let application = try application()
    let (_, completion) = try begin(application)
    let codes = await withTaskGroup(of: TesseraError.Code?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do throws(TesseraError) {
            _ = try application.completeSignIn(completion)
            return nil
          } catch { return error.code }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.filter { $0 == nil }.count == 1)
    // Waiting advances the virtual clock, so some threads get store_busy.
    #expect(codes.filter { [.signInUsed, .storeBusy].contains($0) }.count == 7)
    #expect(machine.provider.counts.tokenRequests["authorization_code"] == 1)
  }

  @Test func `old completed sign-ins are removed from the record after their lifetime`() {
    let now = machine.clock.now
    var record = SignInRecord(key: [UInt8](repeating: 1, count: 32))
    record.use("a", until: now.adding(seconds: 10), at: now)
    record.use("b", until: now.adding(seconds: 999), at: now)
    for number in 0..<101 {
      record.use("\(number)", until: now.adding(seconds: 10), at: now.adding(seconds: 20))
    }
    #expect(!record.isCompleted("a") && record.isCompleted("b"))
    #expect((0..<101).allSatisfy { record.isCompleted("\($0)") })
    #expect(SignInRecord(members: record.members) == record)
    #expect(SignInRecord(members: ["sign_in_key": "c2hvcnQ"])?.sealingKey == nil)
  }

  @Test func `a clock that is ahead does not make a completed sign-in pending again`() throws {
    let (_, first) = try begin(try application())
    _ = try application().completeSignIn(first)
    let (_, second) = try begin(try application()) { $0.lifetime = .seconds(86_400) }
    machine.clock.shiftWallClock(seconds: 7200)
    _ = try? application().completeSignIn(second)
    machine.clock.shiftWallClock(seconds: -7200)
    expect(.signInUsed) { _ = try application().completeSignIn(first) }
  }

  @Test func `a recreated account with the same name and tenant is accepted`() throws {
    var members: JSONObject = ["expires_on": 1]
    for name in [
      "id", "client_id", "authority", "issuer", "redirect_uri", "state", "nonce", "code_verifier",
      "scope",
    ] {
      #expect(PendingAuthorization(members) == nil)
      members[name] = "x"
    }
    var pending = try #require(PendingAuthorization(members))
    #expect(pending.account == nil)
    pending.homeAccountID = "u.t"
    #expect(pending.account?.accepts("U.T", named: nil) == true)
    #expect(pending.account?.accepts("x.t", named: "a@b") == false)
    pending.username = "A@b"
    #expect(pending.account?.accepts("x.t", named: "a@B") == true)
    #expect(pending.account?.accepts("x.t2", named: "a@b") == false)
    #expect(pending.account?.accepts("x.t", named: nil) == false)
    #expect(PendingAuthorization(pending.json) == pending)
  }
}
