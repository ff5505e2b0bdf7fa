// SPDX-License-Identifier: MIT
// Delivery of a redirect URI from another process to the sign-in with the matching state, and to no other.

import Foundation
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct RedirectDeliveryTests {
  private let run: TemporaryDirectory
  private let rendezvous: RendezvousDirectory

  init() throws {
    run = try TemporaryDirectory()
    rendezvous = RendezvousDirectory(in: run.path)
  }

  /// Starts a sign-in with a state, and waits for its prompt.
  private func waiting(
    _ state: String, at directories: [RendezvousDirectory]? = nil, timeoutMilliseconds: Int64? = nil
  ) -> WaitingSignIn {
    let directories = directories ?? [rendezvous]
    let browser = SystemBrowser(
      time: SystemTime(), facts: { EnvironmentFacts() }, directories: { directories })
    let signIn = WaitingSignIn(
      "com.example.app://auth", browser: browser, timeoutMilliseconds: timeoutMilliseconds,
      state: state)
    #expect(signIn.prompts.waitFor(1))
    return signIn
  }

  @discardableResult
  private func deliver(
    _ url: String, at directories: [RendezvousDirectory]? = nil, limits: CallLimits = .none
  ) -> TesseraError.Code? {
    do throws(TesseraError) {
      try RedirectDelivery(directories: directories ?? [rendezvous], time: SystemTime()).deliver(
        redirectURL: url, within: limits)
    } catch {
      return error.code
    }
    return nil
  }

  private var sockets: [String] { SmallFile.names(in: run.path + "/tessera") }

  @Test func `a delivered URL is the response, and the socket is removed`() {
    let signIn = waiting("right")
    #expect(sockets.count == 1)
    #expect(deliver("com.example.app://auth?code=c&state=right") == nil)
    #expect(signIn.answer == "com.example.app://auth?code=c&state=right")
    #expect(sockets.isEmpty)
  }

  @Test func `an error of the provider is delivered as a response`() {
    let signIn = waiting("right")
    #expect(deliver("com.example.app://auth?error=access_denied&state=right") == nil)
    #expect(signIn.answer?.contains("access_denied") == true)
  }

  @Test func `concurrent sign-ins of two processes get their own responses`() {
    let (first, second) = (waiting("one"), waiting("two"))
    #expect(sockets.count == 2)
    #expect(deliver("com.example.app://auth?code=c&state=two") == nil)
    #expect(second.answer?.contains("state=two") == true)
    #expect(first.isWaiting)
    #expect(deliver("com.example.app://auth?code=d&state=one") == nil)
    #expect(first.answer?.contains("state=one") == true)
  }

  @Test(arguments: [
    "com.example.app://auth?code=c&state=wrong", "com.example.app://auth?code=c",
    "com.example.app://auth?code=c&state=right&state=right", "com.example.app://auth", "", "right",
    "com.example.app://auth?code=c&state=", "com.example.app://auth#state=right",
    "com.example.app://auth?code=\(String(repeating: "c", count: 70_000))&state=right",
  ])
  func `a URL with another state does not end the sign-in`(url: String) {
    let signIn = waiting("right")
    #expect(deliver(url) == .stateMismatch)
    #expect(signIn.isWaiting)
    #expect(deliver("com.example.app://auth?code=c&state=right") == nil)
    #expect(signIn.answer != nil)
  }

  @Test func `a URL that is delivered twice is rejected the second time`() {
    let signIn = waiting("right")
    #expect(deliver("com.example.app://auth?code=c&state=right") == nil)
    #expect(signIn.answer != nil)
    #expect(deliver("com.example.app://auth?code=c&state=right") == .stateMismatch)
  }

  @Test func `the waiting process checks the state itself`() throws {
    // The socket name matches, but the state in the URL does not.
    let signIn = waiting("right")
    let name = try #require(sockets.first)
    func exchange(_ text: String) -> String? {
      NamedSocket(.connected, in: rendezvous.path, named: name)?.exchange(text)
    }
    for body in ["com.example.app://auth?code=c&state=wrong", ""] {
      let head = "POST /redirect HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      #expect(exchange(head + body)?.hasPrefix("HTTP/1.1 421 ") == true)
    }
    for bad in [
      "GET /redirect HTTP/1.1\r\nHost: a\r\n\r\n", "\u{0}\r\n\r\n", "POST / HTTP/1.1\r\n\r\n",
    ] {
      #expect(exchange(bad)?.hasPrefix("HTTP/1.1 40") == true)
    }
    #expect(signIn.isWaiting)
    signIn.cancellation.cancel()
    #expect(signIn.errorCode == .cancelled)
    #expect(sockets.isEmpty)
  }

  @Test func `a deadline and a cancellation end the wait and remove the socket`() {
    #expect(waiting("right", timeoutMilliseconds: 50).errorCode == .deadlineExceeded)
    let signIn = waiting("right")
    signIn.cancellation.cancel()
    #expect(signIn.errorCode == .cancelled)
    #expect(sockets.isEmpty)
  }

  @Test func `sockets of killed processes are ignored and removed`() throws {
    mkdir(rendezvous.path, 0o700)
    let dead = "sign-in-00112233445566778899aabbccddeeff"
    let same = RendezvousDirectory.name(of: Secret("right"))
    for name in [dead, same] {
      _ = try #require(NamedSocket(.taken, in: rendezvous.path, named: name))
    }
    #expect(sockets == [dead, same].sorted())
    #expect(deliver("com.example.app://auth?code=c&state=right") == .stateMismatch)
    let signIn = waiting("right")
    #expect(sockets == [same])
    #expect(deliver("com.example.app://auth?code=c&state=right") == nil)
    #expect(signIn.answer != nil)
    #expect(sockets.isEmpty)
  }

  @Test func `a directory that does not belong to the user alone is skipped`() throws {
    let other = try TemporaryDirectory()
    let second = RendezvousDirectory(in: other.path)
    // A file, a link, a directory that others can read, one of another user, and a missing one.
    #expect(FileManager.default.createFile(atPath: run.path + "/tessera", contents: nil))
    try expectWaiting(at: second)
    try FileManager.default.removeItem(atPath: run.path + "/tessera")
    symlink(other.path, run.path + "/tessera")
    try expectWaiting(at: second)
    try FileManager.default.removeItem(atPath: run.path + "/tessera")
    mkdir(run.path + "/tessera", 0o755)
    chmod(run.path + "/tessera", 0o755)
    try expectWaiting(at: second)
    chmod(run.path + "/tessera", 0o700)
    chmod(run.path, 0o777)
    try expectWaiting(at: second)
    if geteuid() == 0 {
      chmod(run.path, 0o700)
      chown(run.path + "/tessera", 12_345, 12_345)
      try expectWaiting(at: second)
    }
  }

  private func expectWaiting(at second: RendezvousDirectory) throws {
    let directories = [rendezvous, second]
    let signIn = waiting("right", at: directories)
    #expect(SmallFile.names(in: second.path).count == 1)
    #expect(deliver("com.example.app://auth?code=c&state=right", at: directories) == nil)
    #expect(signIn.answer != nil)
  }

  @Test func `without a usable directory the sign-in fails with browser_unavailable`() {
    let browser = SystemBrowser(
      time: SystemTime(), facts: { EnvironmentFacts() }, directories: { [] })
    let signIn = WaitingSignIn("com.example.app://auth", browser: browser)
    #expect(signIn.errorCode == .browserUnavailable)
    #expect(deliver("com.example.app://auth?code=c&state=right", at: []) == .stateMismatch)
  }

  @Test func `a directory with a long path is usable`() throws {
    let long = run.path + "/" + String(repeating: "long", count: 40)
    mkdir(long, 0o700)
    let signIn = waiting("right", at: [RendezvousDirectory(in: long)])
    #expect(
      deliver("com.example.app://auth?code=c&state=right", at: [RendezvousDirectory(in: long)])
        == nil)
    #expect(signIn.answer != nil)
  }

  @Test func `a peer that never responds does not delay delivery beyond its deadline`() throws {
    mkdir(rendezvous.path, 0o700)
    let name = RendezvousDirectory.name(of: Secret("right"))
    let deaf = try #require(NamedSocket(.listening, in: rendezvous.path, named: name))
    defer { withExtendedLifetime(deaf) {} }
    let url = "com.example.app://auth?code=c&state=right"
    let soon = CallLimits(timeoutMilliseconds: 50, time: SystemTime())
    let handover = RedirectDelivery(directories: [rendezvous], time: SystemTime())
    let error = #expect(throws: TesseraError.self) {
      try handover.deliver(redirectURL: url, within: soon)
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message.contains("does not respond") == true)
    let cancellation = Cancellation()
    Thread.detachNewThread { cancellation.cancel() }
    let limits = CallLimits(cancellation: cancellation, time: SystemTime())
    #expect(deliver(url, limits: limits) == .cancelled)
  }
}
