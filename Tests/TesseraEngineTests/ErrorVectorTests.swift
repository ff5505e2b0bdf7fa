// SPDX-License-Identifier: MIT
// The table of situations: what servers answer, and the error that a program sees; C and Python run the same rows.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestVectors
import Testing

@Suite(.serialized) struct ErrorVectorTests {
  /// One for all rows: a sign-in forgets what an earlier row has left.
  private static let shared = TestBench()

  private var bench: TestBench { ErrorVectorTests.shared }

  @Test(arguments: TestVector.all(in: "errors", areas: "error_refresh"))
  func `an answer to a refresh`(_ vector: TestVector) throws {
    let account = try bench.signIn(try bench.application()).account
    var request = SilentRequest(account: account, scopes: ["SCOPE"])
    request.forcesRefresh = true
    try bench.prepare(vector.input)
    let application = try bench.application()
    let error = try #require(throws: TesseraError.self) {
      try application.acquireTokenSilent(request)
    }
    check(error, vector)
  }

  @Test(arguments: TestVector.all(in: "errors", areas: "error_device"))
  func `an answer to the poll of a device code`(_ vector: TestVector) throws {
    try bench.prepare(vector.input)
    let application = try bench.application()
    let error = try #require(throws: TesseraError.self) { try bench.signIn(application) }
    check(error, vector)
  }

  /// Whether the error says what the row wants, and nothing else.
  private func check(_ error: TesseraError, _ vector: TestVector) {
    var expected = vector.expected.object ?? JSONObject()
    #expect(!expected.members.isEmpty)
    if expected["home_account_id"]?.string == "ALICE" {
      expected["home_account_id"] = .string(LocalUser.alice.homeAccountID)
    }
    var seen = error.members
    #expect(seen["message"]?.string?.nonBlank != nil)
    seen["message"] = nil
    // A refusal says the status that it came with.
    let status = vector.input["status"]?.integer ?? 429
    if status != 200 || error.oauthError != nil {
      #expect(error.causes.map(\.domain) == [.http] && error.causes.first?.number == status)
    }
    seen["causes"] = nil
    for name in ["correlation_id", "trace_id", "authority"] where expected[name] == nil {
      seen[name] = nil
    }
    if seen["result"]?["access_token"]?.string != nil { seen["result"] = .bool(true) }
    let names = Set(expected.members.map(\.name)).union(seen.members.map(\.name))
    for name in names.sorted() {
      #expect(seen[name] == expected[name], "\(name): \(error)")
    }
  }
}

extension TestBench {
  /// Lets the provider answer the next token request as a row says.
  fileprivate func prepare(_ input: JSONValue) throws {
    try provider.perform(.recover)
    if let seconds = input["throttle"]?.integer {
      return try provider.perform(.throttle(requests: 1, retryAfterSeconds: seconds))
    }
    let status = try #require(input["status"]?.integer.map(Int.init))
    let body = try #require(input["body"])
    try provider.perform(
      .failTokenRequests(requests: 1, status: status, body: body.string ?? body.serialized))
  }
}
