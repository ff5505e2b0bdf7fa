// SPDX-License-Identifier: MIT
// The scope table: the result of silent calls for granted scopes, and the number of their requests.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct ScopeTableTests {
  private static let rows = TestVector.all(in: "scope_table", areas: "scope-table")

  @Test func `the table has at least 60 rows`() {
    #expect(Self.rows.count >= 60)
  }

  @Test(arguments: rows)
  func `two silent calls have the results and requests of the row`(_ row: TestVector) throws {
    let bench = TestBench()
    let isPlain = row.input["authority"]?.string == "plain"
    let application = try bench.application(issuer: isPlain ? "main" : nil)
    try grant(row.input["granted"], bench)
    let account = try bench.signIn(application, scopes: texts(row.input["signed_in"])).account
    try grant(row.input["granted_then"], bench)
    let request = SilentRequest(account: account, scopes: texts(row.input["requested"]))
    let declined = texts(row.expected["declined"])
    for name in ["first", "second"] {
      let expected = [try #require(row.expected[name]?.string)] + declined
      #expect(outcome(of: request, application) == expected, "\(name)")
      #expect(Int64(bench.refreshes) == row.expected["requests"]?.integer, "\(name)")
    }
    // Another process without a response cache has the same result.
    let other = try bench.application(issuer: isPlain ? "main" : nil)
    #expect(outcome(of: request, other) == texts([row.expected["second"] ?? .null]) + declined)
    #expect(Int64(bench.refreshes) == row.expected["requests"]?.integer)
  }

  private func grant(_ scope: JSONValue?, _ bench: TestBench) throws {
    try bench.provider.perform(.set([.grantedScope(scope?.string)]))
  }

  private func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  /// Returns the source of the token followed by the declined scopes, or the error code.
  private func outcome(
    of request: SilentRequest, _ application: PublicClientApplication
  ) -> [String] {
    do throws(TesseraError) {
      let result = try application.acquireTokenSilent(request)
      return [result.source.rawValue] + result.declinedScopes
    } catch {
      return [error.code.rawValue]
    }
  }
}
