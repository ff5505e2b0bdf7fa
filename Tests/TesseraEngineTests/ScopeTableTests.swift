// SPDX-License-Identifier: MIT
// The table of scopes: what is asked for after a sign-in, how often a server is asked, and that asking again never is.

import TesseraEngine
import TesseraTesting
import TesseraWire
import TestVectors
import Testing

@Suite struct ScopeTableTests {
  private static let rows = TestVector.all(in: "scope_table", areas: "scope-table")

  @Test func `the table has at least sixty rows`() {
    #expect(Self.rows.count >= 60)
  }

  @Test(arguments: rows)
  func `a row holds`(_ row: TestVector) throws {
    let bench = TestBench()
    let isPlain = row.input["authority"]?.string == "plain"
    let application = try bench.application(issuer: isPlain ? "main" : nil)
    try grant(row.input["granted"], bench)
    let account = try bench.signIn(application, scopes: texts(row.input["signed_in"])).account
    try grant(row.input["granted_then"], bench)
    let request = SilentRequest(account: account, scopes: texts(row.input["requested"]))
    for name in ["first", "second"] {
      let expected = try #require(row.expected[name]?.string)
      #expect(outcome(of: request, application) == expected, "\(name)")
      #expect(Int64(bench.refreshes) == row.expected["requests"]?.integer, "\(name)")
    }
    // Another program with nothing in memory is answered alike.
    let other = try bench.application(issuer: isPlain ? "main" : nil)
    #expect(outcome(of: request, other) == row.expected["second"]?.string)
    #expect(Int64(bench.refreshes) == row.expected["requests"]?.integer)
  }

  private func grant(_ scope: JSONValue?, _ bench: TestBench) throws {
    try bench.provider.perform(.set([.grantedScope(scope?.string)]))
  }

  private func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  /// Where the token came from, or the code of the error; what was granted comes with it each time.
  private func outcome(
    of request: SilentRequest, _ application: PublicClientApplication
  ) -> String {
    do throws(TesseraError) {
      return try application.acquireTokenSilent(request).source.rawValue
    } catch {
      if error.code == .serverDeclinedScopes, !isGranted(error) { return "no granted token" }
      return error.code.rawValue
    }
  }

  private func isGranted(_ error: TesseraError) -> Bool {
    guard let result = error.result else { return false }
    return Scopes(result.scopes).minus(.reserved) == Scopes(error.grantedScopes)
  }
}
