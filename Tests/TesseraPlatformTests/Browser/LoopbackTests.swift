// SPDX-License-Identifier: MIT
// Redirects to the loopback interface, over real sockets.

import Foundation
import TesseraEngine
import TesseraPlatform
import Testing

@Suite struct LoopbackTests {
  @Test func `the requested URL is the response, and the code leaves the address bar`() throws {
    let signIn = WaitingSignIn("http://localhost/callback")
    let port = try #require(signIn.port)
    let reply = LocalClient.get(port, "/callback?code=c&state=right")
    #expect(reply.hasPrefix("HTTP/1.1 303 See Other\r\nLocation: /signed-in\r\n"))
    let page = LocalClient.get(port, "/signed-in")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(page.contains("You have signed in"))
    #expect(signIn.answer == "http://localhost:\(port)/callback?code=c&state=right")
    #expect(LocalClient(port: port) == nil)
    #expect(LocalClient(port: port, isIPv6: true) == nil)
  }

  @Test func `a form_post body is the response`() throws {
    let signIn = WaitingSignIn()
    let port = try #require(signIn.port)
    let body = "code=a%2Bb&state=right"
    let reply = LocalClient.exchange(
      port,
      "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n\r\n\(body)")
    #expect(reply.hasPrefix("HTTP/1.1 303 "))
    #expect(LocalClient.get(port, "/signed-in").contains("You have signed in"))
    #expect(signIn.answer == body)
  }

  @Test func `a browser that does not request the final page does not delay the result`() throws {
    let signIn = WaitingSignIn()
    let port = try #require(signIn.port)
    #expect(LocalClient.get(port, "/?code=c&state=right").hasPrefix("HTTP/1.1 303 "))
    #expect(signIn.answer != nil)
  }

  @Test func `both addresses of localhost accept the redirect`() throws {
    let signIn = WaitingSignIn()
    let port = try #require(signIn.port)
    #expect(LocalClient.get(port, "/nothing").hasPrefix("HTTP/1.1 404 "))
    let reply = LocalClient.exchange(
      port, "GET /?code=c&state=right HTTP/1.1\r\nHost: [::1]:\(port)\r\n\r\n", isIPv6: true)
    #expect(reply.hasPrefix("HTTP/1.1 303 "))
    _ = LocalClient.get(port, "/signed-in")
    #expect(signIn.answer != nil)
  }

  @Test func `an error of the provider is shown as escaped text`() throws {
    let signIn = WaitingSignIn()
    let port = try #require(signIn.port)
    let error = "%3Cscript%3Ealert(1)%3C/script%3E%22%27%26"
    #expect(LocalClient.get(port, "/?error=\(error)&state=right").hasPrefix("HTTP/1.1 303 "))
    let page = LocalClient.get(port, "/signed-in")
    #expect(page.contains("Sign-in failed"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
    #expect(!page.contains("<script"))
    #expect(signIn.answer != nil)
  }

