// SPDX-License-Identifier: MIT
// The rules of silent calls, checked against test vectors of MSAL for Apple.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import TestVectors
import Testing

@Suite struct SilentRuleVectorTests {
  private let bench = TestBench()
  private let scopes = ["user.read"]

  @Test(arguments: TestVector.all(in: "silent_rules", areas: "silent"))
  func `silent calls behave as in the vector`(_ vector: TestVector) throws {
    switch vector.name {
    case "nil account":
      let application = try bench.application()
      let error = #expect(throws: TesseraError.self) {
        try application.acquireTokenSilent(SilentRequest(homeAccountID: "", scopes: scopes))
      }
      #expect(error?.msalCode?.code == vector.expected["code"]?.integer)
    case "common authority uses home tenant":
      let application = try bench.application(tenant: "common")
      let account = try bench.signIn(application).account
      let tenant = try #require(account.homeAccountID.split(separator: ".").last)
      var request = SilentRequest(account: account, scopes: scopes)
      request.forcesRefresh = true
      _ = try application.acquireTokenSilent(request)
      let url = try #require(bench.transport.requests.last?.url)
      #expect(WebURL(url)?.pathSegments.first == String(tenant))
    case "capabilities alone keep cached AT":
      let application = try bench.application { $0.clientCapabilities = ["CP1"] }
      let account = try bench.signIn(application).account
      let request = SilentRequest(account: account, scopes: scopes)
      #expect(try application.acquireTokenSilent(request).source == .cache)
    case "FRT client_mismatch": try expectClientMismatch(vector)
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  private func expectClientMismatch(_ vector: TestVector) throws {
    try bench.provider.perform(.set([.familyClients(["client", "sibling"])]))
    let account = try bench.signIn(bench.application(client: "sibling")).account
    let otherClient = try bench.application(client: "client")
    let body = JSONValue.object(try #require(vector.input.object)).serialized
    try bench.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let request = SilentRequest(account: account, scopes: scopes)
    let error = #expect(throws: TesseraError.self) { try otherClient.acquireTokenSilent(request) }
    #expect(error?.msalCode?.code == vector.expected["code"]?.integer)
    #expect(error?.oauthError == vector.expected["MSALOAuthErrorKey"]?.string)
    #expect(error?.suberror == vector.expected["MSALOAuthSubErrorKey"]?.string)
    let explanation = try otherClient.explain(request)
    #expect(explanation.candidates.allSatisfy { $0.role == .notUsed })
    #expect(explanation.candidates.contains { $0.obstacles == [.otherFamily] })
  }

  @Test(arguments: TestVector.all(in: "silent_rules", areas: "claims"))
  func `claims are handled as in the vector`(_ vector: TestVector) throws {
    switch vector.name {
    case "essential number becomes bool":
      let claims = #"{"id_token":{"given_name":{"essential":10}}}"#
      #expect(ClaimsRequest.parameter(claims, capabilities: []) == vector.expected.string)
    case "invalid target":
      let application = try bench.application()
      var request = SilentRequest(homeAccountID: "home", scopes: scopes)
      request.claims = vector.input.string
      let error = #expect(throws: TesseraError.self) {
        try application.acquireTokenSilent(request)
      }
      #expect(error?.msalCode?.code == vector.expected["code"]?.integer)
      #expect(error?.msalCode?.internalCode == vector.expected["internal"]?.integer)
      let word = try #require(vector.expected["description_mentions"]?.string)
      #expect(error?.message.contains(word) == true)
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  @Test func `claims for other providers are sent unchanged`() throws {
    let application = try bench.application(issuer: "one")
    let account = try bench.signIn(application).account
    var request = SilentRequest(account: account, scopes: scopes)
    request.claims = #"{"qwe":{"nickname":null}}"#
    _ = try application.acquireTokenSilent(request)
    let body = try #require(bench.transport.requests.last?.body)
    let form = FormFields(decoding: String(decoding: body, as: UTF8.self))
    #expect(form["claims"] == request.claims)
  }

  @Test(arguments: TestVector.all(in: "silent_rules", areas: "throttling"))
  func `throttling behaves as in the vector`(_ vector: TestVector) throws {
    switch vector.name {
    case "Retry-After 10000":
      var error = TesseraError(.retryLater, .throttled, "")
      error.retryAfterSeconds = vector.input["Retry-After"]?.string.flatMap { Int64($0) }
      #expect(
        ThrottleRule.blockedSeconds(after: error, failures: 0)
          == vector.expected["throttle_seconds"]?.integer)
    case "applicability":
      let expected = try #require(vector.expected.array).map(\.bool)
      for (answer, isThrottled) in zip(try #require(vector.input.array), expected) {
        #expect(throttles(answer) == isThrottled, "\(answer.serialized)")
      }
    default: Issue.record("no test for the vector \(vector.name)")
    }
  }

  /// Returns whether a response throttles the next request.
  ///
  /// A response with status 200 may contain an error.
  private func throttles(_ answer: JSONValue) -> Bool {
    let headers = answer["Retry-After"]?.string.map { [HTTPHeader("Retry-After", $0)] } ?? []
    let response = HTTPResponse(
      status: Int(answer["status"]?.integer ?? 0), headers: headers,
      body: Array(#"{"error":"temporary"}"#.utf8))
    guard let errorResponse = ServerError(response) else { return false }
    let error = TesseraError(errorResponse, correlationID: nil)
    return ThrottleRule.blockedSeconds(after: error, failures: 0) > 0
  }

  @Test(arguments: TestVector.all(in: "silent_rules", areas: "wire"))
  func `forms are encoded as in the vector`(_ vector: TestVector) throws {
    var form = FormFields()
    let text: String = try #require(vector.input.string)
    form.add("a", text)
    let encoded = try #require(vector.expected.string)
    let body = HTTPRequest.post("https://a.example", form).body
    #expect(String(decoding: body, as: UTF8.self) == "a=" + encoded)
  }
}
