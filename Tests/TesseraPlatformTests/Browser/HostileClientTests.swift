// SPDX-License-Identifier: MIT
// Local clients that try to block, crash or confuse a sign-in.

import Foundation
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import Testing

@Suite struct HostileClientTests {
  /// Returns a sign-in with a stopped clock, so that no connection times out, however slow the machine is.
  private func waitingSignIn() -> WaitingSignIn { WaitingSignIn(time: VirtualClock()) }

  /// Checks that the sign-in is still waiting and can be completed, and that it then closes its port.
  private func expectGood(_ signIn: WaitingSignIn, _ port: UInt16) {
    #expect(signIn.isWaiting)
    #expect(LocalClient.get(port, "/?code=good&state=right").hasPrefix("HTTP/1.1 303 "))
    #expect(LocalClient.get(port, "/signed-in").contains("You have signed in"))
    #expect(signIn.answer == "http://localhost:\(port)?code=good&state=right")
    #expect(LocalClient(port: port) == nil)
  }

  @Test(
    arguments: [
      ("GET /?code=c&state=wrong HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
      ("GET /?code=c HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
      ("GET /signed-in HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
      ("GET /favicon.ico HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
      ("GET //?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
      ("GET /%2e/?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 404),
      ("HEAD /?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 405),
      ("OPTIONS /?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 405),
      ("DELETE / HTTP/1.1\r\nHost: HOST\r\n\r\n", 405),
      ("GET /?code=c&state=right HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
      ("GET /?code=c&state=right HTTP/1.1\r\nHost: localhost:1\r\n\r\n", 421),
      ("GET /?code=c&state=right HTTP/1.1\r\n\r\n", 400),
      ("GET /?code=c&state=right HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n", 400),
      ("GET /?code=c&state=right HTTP/1.1\nHost: HOST\n\n", 400),
      ("GET /?code=c&state=right HTTP/2.0\r\nHost: HOST\r\n\r\n", 505),
      ("GET http://localhost/?code=c&state=right HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
      ("GET /?code=c&state=right\r\n\r\n", 400),
      ("get / HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: HOST\r\n folded\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : HOST\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: HOST\r\n\r\ncode=c&state=right", 411),
      ("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      (
        "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413
      ),
      (
        "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        501
      ),
      (
        "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Type: text/plain\r\nContent-Length: 18\r\n\r\n"
          + "code=c&state=right", 415
      ),
      ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", 400), ("GET /\u{0}\r\n\r\n", 400),
    ])
  func `a request without a valid redirect is rejected, and the sign-in continues`(
    request: String, status: Int
  ) throws {
    let signIn = waitingSignIn()
    let port = try #require(signIn.port)
    let reply = LocalClient.exchange(
      port, request.replacingOccurrences(of: "HOST", with: "localhost:\(port)"))
    #expect(reply.hasPrefix("HTTP/1.1 \(status) "), "\(reply.prefix(40))")
    expectGood(signIn, port)
  }

  @Test func `clients that send one byte at a time do not block others`() throws {
    let signIn = waitingSignIn()
    let port = try #require(signIn.port)
    let slow = (0..<80).compactMap { _ in LocalClient(port: port) }
    for client in slow { client.write("G") }
    for client in slow { client.write("E") }
    expectGood(signIn, port)
  }

  @Test func `a thousand open connections do not block others`() throws {
    let signIn = waitingSignIn()
    let port = try #require(signIn.port)
    let crowd = (0..<1000).compactMap { _ in LocalClient(port: port) }
    #expect(crowd.count == 1000)
    expectGood(signIn, port)
  }

  @Test func `a request with a huge body is rejected before the body is read`() throws {
    let signIn = waitingSignIn()
    let port = try #require(signIn.port)
    let client = try #require(LocalClient(port: port))
    client.write("POST / HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: 1073741824\r\n\r\n")
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    var sent = 0
    // One gigabyte, unless the server closes the connection first.
    while sent < 1024, client.write(piece) { sent += 1 }
    #expect(sent < 64)
    expectGood(signIn, port)
  }

  @Test func `a request with an endless header is rejected`() throws {
    let signIn = waitingSignIn()
    let port = try #require(signIn.port)
    let client = try #require(LocalClient(port: port))
    client.write("GET / HTTP/1.1\r\nX: ")
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    var sent = 0
    while sent < 1024, client.write(piece) { sent += 1 }
    #expect(sent < 64)
    expectGood(signIn, port)
  }

  @Test func `cancellation ends the sign-in while clients are connected`() throws {
    let signIn = waitingSignIn()
    let port = try #require(signIn.port)
    let crowd = (0..<20).compactMap { _ in LocalClient(port: port) }
    for client in crowd { client.write("GET /") }
    signIn.cancellation.cancel()
    #expect(signIn.errorCode == .cancelled)
    #expect(crowd.allSatisfy { $0.readAll().isEmpty })
  }
}
