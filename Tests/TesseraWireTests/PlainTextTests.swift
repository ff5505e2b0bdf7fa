// SPDX-License-Identifier: MIT
// Tests of the sanitization of server messages before they reach a terminal.

import TesseraWire
import Testing

@Suite struct PlainTextTests {
  /// Whether the text contains no control character and no bidirectional formatting.
  private func isPlain(_ text: String?) -> Bool {
    text?.unicodeScalars.allSatisfy { scalar in
      scalar.properties.generalCategory != .control
        && !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
    } ?? true
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("größer – 大", "größer – 大"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("a\r\nb\tc", "a  b c"), ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
    ("\u{1B}]0;title\u{07}x", "]0;titlex"), ("\u{9B}2J\u{7F}\u{0}y", "2Jy"),
    ("a\u{202E}b\u{2066}c\u{200F}d", "abcd"), ("a\u{2028}b\u{85}c", "a b c"),
  ])
  func `control characters are removed, and text is kept`(_ text: String, _ expected: String) {
    #expect(text.plain(atMost: 100) == expected)
  }

  @Test func `the length limit counts combining marks`() {
    #expect(String(repeating: "x", count: 11).plain(atMost: 10) == "xxxxxxxxxx…")
    #expect(String(repeating: "x", count: 10).plain(atMost: 10) == "xxxxxxxxxx")
    let heap = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(heap.plain(atMost: 10).unicodeScalars.count == 11)
  }

  @Test func `all members of an error response are sanitized`() throws {
    let nasty = "\u{1B}[2J\u{9B}1m\u{202E}\u{0}word"
    var members = JSONObject()
    for name in ["error", "error_description", "suberror", "correlation_id", "trace_id"] {
      members.append(name, nasty)
    }
    let error = try #require(ServerError(HTTPResponse.json(.object(members), status: 400)))
    let words = [
      error.error, error.errorDescription, error.suberror, error.correlationID, error.traceID,
    ]
    for word in words {
      #expect(word?.contains("word") == true)
      #expect(isPlain(word))
    }
    var response = HTTPResponse.json(["error": "x"], status: 400)
    response.headers = [
      HTTPHeader("client-request-id", nasty), HTTPHeader("x-ms-request-id", nasty),
    ]
    let bare = try #require(ServerError(response))
    #expect(bare.correlationID != nil && isPlain(bare.correlationID))
    #expect(bare.traceID != nil && isPlain(bare.traceID))
  }

  @Test func `the user code and the message of a device authorization are sanitized`() throws {
    let shown = try DeviceAuthorization(
      [
        "device_code": "d", "user_code": "A\u{1B}[1mB",
        "message": "Go\u{1B}]8;;https://x\u{7} there\n",
        "verification_uri": "https://login.example/device",
      ], receivedAt: Instant(secondsSince1970: 0))
    #expect(shown.userCode == "A[1mB")
    #expect(shown.message == "Go]8;;https://x there ")
  }

  @Test(arguments: [
    ("no window", "no window"), ("Is it open?", "Is it open?"), ("", ""),
    ("cannot load https://a/b?code=c&state=s now", "cannot load https://a/b… now"),
    ("app://b#id_token=t", "app://b…"), ("code=c&state=s", "code…"), ("?x=1", "…"),
  ]) func `parameters are removed from a text of the host`(text: String, expected: String) {
    #expect(text.withoutParameters == expected)
  }
}
