// SPDX-License-Identifier: MIT
// Account selection: exactly the right account or an error, with test cases shared with C and Python.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct AccountFixtureTests {
  @Test func `there are at least 40 test cases`() {
    #expect(AccountFixture.all.count >= 40)
    #expect(AccountFixture.all.allSatisfy { !$0.expectedResponses.isEmpty })
  }

  @Test(arguments: AccountFixture.all)
  func `each call returns the expected account or error`(_ fixture: AccountFixture) throws {
    let bench = TestBench()
    try bench.store.commit(fixture.change, within: .none)
    let application = try bench.application(client: fixture.clientID) { configuration in
      configuration.authority = fixture.authority
      configuration.authorityType = AuthorityType(rawValue: fixture.authorityType)
    }
    bench.transport.network = .down
    for question in fixture.expectedResponses {
      let answer = answer(question, application)
      #expect(
        question.answer.matches(answer),
        """
        \(fixture.name): \(question.call) \(JSONValue.object(question.request).serialized)
        wants \(question.answer.serialized)
        gets \(answer.serialized)
        """)
    }
  }

  /// Returns the response as the JSON document of the C interface.
  private func answer(
    _ question: AccountFixture.ExpectedResponse, _ application: PublicClientApplication
  ) -> JSONValue {
    let request = question.request
    do throws(TesseraError) {
      switch question.call {
      case "get_accounts":
        return ["accounts": .array(try application.accounts(AccountsRequest(request)).map(\.json))]
      case "get_account":
        return ["account": try application.account(AccountsRequest(request)).json]
      default:
        return try application.acquireTokenSilent(SilentRequest(request)).json
      }
    } catch {
      return ["error": .object(error.members)]
    }
  }
}

extension AccountsRequest {
  fileprivate init(_ members: JSONObject) {
    self.init()
    homeAccountID = members["home_account_id"]?.string
    username = members["username"]?.string
    localAccountID = members["local_account_id"]?.string
    environment = members["environment"]?.string
    signedInOnly = members["signed_in_only"] != .bool(false)
    includesClaims = members["claims"] == .bool(true)
  }
}

extension SilentRequest {
  fileprivate init(_ members: JSONObject) {
    self.init(
      homeAccountID: members["home_account_id"]?.string ?? "",
      scopes: members["scopes"]?.array?.compactMap(\.string) ?? [])
    environment = members["environment"]?.string
    authority = members["authority"]?.string
  }
}
