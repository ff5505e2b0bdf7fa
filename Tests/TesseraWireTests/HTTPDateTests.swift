// SPDX-License-Identifier: MIT
// Tests of HTTP dates, and of the clock difference computed from them.

import TesseraWire
import Testing

@Suite struct HTTPDateTests {
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
      ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
      ("Sat, 21 Nov 2026 07:28:55 GMT", 1_795_246_135),
      ("thu, 31 dec 2099 23:59:59 gmt", 4_102_444_799),
      ("Friday, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
    ] as [(String, Int64)])
  func `a date is parsed in all three formats`(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.instant(text)?.secondsSince1970 == seconds)
  }

  @Test(arguments: [
    "", "120", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nix 1994 08:49:37 GMT",
    "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 8:4:9:1 GMT", "Sun, ٠6 Nov 1994 08:49:37 GMT",
  ])
  func `an invalid date is rejected`(_ text: String) {
    #expect(HTTPDate.instant(text) == nil)
  }

  private static let server = Instant(secondsSince1970: 784_111_777)

  private func ahead(_ headers: [(String, String)], at now: Instant) -> Int64 {
    let response = HTTPResponse(status: 200, headers: headers.map { HTTPHeader($0.0, $0.1) })
    return ResponseTime(of: response, at: now, bootTime: nil).serverAheadSeconds
  }

  @Test func `the clock difference is computed only from a Date without an age`() {
    let date = ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(ahead([date], at: Self.server.adding(seconds: -86_400)) == 86_400)
    #expect(ahead([date], at: Self.server.adding(seconds: 86_400)) == -86_400)
    #expect(ahead([date], at: Self.server.adding(seconds: 9)) == 0)
    #expect(ahead([], at: Self.server.adding(seconds: 86_400)) == 0)
    #expect(ahead([date, ("Age", "30")], at: Self.server.adding(seconds: 86_400)) == 0)
    #expect(ahead([date, ("Age", "0")], at: Self.server.adding(seconds: 86_400)) == -86_400)
    #expect(ahead([date], at: .distantPast) == 0)
  }

  @Test func `only absolute times are converted from the server's clock`() throws {
    let json: JSONObject = [
      "access_token": "a", "expires_on": 10_000, "refresh_in": 600,
    ]
    let received = ResponseTime(at: Instant(secondsSince1970: 1000), serverAheadSeconds: 5000)
    let response = try TokenResponse(json, received: received)
    #expect(response.expiresAt.secondsSince1970 == 5000)
    #expect(response.refreshAt?.secondsSince1970 == 1600)
  }

  @Test(
    arguments: [
      // A relative time needs no clock.
      (["expires_on": 10_000, "expires_in": 3600], 5000, 4600),
      (["expires_on": 4600, "expires_in": 3600], 0, 4600),
      (["expires_on": 1_800_003_600, "expires_in": 3600], -1_800_000_000, 4600),
      // A Date of 1970 with a current expiry: a proxy has a wrong clock.
      (["expires_on": 1_800_003_600], -1_800_000_000, 1_800_003_600),
      (["expires_on": 7000], 3000, 4000),
    ] as [(JSONObject, Int64, Int64)])
  func `a wrong Date does not extend the lifetime of a token by years`(
    _ times: JSONObject, _ ahead: Int64, _ expected: Int64
  ) throws {
    let received = ResponseTime(at: Instant(secondsSince1970: 1000), serverAheadSeconds: ahead)
    var json = times
    json["access_token"] = "a"
    let response = try TokenResponse(json, received: received)
    #expect(response.expiresAt.secondsSince1970 == expected)
  }
}
