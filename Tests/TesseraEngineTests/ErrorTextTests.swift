// SPDX-License-Identifier: MIT
// What a server says comes out of an error as text, and nothing but text.

import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct ErrorTextTests {
  @Test func `a message holds no commands for terminals, and ends`() {
    let error = TesseraError(
      .retryLater, .throttled, "a\u{1B}[2J\nb" + String(repeating: "x", count: 9000))
    #expect(error.message.hasPrefix("a[2J b"))
    #expect(error.message.unicodeScalars.count == 2001)
  }

  @Test func `also out of the store, for another process`() throws {
    let bench = TestBench()
    let account = try bench.signIn(try bench.application()).account
    bench.clock.advance(seconds: 4000)
    let words = #"a\u001b[31m\u009b2J\u202e"#
    let body =
      #"{"error":"interaction_required","suberror":"\#(words)","error_description":"\#(words)"}"#
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    for _ in 0..<2 {
      let application = try bench.application()
      let error = #expect(throws: TesseraError.self) {
        try application.acquireTokenSilent(SilentRequest(account: account, scopes: ["user.read"]))
      }
      #expect(error?.correlationID?.utf8.count == 36)
      #expect(error?.suberror == "a[31m2J")
      #expect(error?.message.hasSuffix(": a[31m2J") == true)
    }
    #expect(bench.refreshes == 1)
  }
}
