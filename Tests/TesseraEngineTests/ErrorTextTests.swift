// SPDX-License-Identifier: MIT
// Server texts in errors: control characters are removed, and the length is limited.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ErrorTextTests {
  @Test func `a message has no control characters and at most 2001 characters`() {
    let error = TesseraError(
      .retryLater, .throttled, "a\u{1B}[2J\nb" + String(repeating: "x", count: 9000))
    #expect(error.message.hasPrefix("a[2J b"))
    #expect(error.message.unicodeScalars.count == 2001)
  }

  @Test func `texts of a recorded error are sanitized as well`() throws {
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
