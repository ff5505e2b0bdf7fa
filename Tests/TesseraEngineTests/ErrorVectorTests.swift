// SPDX-License-Identifier: MIT
// The table of server responses with the resulting errors. C and Python tests use the same rows.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite(.serialized) struct ErrorVectorTests {
  /// The bench shared by all rows.
  ///
  /// Each sign-in removes the throttle records of earlier rows.
  private static let shared = TestBench()

  private var bench: TestBench { ErrorVectorTests.shared }

  @Test(arguments: TestVector.all(in: "errors", areas: "error_refresh"))
  func `an error response to a refresh`(_ vector: TestVector) throws {
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
  func `an error response to a device code poll`(_ vector: TestVector) throws {
    try bench.prepare(vector.input)
    let application = try bench.application()
    let error = try #require(throws: TesseraError.self) { try bench.signIn(application) }
    check(error, vector)
  }

  /// Checks that the error has exactly the members of the row.
  private func check(_ error: TesseraError, _ vector: TestVector) {
    var expected = vector.expected.object ?? JSONObject()
    #expect(!expected.members.isEmpty)
    if expected["home_account_id"]?.string == "ALICE" {
      expected["home_account_id"] = .string(LocalUser.alice.homeAccountID)
    }
    var seen = error.members
    #expect(seen["message"]?.string?.nonBlank != nil)
    seen["message"] = nil
    // The cause of an error response contains the HTTP status.
    let status = vector.input["status"]?.integer ?? 429
    if status != 200 || error.oauthError != nil {
      #expect(error.causes.map(\.domain) == [.http] && error.causes.first?.number == status)
    }
    seen["causes"] = nil
    for name in ["correlation_id", "trace_id", "authority"] where expected[name] == nil {
      seen[name] = nil
    }
    let names = Set(expected.members.map(\.name)).union(seen.members.map(\.name))
    for name in names.sorted() {
      #expect(seen[name] == expected[name], "\(name): \(error)")
    }
  }
}

extension TestBench {
  /// Sets the provider's response to the next token request.
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
