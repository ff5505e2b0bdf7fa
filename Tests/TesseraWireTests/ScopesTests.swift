// SPDX-License-Identifier: MIT
// Tests of the parsing, comparison and serialization of scopes.

import TesseraWire
import TestVectors
import Testing

@Suite struct ScopesTests {
  @Test(arguments: TestVector.all(in: "scopes_and_accounts", areas: "scopes"))
  func `scopes are handled as in the shared vectors`(_ vector: TestVector) throws {
    switch vector.name {
    case "resource without slash", "resource with slash keeps double slash":
      let resource = try #require(vector.input.string)
      #expect(Scopes.defaultScope(at: resource) == vector.expected.string)
    case "normalize set":
      let scopes = Scopes(try #require(vector.input.array).compactMap(\.string))
      let expected = try #require(vector.expected.array).compactMap(\.string)
      #expect(scopes.normalised == Set(texts: expected))
      #expect(scopes.list.map { $0.lowercased() } == expected)
    case "minus with normalize keeps original spelling":
      let set = try #require(vector.input["set"]?.array).compactMap(\.string)
      let minus = try #require(vector.input["minus"]?.array).compactMap(\.string)
      // The vector keeps the spaces around a scope. In a request there are none.
      let expected = try #require(vector.expected.array).compactMap(\.string?.trimmed)
      #expect(Scopes(set).minus(Scopes(minus)).list == expected)
    case "email not echoed by server is accepted":
      #expect(Scopes(["user.read"]).covers(Scopes(["user.read", "email"])))
    case "mixed case scope hits cached AT":
      #expect(Scopes(parsing: "user.read").covers(Scopes(["User.Read"])))
    case "reserved scope rejected":
      let scopes = try #require(vector.input["scopes"]?.array).compactMap(\.string)
      #expect(Scopes(scopes).intersects(.reserved))
    default:
      Issue.record("no test for the vector \(vector.name)")
    }
  }

  @Test func `order and case are ignored, and the spelling is kept`() {
    let scopes = Scopes(parsing: "User.Read  Mail.Send user.read")
    #expect(scopes.list == ["User.Read", "Mail.Send"])
    #expect(scopes.covers(Scopes(["mail.send", "USER.READ"])))
    #expect(!scopes.covers(Scopes(["files.read"])))
  }

  @Test func `reserved scopes are not significant for a cached token`() {
    let graph = Scopes(parsing: "openid profile User.Read")
    #expect(graph.significant == ["user.read"])
    #expect(graph.covers(Scopes(["user.read", "offline_access"])))
  }

  @Test(arguments: [
    "", "openid profile User.Read", "user.read", "api//.default", "api/.default", " a  b a ",
    "Straße k",
    "openid email", "x/Y x/y", "one two three four five six seven eight nine one",
    "https://graph.microsoft.com/User.Read offline_access",
  ])
  func `a scope parameter is compared and listed as if it were parsed`(_ text: String) {
    let parsed = Scopes(parsing: text)
    #expect(Scopes.list(parsing: text) == parsed.list)
    for requested in [
      "user.read", "User.Read", "email", "openid", "api/.default", "api//.default",
      "api///.default",
      "a b", "b c", "strasse", "straße", "K", "x/y", "nine one",
      "https://graph.microsoft.com/user.read",
    ] {
      let scopes = Scopes(parsing: requested)
      #expect(scopes.areSatisfied(by: text) == parsed.satisfy(scopes), "\(requested)")
      for scope in scopes.normalised.texts {
        #expect(Scopes.contains(scope, in: text) == parsed.normalised.contains(scope), "\(scope)")
      }
    }
  }
}
