// SPDX-License-Identifier: MIT
// The backoff after each kind of failure, as a table.

import TesseraCache
import TesseraEngine
import TesseraWire
import Testing

@Suite struct ThrottleRuleTests {
  /// One row: the server's response, the number of earlier failures, and the expected durations.
  struct Row: Sendable, CustomStringConvertible {
    var status: Int
    var error: String?
    var headers: [HTTPHeader] = []
    var failures: Int64 = 0
    /// Seconds for requests without a valid token, with a valid token, and with the same refresh token.
    var expected: [Int64]

    var description: String {
      "\(status) \(error ?? "") \(headers.map { "\($0.name): \($0.value)" }) after \(failures)"
    }
  }

  private static let date = HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")

  private static func retry(_ text: String) -> [HTTPHeader] { [HTTPHeader("Retry-After", text)] }

  private static let rows: [Row] = [
    Row(status: 429, expected: [60, 60, 0]),
    Row(status: 429, headers: retry("15"), expected: [15, 30, 0]),
    Row(status: 503, headers: retry("7"), expected: [7, 30, 0]),
    Row(status: 429, headers: retry("7200"), expected: [3600, 3600, 0]),
    Row(status: 429, headers: retry("10000"), expected: [3600, 3600, 0]),
    Row(status: 429, headers: retry("0"), expected: [60, 60, 0]),
    Row(status: 429, headers: retry("soon"), expected: [60, 60, 0]),
    Row(status: 429, headers: retry("-5"), expected: [60, 60, 0]),
    Row(
      status: 429, headers: retry("Wed, 21 Oct 2015 07:28:00 GMT"), expected: [60, 60, 0]),
    Row(
      status: 429, headers: retry("Sun, 06 Nov 1994 08:51:37 GMT") + [date],
      expected: [120, 120, 0]),
    Row(
      status: 429, headers: retry("Sun, 06 Nov 1994 08:49:37 GMT") + [date],
      expected: [60, 60, 0]),
    Row(status: 503, expected: [5, 30, 0]),
    Row(status: 500, failures: 1, expected: [10, 60, 0]),
    Row(status: 504, failures: 3, expected: [40, 240, 0]),
    Row(status: 504, failures: .max, expected: [60, 300, 0]),
    Row(status: 400, error: "invalid_grant", expected: [0, 30, 120]),
    Row(status: 400, error: "interaction_required", expected: [0, 30, 120]),
    Row(status: 400, error: "invalid_grant", headers: retry("10"), expected: [10, 30, 120]),
    Row(status: 401, error: "invalid_client", expected: [0, 30, 60]),
    Row(status: 400, error: "invalid_scope", expected: [0, 30, 60]),
    Row(status: 400, error: "temporarily_unavailable", expected: [5, 30, 0]),
    Row(status: 404, expected: [0, 30, 0]),
  ]

  @Test(arguments: rows)
  func `the durations match the row`(_ row: Row) throws {
    let body: JSONValue = row.error.map { ["error": .string($0)] } ?? [:]
    let response = HTTPResponse.json(body, status: row.status, headers: row.headers)
    let error = TesseraError(try #require(ServerError(response)), correlationID: nil)
    let pauses = [
      ThrottleRule.blockedSeconds(after: error, failures: row.failures),
      ThrottleRule.backoffSeconds(after: error, failures: row.failures),
      ThrottleRule.rejectionSeconds(after: error),
    ]
    #expect(pauses == row.expected)
  }

  private static let now = Instant(secondsSince1970: 1_800_000_000)

  private func record(blocks: Int64, rests: Int64 = 0) -> ThrottleRecord {
    ThrottleRecord(
      name: "n", homeAccountID: "h", clientID: "c", at: Clocks(now: Self.now),
      blockedForSeconds: blocks,
      backoffForSeconds: rests, failures: 1, error: [:])
  }

  @Test func `a record expires after its duration`() {
    let record = record(blocks: 60, rests: 90)
    #expect(record.blockedSeconds(at: Clocks(now: Self.now)) == 60)
    #expect(record.blockedSeconds(at: Clocks(now: Self.now.adding(seconds: 59))) == 1)
    #expect(record.blockedSeconds(at: Clocks(now: Self.now.adding(seconds: 60))) == 0)
    #expect(record.backoffSeconds(at: Clocks(now: Self.now.adding(seconds: 60))) == 30)
    #expect(record.backoffSeconds(at: Clocks(now: Self.now.adding(seconds: 90))) == 0)
    #expect(!record.hasExpired(at: Clocks(now: Self.now.adding(seconds: 179))))
    #expect(record.hasExpired(at: Clocks(now: Self.now.adding(seconds: 180))))
    #expect(record.backoffSeconds(at: Clocks(now: Self.now.adding(seconds: -1))) == 0)
  }

  @Test func `an invalid record is limited to one hour or ignored`() throws {
    #expect(record(blocks: .max).blockedSeconds(at: Clocks(now: Self.now)) == 3600)
    var members = record(blocks: 60).members
    members["blocked_until"] = .string(String(Int64.max))
    let endless = try #require(ThrottleRecord(members: members))
    #expect(endless.blockedSeconds(at: Clocks(now: Self.now.adding(seconds: 3599))) == 1)
    #expect(endless.blockedSeconds(at: Clocks(now: Self.now.adding(seconds: 3600))) == 0)
    members["cached_at"] = .string(String(Int64.min))
    #expect(ThrottleRecord(members: members)?.blockedSeconds(at: Clocks(now: Self.now)) == 0)
    members["cached_at"] = nil
    #expect(ThrottleRecord(members: members)?.blockedSeconds(at: Clocks(now: Self.now)) == 0)
    members["error"] = nil
    #expect(ThrottleRecord(members: members) == nil)
  }

  @Test func `a recorded error has the members of the original one`() throws {
    let body: JSONValue = [
      "error": "invalid_grant", "error_description": "AADSTS50076: more",
      "suberror": "basic_action",
      "error_codes": [50076], "claims": "{}", "correlation_id": "c", "trace_id": "t",
    ]
    let errorResponse = try #require(ServerError(.json(body, status: 400)))
    let error = TesseraError(errorResponse, correlationID: nil)
    let record = ThrottleRecord(
      name: "n", homeAccountID: "h", clientID: "c", at: Clocks(now: Self.now),
      blockedForSeconds: 60,
      backoffForSeconds: 0, failures: 1, error: error.recordedMembers)
    var again = TesseraError.recordedError(record, at: Clocks(now: Self.now))
    #expect(again.isRecorded)
    #expect(again.message.hasSuffix(error.message))
    #expect(again.causes.map(\.code) == [error.code.rawValue, nil])
    #expect(again.causes.dropFirst() == error.causes[...])
    again.message = error.message
    again.causes = error.causes
    #expect(again.members == error.members)
  }

  @Test func `different requests have different names`() {
    let parts = [["a", "b"], ["ab", ""], ["a b"], ["a", "b", ""], ["1 a", "b"], ["b", "a"]]
    #expect(Set(parts.map { ThrottleRecord.name(of: $0) }).count == parts.count)
  }
}
