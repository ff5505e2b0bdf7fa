// SPDX-License-Identifier: MIT
// The causes of an error, nearest first, including those of a recorded failure.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ErrorCauseTests {
  @Test func `a throttled call reports the recorded failure and its causes`() throws {
    let bench = TestBench()
    let account = try bench.signIn(try bench.application()).account
    bench.clock.advance(seconds: 4000)
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 503, body: "{}"))
    let request = SilentRequest(account: account, scopes: ["user.read"])
    let first = try #require(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(first.causes.map(\.description) == ["http 503: the server returned status 503"])
    let second = try #require(throws: TesseraError.self) {
      try bench.application().acquireTokenSilent(request)
    }
    #expect(second.code == .throttled && bench.refreshes == 1)
    #expect(second.causes.map(\.domain) == [.tessera, .http])
    #expect(second.causes.map(\.code) == ["server_unavailable", nil])
    #expect(second.causes.map(\.number) == [nil, 503])
  }

  @Test func `causes are serialized in the error document`() {
    let error = TesseraError(.retryLater, .networkFailed, "No way.")
      .caused(by: TesseraError.Cause(.libcurl, 7, "Could not connect"))
    let text = JSONValue.object(error.members).serialized
    #expect(
      text.contains(
        #""causes":[{"domain":"libcurl","number":7,"message":"Could not connect"}]"#))
  }

  @Test func `at most eight causes are kept, without control characters`() {
    var error = TesseraError(.retryLater, .throttled, "first")
    for number in 1...20 {
      error = error.caused(by: TesseraError.Cause(.system, Int64(number), "a\u{1B}[2J\nb"))
    }
    #expect(error.causes.map(\.number) == (13...20).reversed().map { Int64($0) })
    #expect(error.causes.allSatisfy { $0.message == "a[2J b" })
  }

  @Test func `the rejection of one refresh token is a cause of the next`() {
    let own = TesseraError(.signIn, .refreshTokenRejected, "own")
      .caused(by: TesseraError.Cause(.http, 400, "status"))
    let family = TesseraError(.signIn, .mfaRequired, "family")
      .caused(by: TesseraError.Cause(.http, 401, "status")).caused(by: own)
    #expect(family.causes.map(\.domain) == [.http, .tessera, .http])
    #expect(family.causes[1].code == "refresh_token_rejected")
  }
}
