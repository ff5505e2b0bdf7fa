// SPDX-License-Identifier: MIT
// Programs that open the page, and redirect URLs pasted by the user.

import Foundation
import TesseraEngine
import TesseraPlatform
import TestSupport
import Testing

@Suite struct OpenedBrowserTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Creates a shell script, and returns facts with it in `BROWSER`, after the given prefix.
  private func facts(_ script: String, before: String = "") throws -> EnvironmentFacts {
    let path = directory.path + "/browser"
    try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    var facts = EnvironmentFacts()
    facts.variables["BROWSER"] = before + path
    facts.programs[path] = path
    for name in before.split(separator: ":") { facts.programs[String(name)] = String(name) }
    return facts
  }

  private func written(_ name: String) -> String? {
    try? String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)
  }

  @Test func `the program gets the URL as one argument and inherits no descriptors or signals`()
    throws
  {
    let facts = try facts(
      """
      cd \(directory.path)
      printf '%s\\n' "$#" "$1" > arguments-
      ls -l /proc/self/fd > descriptors-
      cat > input-
      grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status > signals-
      echo loud; echo louder >&2
      mv arguments- arguments
      """)
    signal(SIGPIPE, SIG_IGN)
    let signIn = WaitingSignIn(facts: facts)
    let port = try #require(signIn.port)
    #expect(eventually { written("arguments") != nil })
    #expect(
      written("arguments")
        == "1\nhttps://login.example/authorize?state=right&redirect_uri=http://localhost:\(port)\n")
    let descriptors = (written("descriptors-") ?? "").split(separator: "\n").filter {
      !$0.contains("/dev/null") && !$0.contains("descriptors-") && !$0.contains("/proc/")
        && !$0.hasPrefix("total") && !$0.contains(directory.path)
    }
    #expect(descriptors.isEmpty, "\(descriptors)")
    #expect(written("input-")?.isEmpty == true)
    // The first 31 signals: those above are reserved for the C library.
    let masks = (written("signals-") ?? "").matches(of: /Sig(?:Blk|Ign):\s*([0-9a-f]+)/)
      .map { (Int($0.output.1, radix: 16) ?? -1) & 0x7FFF_FFFF }
    #expect(masks == [0, 0])
    signIn.cancellation.cancel()
    #expect(signIn.errorCode == .cancelled)
  }

  @Test func `neither the program nor its monitor is a child of the host application`() throws {
    let facts = try facts(
      """
      cd \(directory.path)
      echo $$ $PPID > family-
      mv family- family
      """)
    let signIn = WaitingSignIn(facts: facts)
    _ = try #require(signIn.port)
    #expect(eventually { written("family") != nil })
    let family = (written("family") ?? "").split(whereSeparator: \.isWhitespace).compactMap {
      id_t($0)
    }
    #expect(family.count == 2)
    for process in family {
      var information = siginfo_t()
      // Do not wait for any child, because other tests have children too.
      #expect(waitid(P_PID, process, &information, WEXITED | WNOHANG | WNOWAIT | wall) == -1)
      #expect(errno == ECHILD)
    }
    signIn.cancellation.cancel()
    #expect(signIn.errorCode == .cancelled)
    #expect(signIn.prompts.elements.first?.opensBrowser == true)
  }

  /// `__WALL`: also children of clone() that send no signal when they exit.
  private let wall = Int32(0x4000_0000)

  @Test func `a failed program is followed by the next one, and finally by a prompt`() throws {
    let signIn = WaitingSignIn(facts: try facts("exit 3", before: "/nonexistent/browser:"))
    #expect(signIn.prompts.waitFor(2))
    let prompts = signIn.prompts.elements
    #expect(prompts.map(\.opensBrowser) == [true, false])
    #expect(prompts.map(\.reason) == ["browser_variable", "opener_failed"])
    #expect(prompts.last?.problem == "No browser could be opened: browser exited with status 3.")
    let port = try #require(signIn.port)
    _ = LocalClient.get(port, "/?code=c&state=right")
    _ = LocalClient.get(port, "/signed-in")
    guard case .received(_, let reason) = signIn.end else {
      Issue.record("no answer")
      return
    }
    #expect(reason == "opener_failed")
  }

  @Test func `the reason is reported for a program that cannot be started`() throws {
    var facts = EnvironmentFacts()
    facts.variables["BROWSER"] = "/nonexistent/browser"
    facts.programs["/nonexistent/browser"] = "/nonexistent/browser"
    let signIn = WaitingSignIn(facts: facts)
    #expect(signIn.prompts.waitFor(2))
    #expect(
      signIn.prompts.elements.last?.problem
        == "No browser could be opened: browser could not be started: No such file or directory.")
    signIn.cancellation.cancel()
    #expect(signIn.errorCode == .cancelled)
  }

  @Test func `a sign-in without a prompt handler fails at once`() throws {
    let browser = SystemBrowser(time: SystemTime(), facts: { EnvironmentFacts() })
    let request = BrowserRequest(redirectURI: "http://localhost")
    expect(.browserUnavailable) { _ = try browser.session(request) }
    let failing = try facts("exit 1")
    let other = SystemBrowser(time: SystemTime(), facts: { failing })
    let session = try other.session(request)
    try session.open("https://login.example/")
    expect(.browserUnavailable) { _ = try session.next() }
  }

  @Test func `a pasted URL is the response if its state matches`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer {
      close(ends[0])
      close(ends[1])
    }
    var preferences = BrowserPreferences()
    preferences.answerDescriptor = ends[0]
    preferences.choice = .show
    let signIn = WaitingSignIn(preferences: preferences)
    let port = try #require(signIn.port)
    let wrong = "\n  \nhttp://localhost:\(port)/?code=c&state=wrong\nnonsense\n"
    write(ends[1], wrong, wrong.utf8.count)
    #expect(signIn.prompts.waitFor(3))
    #expect(signIn.prompts.elements.dropFirst().allSatisfy { $0.problem != nil })
    let right = "  http://localhost:\(port)/?code=c&state=right \r\n"
    write(ends[1], right, right.utf8.count)
    #expect(signIn.answer == "http://localhost:\(port)/?code=c&state=right")
    // The descriptor belongs to the host application and stays open.
    #expect(fcntl(ends[0], F_GETFD) >= 0)
  }

  @Test func `the query alone can be pasted, and the redirect URI may be on another host`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var preferences = BrowserPreferences()
    preferences.answerDescriptor = ends[0]
    let signIn = WaitingSignIn("msauth.com.example://auth", preferences: preferences)
    #expect(signIn.prompts.waitFor(1))
    write(ends[1], "code=c&state=right", 18)
    close(ends[1])
    #expect(signIn.answer == "msauth.com.example://auth?code=c&state=right")
  }

  @Test func `the call fails once no source of a response is left`() throws {
    let ended = open("/dev/null", O_RDONLY)
    defer { close(ended) }
    var preferences = BrowserPreferences()
    preferences.answerDescriptor = ended
    preferences.choice = .show
    let elsewhere = WaitingSignIn("https://app.example/auth", preferences: preferences)
    #expect(elsewhere.errorCode == .browserUnavailable)
    // Here the browser can still redirect to the listener.
    let here = WaitingSignIn(preferences: preferences)
    let port = try #require(here.port)
    #expect(LocalClient.get(port, "/?code=c&state=right").hasPrefix("HTTP/1.1 303 "))
  }

  @Test func `a descriptor that is not readable is rejected`() throws {
    let output = open("/dev/null", O_WRONLY)
    defer { close(output) }
    for descriptor in [output, 1_000_000, Int32.max] {
      var preferences = BrowserPreferences()
      preferences.answerDescriptor = descriptor
      preferences.choice = .show
      #expect(WaitingSignIn(preferences: preferences).errorCode == .invalidMember)
    }
  }

  @Test func `a redirect URI that is not on this machine is rejected`() {
    let signIn = WaitingSignIn("https://app.example/callback")
    #expect(signIn.errorCode == .invalidRedirectURI)
  }
}
