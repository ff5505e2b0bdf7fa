// SPDX-License-Identifier: MIT
// Microsoft Authenticator responses: the error for each failed check, and the errors of the broker itself.

import TesseraApple
import TesseraEngine
import TesseraWire
import TestVectors
import Testing

@Suite struct AuthenticatorVectorTests {
  @Test(arguments: TestVector.all(in: "authenticator", areas: "authenticator.check"))
  func `each failed check has its own error`(_ vector: TestVector) throws {
    func text(_ name: String) -> String { vector.input[name]?.string ?? "" }
    let expectation = AuthenticatorExpectation(
      redirectURI: text("redirect_uri"), nonce: Secret(text("nonce")),
      key: AuthenticatorKey(Secret(text("key"))))
    let expected = try #require(vector.expected.object)
    do throws(TesseraError) {
      let response = try TesseraError.wrapping { () throws(WireError) in
        try AuthenticatorResponse(Secret(text("url")), to: expectation)
      }
      #expect(response.fields.values.mapValues(JSONValue.string) == expected.values)
    } catch {
      #expect(error.found(vector.expected) == vector.expected)
      #expect(error.remedy == TesseraError.Code.remedies[error.code])
    }
  }

  @Test(arguments: TestVector.all(in: "authenticator", areas: "authenticator.refusal"))
  func `an error response is mapped to a remedy`(_ vector: TestVector) throws {
    var form = FormFields()
    for member in try #require(vector.input.object).members {
      form.add(member.name, member.value.string)
    }
    let result = AuthenticatorResult(AuthenticatorFields(decoding: form.encoded))
    guard case .errorResponse(let errorResponse) = result.content else {
      Issue.record("It was taken for a success.")
      return
    }
    let error = TesseraError(errorResponse, correlationID: "")
    #expect(error.found(vector.expected) == vector.expected)
    for name in ["username", "granted_scopes", "declined_scopes", "retry_after", "oauth_error"]
    where vector.expected[name] == nil {
      #expect(error.members[name] == nil)
    }
  }

  @Test(arguments: TestVector.all(in: "authenticator", areas: "authenticator.prompt"))
  func `a device requirement on a page is recognized`(_ vector: TestVector) throws {
    let prompt = DeviceRequirement(
      try #require(vector.input["url"]?.string),
      redirectURI: try #require(vector.input["redirect_uri"]?.string))
    guard vector.expected != .null else {
      #expect(prompt == nil)
      return
    }
    let error = TesseraError(try #require(prompt))
    #expect(error.found(vector.expected) == vector.expected)
    #expect(error.members["app_link"] == vector.expected["app_link"])
  }
}

extension TesseraError {
  /// Returns the error members that the vector contains.
  fileprivate func found(_ expected: JSONValue) -> JSONValue {
    var json = JSONObject()
    for member in expected.object?.members ?? [] {
      if let value = members[member.name] { json.append(member.name, value) }
    }
    return .object(json)
  }
}

extension JSONObject {
  fileprivate var values: [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}