  @Test func `every page has the texts of the application, escaped`() throws {
    let texts = Dictionary(
      uniqueKeysWithValues: UserMessage.allCases.map { ($0, "<i>\($0.rawValue)</i>&") })
    func contains(_ page: String, _ messages: [UserMessage]) -> Bool {
      messages.allSatisfy { page.contains("&lt;i&gt;\($0.rawValue)&lt;/i&gt;&amp;") }
        && !page.contains("<i>")
    }
    let signIn = WaitingSignIn("http://localhost/callback", messages: texts)
    let port = try #require(signIn.port)
    #expect(
      contains(
        LocalClient.get(port, "/nothing"),
        [.pageLanguage, .pageNotFoundTitle, .pageNotFoundText, .returnToSignIn]))
    #expect(
      contains(
        LocalClient.get(port, "/callback?code=c&state=wrong"),
        [.otherSignInTitle, .otherSignInText, .returnToSignIn]))
    #expect(
      contains(
        LocalClient.exchange(port, "PUT / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"),
        [.invalidRequestTitle, .invalidRequestText, .returnToSignIn]))
    _ = LocalClient.get(port, "/callback?code=c&state=right")
    #expect(
      contains(LocalClient.get(port, "/signed-in"), [.signedInTitle, .signedInText]))
    let failing = WaitingSignIn(messages: texts)
    let other = try #require(failing.port)
    _ = LocalClient.get(other, "/?error=access_denied&state=right")
    #expect(
      contains(
        LocalClient.get(other, "/signed-in"),
        [.signInFailedTitle, .signInFailedReason, .signInFailedText]))
    #expect(signIn.answer != nil && failing.answer != nil)
  }

  @Test func `pages are not cached, cannot be framed and contain no script`() throws {
    let signIn = WaitingSignIn()
    let port = try #require(signIn.port)
    _ = LocalClient.get(port, "/?code=c&state=right")
    let page = LocalClient.get(port, "/signed-in")
    for line in [
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
      "X-Content-Type-Options: nosniff",
    ] {
      #expect(page.contains("\r\n\(line)\r\n"), "\(line)")
    }
    let policy = page.firstMatch(of: /Content-Security-Policy: (.*)\r\n/)?.output.1 ?? ""
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("script"))
  }

  @Test func `the pages of the host application are shown instead`() throws {
    var preferences = BrowserPreferences()
    preferences.successPage = "<!doctype html><title>Well done</title>"
    let signIn = WaitingSignIn(preferences: preferences)
    let port = try #require(signIn.port)
    _ = LocalClient.get(port, "/?code=c&state=right")
    #expect(
      LocalClient.get(port, "/signed-in").hasSuffix(
        "\r\n\r\n<!doctype html><title>Well done</title>"))
  }

  @Test func `the first redirect wins`() throws {
    let signIn = WaitingSignIn()
    let port = try #require(signIn.port)
    _ = LocalClient.get(port, "/?code=first&state=right")
    #expect(LocalClient.get(port, "/?code=second&state=right").hasPrefix("HTTP/1.1 303 "))
    _ = LocalClient.get(port, "/signed-in")
    #expect(signIn.answer?.contains("first") == true)
  }

  @Test func `a port in use fails with redirect_port_taken`() throws {
    let server = try LoopbackServer.silent()
    #expect(WaitingSignIn("http://localhost:\(server.port)").errorCode == .redirectPortTaken)
    #expect(WaitingSignIn("http://127.0.0.1:\(server.port)/a").errorCode == .redirectPortTaken)
  }

  @Test func `a port that was just released can be used again`() throws {
    let port = try LoopbackServer.unusedPort()
    for _ in 0..<2 {
      let signIn = WaitingSignIn("http://localhost:\(port)/")
      try #require(signIn.port == port)
      _ = LocalClient.get(port, "/?code=c&state=right")
      _ = LocalClient.get(port, "/signed-in")
      #expect(signIn.answer != nil)
    }
  }

  @Test func `a second sign-in of the same application fails with interaction_in_progress`() throws
  {
    let browser = SystemBrowser(time: SystemTime(), facts: { EnvironmentFacts() })
    let first = WaitingSignIn(browser: browser)
    _ = try #require(first.port)
    #expect(WaitingSignIn(browser: browser).errorCode == .interactionInProgress)
    first.cancellation.cancel()
    #expect(first.errorCode == .cancelled)
    let third = WaitingSignIn(browser: browser)
    _ = try #require(third.port)
    third.cancellation.cancel()
    #expect(third.errorCode == .cancelled)
  }

  @Test func `the deadline ends the wait and closes the port`() throws {
    let signIn = WaitingSignIn(timeoutMilliseconds: 300)
    let port = try #require(signIn.port)
    #expect(signIn.errorCode == .deadlineExceeded)
    #expect(LocalClient(port: port) == nil)
  }
}
